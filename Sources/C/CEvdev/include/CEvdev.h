#pragma once
#include <linux/input.h>
#include <stdbool.h>

// Wraps ioctl(2), which is variadic, with the macro EVIOCGVERSION, which Swift cannot import: whether a descriptor
// is an event device (linux/input.h).
bool clup_is_event_device(int descriptor);

// The same with EVIOCGRAB: from now on no other process gets this device's events, until it is closed. Answers 0, or
// -1 with errno: EBUSY if another process has grabbed the device.
int clup_grab_event_device(int descriptor);
