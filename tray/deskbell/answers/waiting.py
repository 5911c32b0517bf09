"""Tell whether a request still waits, from the registry entry of its client and from the process. Pure.

The client does not report that the person answered at the keyboard. But its registry entry holds the time of the last
change of its status, which changes with every answer. So a request is over as soon as that time changes.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from deskbell.answers.request import Request
from deskbell.sessions.registry import Entry

BEFORE = 0.25
"""Seconds by which the dialog of a request may be older than the start of its asker. An older one is not its dialog."""
OPENS_WITHIN = 3.0
"""Seconds within which the dialog opens. The client holds it back while the person types."""
READABLE_WITHIN = 1.0
"""Seconds within which the entry can be read again. The client empties the file before it writes it."""


class Seen(NamedTuple):
    """What is known of the client now."""

    entry: Entry | None
    alive: bool


@dataclass(frozen=True, slots=True)
class Open:
    """The request waits."""

    since: float | None = None
    """When its dialog opened; None until that has been seen."""
    unread: float | None = None
    """Since when the entry cannot be read; None if it can. Nothing is answered meanwhile."""

    @property
    def is_sure(self) -> bool:
        """Whether the dialog is known to be on the screen now."""
        return self.since is not None and self.unread is None


@dataclass(frozen=True, slots=True)
class Over:
    """The request can no longer be answered."""

    why: str
    """How it ended, as the end of a sentence: "it was answered at the keyboard"."""


ANSWERED = Over("it was answered at the keyboard")
GONE = Over("its client has ended")
ELSEWHERE = Over("its client went on with another session")
UNKNOWN = Over("Claude Code does not report whether it still waits")
NEVER_OPENED = Over("its dialog did not open")


def waiting(request: Request, before: Open, seen: Seen, now: float) -> Open | Over:
    """Return whether REQUEST waits or is over, by what was SEEN. BEFORE: what this returned the last time."""
    entry = seen.entry
    if not seen.alive:
        return GONE
    if entry is None:
        return _unread(before, now)
    if entry.session_id != request.session_id or _is_other(entry.pid_start, request.start):
        return ELSEWHERE
    if before.since is not None:
        is_same = entry.status == "waiting" and entry.status_since == before.since
        return replace(before, unread=None) if is_same else ANSWERED
    if entry.status == "waiting" and entry.status_since >= request.at - BEFORE:
        return Open(entry.status_since)
    # A clock that was set back must not keep it open.
    return replace(before, unread=None) if abs(now - request.at) < OPENS_WITHIN else NEVER_OPENED


def _unread(before: Open, now: float) -> Open | Over:
    since = now if before.unread is None else before.unread
    return replace(before, unread=since) if 0 <= now - since < READABLE_WITHIN else UNKNOWN


def _is_other(start: int | None, expected: int | None) -> bool:
    return None not in (start, expected) and start != expected
