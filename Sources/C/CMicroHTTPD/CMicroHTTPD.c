// SwiftPM needs a source file.
#include "CMicroHTTPD.h"
