#pragma once
// libqrencode as it is: no macro or variadic of it is needed.
#include <qrencode.h>
