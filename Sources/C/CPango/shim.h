#pragma once
// cairo, pango and the library that connects them, as they are.
#include <cairo/cairo-pdf.h>
#include <cairo/cairo.h>
#include <pango/pangocairo.h>
