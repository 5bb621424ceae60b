// SwiftPM needs a source file.
#include "CCups.h"
