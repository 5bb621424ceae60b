#pragma once
// libqrencode as it is: none of its macros or variadic functions is needed.
#include <qrencode.h>
