"""Put points in time and durations into words, and parse those that a person types.

Pure. All times are seconds since 1970; `now` is an argument. Days and hours are those of the local time zone.
"""

import re
from contextlib import suppress
from datetime import datetime, timedelta

from deskbell.errors import Misuse
from deskbell.text.clean import clean, cut

UNITS = (
    (1, "s sec secs second seconds"),
    (60, "m min mins minute minutes"),
    (3600, "h hr hrs hour hours"),
    (86400, "d day days"),
)
SECONDS = {word: seconds for seconds, words in UNITS for word in words.split()}
"""What a person types after a number -> its seconds."""

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
    if said.strip().lower() == "tomorrow":
        return tomorrow(now)
    if (today := _time_of_day(said, now)) is not None:
        return today if today > now else _a_day(1, today)
    seconds = _seconds(said)
    if seconds is None:
        raise Misuse(f"{said!r} is not a duration. Use 90s, 30m, 2h, 3d, 17:30 or tomorrow.")
    return now + seconds


def start_of(said: str, now: float) -> float:
    """Return the start of what a person typed: a duration before NOW, a time of the day, a date, "yesterday".

    A time of the day that is still to come is one of the day before. Raise Misuse for anything else.
    """
    word = said.strip().lower()
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(said.strip()).timestamp()
    if word in ("today", "yesterday"):
        return _a_day(-1 if word == "yesterday" else 0, _at(0, 0, now))
    if (today := _time_of_day(said, now)) is not None:
        return today if today <= now else _a_day(-1, today)
    seconds = _seconds(said)
    if seconds is None:
        forms = "10m, 2h, 3d, 17:30, yesterday, 2026-11-18 or 2026-11-18T10:00"
        raise Misuse(f'"{cut(clean(said), 60)}" is not a point in time. Use {forms}.')
    return now - seconds


def _seconds(said: str) -> int | None:
    """Return the seconds of a duration: "90s", "2 hours"; None if SAID is none, or is empty like "0m"."""
    found = re.fullmatch(r"([0-9]{1,6})\s*([a-z]+)", said.strip().lower())
    return (int(found[1]) * SECONDS.get(found[2], 0) or None) if found else None


def _time_of_day(said: str, now: float) -> float | None:
    """Return that time on the day of NOW; None if SAID is not written like one. Raise Misuse for 24:00."""
    found = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", said.strip())
    if not found:
        return None
    hour, minute = int(found[1]), int(found[2])
    if hour > 23 or minute > 59:
        raise Misuse(f"{said!r} is not a time of the day. Use 00:00 to 23:59.")
    return _at(hour, minute, now)


def _at(hour: int, minute: int, now: float) -> float:
    return datetime.fromtimestamp(now).replace(hour=hour, minute=minute, second=0, microsecond=0).timestamp()


def _a_day(days: int, when: float) -> float:
    """Return the same time of the day DAYS later, however long the days between are."""
    return (datetime.fromtimestamp(when) + timedelta(days=days)).timestamp()
