// SwiftPM needs a source file.
#include "CSQLite.h"
