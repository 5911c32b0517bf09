"""Define the values of `truth`: the evidence about one client, and the verdict on it."""

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
    """What the hooks recorded of this client."""
    entry: Entry | None = None
    """The client's entry in the registry, while its process runs."""
    alive: bool | None = None
    """Whether its process runs; None if that cannot be asked (another host, or no known process id)."""
    died: float = 0.0
    """When its process died, as far as can be known."""
    had_entry: bool = False
    """Whether the registry listed its process until just before its end, or must have: its account has a registry."""
    left_behind: bool = False
    """Whether the registry listed it after its death. A client that exits removes its file; a killed one cannot."""
    left: float | None = None
    """When its entry was first found gone from the registry while its process runs."""
    arrives: bool = False
    """Whether its hooks have only reported another session so far: its client comes from there."""
    was_waiting: bool = False
    """Whether its newest entry, before that was gone, showed a dialog."""
    moved_on: bool = False
    """Whether its process now runs another session."""
    went_on: bool = False
    """Whether its dead process had gone on with another session, or another client has resumed its session."""
    approved: frozenset[int] = frozenset()
    """The orders of the requests that were approved, because their commands run."""
    own_dialog: bool = False
    """Whether the client was seen to go from its prompt straight to a dialog, and has not been busy since."""
    suspended: bool = False
    """Whether its process is stopped, by Ctrl+Z or a signal."""
    host: str | None = None
    """The name of its machine, as it is called now; None if no hook has reported it."""
    tail: Tail = NO_TAIL


class Verdict(NamedTuple):
    status: Status
    detail: str
    reason: str
    since: float
    again: float | None = None
    """When to ask again, because time alone may change the verdict."""
