#pragma once
#include <cups/cups.h>
