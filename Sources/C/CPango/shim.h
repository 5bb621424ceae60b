#pragma once
// cairo, pango and the bridge between them as they are.
#include <cairo/cairo-pdf.h>
#include <cairo/cairo.h>
#include <pango/pangocairo.h>
