#pragma once
#include <linux/input.h>
#include <stdbool.h>

// Stands for ioctl(2), which is variadic, with the macro EVIOCGVERSION, which Swift cannot import:
// whether a descriptor is an event device (linux/input.h).
bool clup_is_event_device(int descriptor);

// The same with EVIOCGRAB: from now on nobody else gets this device's events, until it is closed.
// 0, or -1 with errno: EBUSY where somebody else has it.
int clup_grab_event_device(int descriptor);
