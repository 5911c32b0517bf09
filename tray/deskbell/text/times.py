"""Put points in time and durations into words, and parse those that a person types.

Pure. All times are seconds since 1970; `now` is an argument. Days and hours are those of the local time zone.
"""

import re
from datetime import datetime, timedelta

from deskbell.errors import Misuse

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}

MORNING = 8
"""The hour at which "tomorrow" begins."""
NIGHT_ENDS = 4
"""The hour up to which a night belongs to the day before: at 3 in the morning, "tomorrow" is the coming morning."""


def clock(when: float, now: float) -> str:
    """Return a point in time, in words that stay the same until midnight: "12:41", "Mon 12:41", "17 Nov"."""
    return _named(when, now, "%H:%M")


def clock_with_seconds(when: float, now: float) -> str:
    """Return what `clock` returns, to the second if it has a time: "12:41:07", "Mon 12:41:07", "17 Nov"."""
    return _named(when, now, "%H:%M:%S")


def exact(when: float) -> str:
    """Return the date and the time to the second, for a log: "18 Nov 12:41:07"."""
    return _written(when, "%d %b %H:%M:%S")


def dated(when: float) -> str:
    """Return the date with its year and the time to the second, for files kept for years: "2026-11-18 12:41:07"."""
    return _written(when, "%Y-%m-%d %H:%M:%S")


def _named(when: float, now: float, form: str) -> str:
    try:
        then, today = datetime.fromtimestamp(when), datetime.fromtimestamp(now).date()
    except (ValueError, OverflowError, OSError):  # a file may hold any number
        return "?"
    if then.date() == today:
        return f"{then:{form}}"
    if timedelta(0) < today - then.date() < timedelta(days=7) or then.date() - today == timedelta(days=1):
        return f"{then:%a {form}}"
    return f"{then.day} {then:%b}"


def _written(when: float, form: str) -> str:
    try:
        return f"{datetime.fromtimestamp(when):{form}}"
    except (ValueError, OverflowError, OSError):  # a file may hold any number
        return "?"


def day(when: float) -> int:
    """Return the number of the local day of WHEN, as `datetime.toordinal` counts; 0 for an impossible time."""
    try:
        return datetime.fromtimestamp(when).toordinal()
    except (ValueError, OverflowError, OSError):  # a file may hold any number
        return 0


def ago(since: float, now: float) -> str:
    """Return how long something has lasted, in one unit: "12 s", "5 min", "3 h", "2 d"."""
    seconds = max(0, int(now - since))
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def duration(seconds: float) -> str:
    """Return a duration in its two largest units: "0.4 s", "12 s", "3 min 20 s", "2 h 5 min"."""
    whole = round(seconds)
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    minutes = whole // 60
    return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"


def span(seconds: float) -> str:
    """Return a duration for a sentence: "less than a second", "12 s", "3 min 20 s"."""
    return duration(seconds) if seconds >= 1 else "less than a second"


def tomorrow(now: float) -> float:
    """Return the coming morning at eight."""
    day = datetime.fromtimestamp(now - NIGHT_ENDS * 3600) + timedelta(days=1)
    return day.replace(hour=MORNING, minute=0, second=0, microsecond=0).timestamp()


def end_of(said: str, now: float) -> float:
    """Return the end of what a person typed: a duration, a time of the day or "tomorrow".

    A time of the day that has passed is one of the next day. Raise Misuse for anything else.
    """
    word = said.strip().lower()
    if word == "tomorrow":
        return tomorrow(now)
    if found := re.fullmatch(r"(\d{1,2}):(\d{2})", word):
        return _next(int(found[1]), int(found[2]), now, said)
    found = re.fullmatch(r"(\d{1,6})\s*([smhd])(?:ec|in|our|ours|ay|ays)?", word)
    if not found or int(found[1]) == 0:
        raise Misuse(f"{said!r} is not a duration. Use 90s, 30m, 2h, 3d, 17:30 or tomorrow.")
    return now + int(found[1]) * SECONDS[found[2]]


def _next(hour: int, minute: int, now: float, said: str) -> float:
    if hour > 23 or minute > 59:
        raise Misuse(f"{said!r} is not a time of the day. Use 00:00 to 23:59.")
    today = datetime.fromtimestamp(now)
    then = today.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (then if then > today else then + timedelta(days=1)).timestamp()
