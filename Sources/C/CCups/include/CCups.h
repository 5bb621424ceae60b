#pragma once
// libcups as it is: Swift needs only the numbers and strings among its macros, and none of its variadic functions.
#include <cups/cups.h>
#include <cups/raster.h>
