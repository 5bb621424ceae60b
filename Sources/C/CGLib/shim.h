#pragma once
// GLib as it is; of it, GTimeZone.
#include <glib.h>
