#include "CEvdev.h"

#include <sys/ioctl.h>

bool clup_is_event_device(int descriptor) {
    int version = 0;
    return ioctl(descriptor, EVIOCGVERSION, &version) == 0;
}

int clup_grab_event_device(int descriptor) { return ioctl(descriptor, EVIOCGRAB, 1); }
