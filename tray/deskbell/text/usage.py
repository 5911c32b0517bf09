"""Put into words how much of its limits an account has used. Pure."""

from collections.abc import Sequence

from deskbell.text.clean import clean, cut
from deskbell.text.times import clock
from deskbell.usage import Usage, Window

LABELS = {"five_hour": "5 h", "seven_day": "7 d"}
"""What each window is called."""
NAME = 40
"""Characters of the name of an account."""


def in_words(usages: Sequence[Usage], now: float, long: bool = True) -> list[str]:
    """Return a line for each account: "5 h 42 % until 15:40, 7 d 12 % until Fri 09:00". If not LONG, without the times.

    Several accounts are told apart by their folders.
    """
    named = len(usages) > 1
    return [
        f"{cut(clean(one.account), NAME)}: {_windows(one, now, long)}" if named else _windows(one, now, long)
        for one in usages
    ]


def _windows(usage: Usage, now: float, long: bool) -> str:
    return ", ".join(words(window, now) if long else _brief(window) for window in usage.windows)


def words(window: Window, now: float) -> str:
    """Return "5 h 42 % until 15:40"."""
    return f"{_brief(window)} until {clock(window.resets, now)}"


def _brief(window: Window) -> str:
    return f"{LABELS[window.name]} {window.used:.0f} %"
