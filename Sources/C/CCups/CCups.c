#include "CCups.h"
