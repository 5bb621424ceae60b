#!/usr/bin/env python3
"""Reads a file of iCalendar with the library icalendar (PyPI), which shares no code with the product.

    read-calendar.py FILE      prints what it says as JSON

It ends with an error if the file has something else than one calendar with one event, or something that the library
cannot read or only reads by overlooking a mistake.
"""
import json
import pathlib
import sys

import icalendar


def text(component, name):
    value = component.get(name)
    # A list if there are several.
    assert value is None or not isinstance(value, list), name
    return None if value is None else str(value)


def moment(event, name):
    value = event.decoded(name)
    assert value.utcoffset().total_seconds() == 0, f"{name} is not in UTC"
    return int(value.timestamp())


data = pathlib.Path(sys.argv[1]).read_bytes()
lines = data.split(b"\r\n")
assert lines.pop() == b"", "the last line does not end"
for line in lines:
    assert len(line) <= 75 and b"\r" not in line and b"\n" not in line, line
    # No character of UTF-8 is divided.
    line.decode()
calendars = icalendar.Calendar.from_ical(data, multiple=True)
assert len(calendars) == 1, "there must be one calendar"
calendar = calendars[0]
assert not calendar.errors, calendar.errors
assert [part.name for part in calendar.subcomponents] == ["VEVENT"], "there must be one event"
event = calendar.subcomponents[0]
assert not event.errors, event.errors
alarms = []
for alarm in event.subcomponents:
    assert alarm.name == "VALARM" and not alarm.errors, alarm
    alarms.append({
        "action": text(alarm, "ACTION"),
        "description": text(alarm, "DESCRIPTION"),
        "seconds": int(alarm.decoded("TRIGGER").total_seconds()),
    })
print(json.dumps({
    "version": text(calendar, "VERSION"),
    "method": text(calendar, "METHOD"),
    "id": text(event, "UID"),
    "sequence": int(event["SEQUENCE"]),
    "written": moment(event, "DTSTAMP"),
    "start": moment(event, "DTSTART"),
    "end": moment(event, "DTEND"),
    "status": text(event, "STATUS"),
    "summary": text(event, "SUMMARY"),
    "details": text(event, "DESCRIPTION"),
    "location": text(event, "LOCATION"),
    "page": text(event, "URL"),
    "alarms": alarms,
    "properties": sorted(event.keys()),
}))
