// SwiftPM needs a source file.
#include "CQREncode.h"
