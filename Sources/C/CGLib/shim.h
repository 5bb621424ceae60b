#pragma once
// GLib as it is; only GTimeZone is used.
#include <glib.h>
