// SwiftPM needs a source file.
#include "CCurl.h"
