"""Read from a transcript that the client waits for a usage limit or for the API, and say until when. Pure.

Claude Code ends a turn at a usage limit, writes that it goes on by itself, and does so 30 to 90 seconds after the
limit. While the API fails, it only writes each request that it sends. What cannot be known: whether the newest request
fails, too, or is being answered, so a retry is believed for as long as the next one may take to come.
"""

import re
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from deskbell.files.read import LATEST
from deskbell.sessions.lines import part, text
from deskbell.sessions.numbers import count

PATIENCE = 300.0
"""Seconds after the limit for which a client may take to go on."""
BACKOFF, LONGEST_PAUSE = 2.5, 40.0
"""The pause before a retry is about twice as long as the one before, and never longer than this, in seconds."""
ANSWERED_WITHIN = 2.0
"""Seconds that a request which fails usually takes."""

_ABOUT_LIMIT = re.compile(r"usage limit|automatic continue", re.IGNORECASE)
_GOES_ON = re.compile(r"continuing", re.IGNORECASE)
_CANCELLED = re.compile(r"cancelled", re.IGNORECASE)
_RESETS = re.compile(
    r"resets (?:at )?(?:(?P<month>[A-Z][a-z]{2}) (?P<day>\d{1,2}), )?(?:(?P<year>\d{4}), )?"
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?: ?(?P<half>[ap]m))?"
)
"""The time in "You've hit your 5-hour limit · resets 3:45am (Europe/Berlin)" and "resets Nov 21, 3am"."""
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Limit(NamedTuple):
    """A usage limit that ended the turn, and what the client said about it since."""

    at: float
    """When it ended the turn."""
    resets: float | None = None
    """When it ends; None if that is not known."""
    goes_on: bool = False
    """Whether the client said last that it goes on by itself."""
    cancelled: bool = False
    """Whether it said last that its person does not want that."""
    said: float | None = None
    """When it last said anything about that."""

    def announced(self, at: float, words: str) -> "Limit":
        """Return the limit after the client said WORDS, if they are about it."""
        if not _ABOUT_LIMIT.search(words):
            return self
        return self._replace(goes_on=bool(_GOES_ON.search(words)), cancelled=bool(_CANCELLED.search(words)), said=at)

    @property
    def due(self) -> float:
        """When a client that goes on by itself has surely not done so; never, if the end of the limit is not known."""
        return float("inf") if self.resets is None else self.resets + PATIENCE


class Retries(NamedTuple):
    """The requests that the client has sent to the API since anything else was written."""

    at: float = 0.0
    """When it sent the newest one."""
    first: float = 0.0
    """When it sent the second one, which shows that the first one failed."""
    repeats: int = 0
    """How many of them repeat one that failed."""
    pause: float = 0.0
    """Seconds between the two newest ones."""

    def requested(self, at: float) -> "Retries":
        if not self.at:
            return Retries(at)
        return Retries(at, self.first or at, self.repeats + 1, max(0.0, at - self.at))

    @property
    def until(self) -> float:
        """Until when the next one may come. Later, the newest one is being answered."""
        return self.at + min(BACKOFF * self.pause, LONGEST_PAUSE) + ANSWERED_WITHIN


NO_REQUESTS = Retries()


def is_about_limit(error: str) -> bool:
    """Return True for the ERROR of a usage limit, as the hook reported it."""
    return error.startswith("rate_limit") and _RESETS.search(error) is not None


def limit_of(line: dict[str, Any], at: float | None, said: str) -> Limit | None:
    """Return the usage limit that a line of an error with the words SAID is about; None if it is about none.

    An account without a limit gets errors of the same kind, which only say that there were too many requests.
    """
    if at is None or line.get("error") != "rate_limit":
        return None
    named, found = count(part(line, "quotaLimits").get("resetsAt")), _RESETS.search(said)
    if 0 < named < LATEST:
        return Limit(at, float(named))
    return Limit(at, _moment(found, at)) if found else None


def _moment(found: re.Match[str], at: float) -> float | None:
    """Return the first such moment after AT, in the local time zone; None if there is none."""
    with suppress(ValueError, OverflowError, OSError):
        now = datetime.fromtimestamp(at)
        then = now.replace(hour=_hour(found), minute=int(found["minute"] or 0), second=0, microsecond=0)
        if not found["month"]:
            return (then if then > now else then + timedelta(days=1)).timestamp()
        month, year = MONTHS.index(found["month"]) + 1, int(found["year"] or then.year)
        then = then.replace(year=year, month=month, day=int(found["day"]))
        return (then if then > now else then.replace(year=year + 1)).timestamp()
    return None


def _hour(found: re.Match[str]) -> int:
    hour = int(found["hour"])
    return hour % 12 + 12 * (found["half"] == "pm") if found["half"] else hour


def said_in(line: dict[str, Any]) -> str:
    """Return what the client tells the person in a line of kind "system"; "" if it tells them nothing."""
    return (text(line.get("content")) or "") if line.get("subtype") == "informational" else ""


def is_main_request(line: dict[str, Any]) -> bool:
    """Return True for a request of the main conversation; False for one of a subagent, or for a title."""
    return str(line.get("querySource")).startswith("repl_main_thread")
