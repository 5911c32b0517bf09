"""The nouns of `truth`: what is known of one client, and what is concluded from it."""

from dataclasses import dataclass
from typing import NamedTuple

from deskbell.sessions.conversation import Tail
from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Run, Status

NO_TAIL = Tail()


@dataclass(frozen=True, slots=True)
class Evidence:
    now: float
    run: Run | None = None
    """What the hooks wrote down of this client."""
    entry: Entry | None = None
    """What the client's own registry says of it, if it lives."""
    alive: bool | None = None
    """None: its process cannot be asked (another host, or its number is not known)."""
    died: float = 0.0
    """When it was first seen to be dead."""
    had_entry: bool = False
    """It was in the registry while it lived."""
    left_behind: bool = False
    """It still is. On the way out a client removes its file; only a killed one cannot."""
    moved_on: bool = False
    """Its client now runs another session."""
    own_dialog: bool = False
    """It went straight from its prompt to a dialog, which the person must have opened, and was not busy since."""
    tail: Tail = NO_TAIL


class Verdict(NamedTuple):
    status: Status
    detail: str
    reason: str
    since: float
    again: float | None = None
    """When time alone may change it."""
