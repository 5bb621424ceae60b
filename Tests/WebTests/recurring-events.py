#!/usr/bin/env python3
"""Writes a calendar (RFC 5545) of events whose rules are drawn at random, and the occurrences that the library dateutil
(PyPI), which shares no code with the product, finds for each within a range of days.

    recurring-events.py SEED COUNT CALENDAR OCCURRENCES

CALENDAR gets the events; their titles are numbers. OCCURRENCES gets `{"from", "until", "starts"}` as JSON: two moments, and
a list of moments for each event, in milliseconds since 1970. All times are in UTC.
"""
import datetime
import json
import pathlib
import random
import sys

from dateutil.rrule import rruleset, rrulestr

seed, count, calendar, occurrences = sys.argv[1:]
draw = random.Random(int(seed))
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
FROM = datetime.datetime(2027, 3, 1)
UNTIL = datetime.datetime(2027, 4, 8)


def some(values, most=3):
    return draw.sample(values, draw.randint(1, most))


def listed(values):
    return ",".join(str(one) for one in values)


def moment(time):
    return time.strftime("%Y%m%dT%H%M%SZ")


def text_of(parts):
    return ";".join(parts)


def rule(start):
    frequency = draw.choice(("DAILY", "WEEKLY", "MONTHLY", "YEARLY"))
    parts = [f"FREQ={frequency}"]
    if draw.random() < 0.5:
        parts.append(f"INTERVAL={draw.choice((1, 2, 3, 5, 7, 13))}")
    end = draw.random()
    if end < 0.3:
        parts.append(f"COUNT={draw.choice((1, 2, 7, 30, 400, 2000, 15000))}")
    elif end < 0.5:
        parts.append(f"UNTIL={moment(FROM + datetime.timedelta(days=draw.randint(-20, 60), hours=draw.randint(0, 23)))}")
    months = some(range(1, 13), 4) if draw.random() < 0.25 else []
    if draw.random() < 0.6:
        days = some(DAYS)
        if frequency in ("MONTHLY", "YEARLY") and draw.random() < 0.6:
            # The library has no 53rd weekday, nor one of a month that the month cannot have.
            most = 50 if frequency == "YEARLY" and not months else 5
            days = [f"{draw.choice((-1, 1)) * draw.randint(1, most)}{day}" for day in days]
        parts.append(f"BYDAY={listed(days)}")
    if frequency != "WEEKLY" and draw.random() < 0.4:
        parts.append(f"BYMONTHDAY={listed(some([*range(1, 32), *range(-31, 0)], 5))}")
    if months:
        parts.append(f"BYMONTH={listed(months)}")
    if draw.random() < 0.3:
        parts.append(f"WKST={draw.choice(DAYS)}")
    if "BY" in text_of(parts) and draw.random() < 0.3:
        # With the first or the last day of each period the library, which looks until the year 9999, finds one soon.
        parts.append(f"BYSETPOS={listed([draw.choice((1, -1)), *some([2, 3, -2], 2)])}")
    elif draw.random() < 0.2:
        # Many programs repeat the event's own time; some name several times for each day.
        hours = [start.hour] if "COUNT" in text_of(parts) or draw.random() < 0.5 else some(range(24))
        parts.append(f"BYHOUR={listed(hours)};BYMINUTE={start.minute};BYSECOND=0")
    return text_of(parts)


lines = ["BEGIN:VCALENDAR", "VERSION:2.0"]
starts = []
for number in range(int(count)):
    start = datetime.datetime(draw.choice((1970, 1999, 2020, 2026, 2027)), draw.randint(1, 12), draw.randint(1, 28),
                              draw.randint(0, 23), draw.choice((0, 15, 30)))
    text = rule(start)
    found = rruleset()
    # The first occurrence is the event itself, also if the rule does not speak of it (RFC 5545 3.8.5.3).
    found.rdate(start)
    found.rrule(rrulestr(text.replace("Z", ""), dtstart=start))
    expected = [one for one in found.between(FROM, UNTIL, inc=True) if one < UNTIL]
    lines += ["BEGIN:VEVENT", f"UID:{number}@test", f"SUMMARY:{number}", f"DTSTART:{moment(start)}", "DURATION:PT30M",
              f"RRULE:{text}"]
    if expected and draw.random() < 0.3:
        left = draw.choice(expected)
        expected.remove(left)
        lines.append(f"EXDATE:{moment(left)}")
    if draw.random() < 0.3:
        further = FROM + datetime.timedelta(days=draw.randint(0, 30), minutes=draw.randint(0, 1400))
        lines.append(f"RDATE:{moment(further)}")
        expected.append(further)
    lines.append("END:VEVENT")
    utc = datetime.timezone.utc
    starts.append(sorted({int(one.replace(tzinfo=utc).timestamp()) * 1000 for one in expected}))
lines.append("END:VCALENDAR")
pathlib.Path(calendar).write_text("\r\n".join(lines) + "\r\n")
edges = [int(one.replace(tzinfo=datetime.timezone.utc).timestamp()) * 1000 for one in (FROM, UNTIL)]
pathlib.Path(occurrences).write_text(json.dumps({"from": edges[0], "until": edges[1], "starts": starts}))
