#pragma once
// libcups as it is: of its macros only numbers and strings are needed, of its variadics none.
#include <cups/cups.h>
#include <cups/raster.h>
