"""Remember of each client what no file tells later: that it was alive, when it died, where its dialog came from."""

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from deskbell.session import Key
from deskbell.sessions.candidates import Candidate
from deskbell.sessions.registry import AT_REST, Entry
from deskbell_hooks.requests import BY_ITSELF


@dataclass
class Memory:
    """What is remembered of one client."""

    entry: Entry | None = None
    """Its last entry in the registry."""
    seen_alive: bool = False
    unlisted_from: float | None = None
    """When it was first seen alive while the registry listed no session of its process."""
    died: float | None = None
    """When its process was found dead that had been seen alive, else its last sign of life."""
    killed: bool = False
    """Its process was found dead while the registry still listed it. Another client removes the entry later."""
    left: float | None = None
    """When it was first found gone from the registry; None while it is listed, or never was."""
    own_dialog: bool = False
    """Whether the client went from its prompt straight to a dialog, and was not busy after that."""
    left_dialog: float | None = None
    """When its newest dialog was closed that a person must have answered or left: a hook answers at once."""

    def take_entry(self, entry: Entry) -> None:
        self.left = None
        if entry is self.entry:
            return
        before = self.entry.status if self.entry else None
        if entry.status == "busy":
            self.own_dialog = False
        elif entry.status == "waiting" and before in AT_REST:
            self.own_dialog = True
        was_open = before == "waiting" and entry.status not in ("waiting", None)
        if self.entry and was_open and entry.status_since - self.entry.status_since >= BY_ITSELF:
            self.left_dialog = entry.status_since
        self.entry = entry

    def take_absence(self, now: float) -> None:
        if self.entry and self.left is None:
            self.left = now

    def take_life(self, alive: bool | None, last_sign: Callable[[], float], now: float) -> None:
        """LAST_SIGN is called for a client that is found dead and was never seen alive."""
        if alive is False and self.died is None:
            self.died = now if self.seen_alive else min(now, last_sign())
        self.seen_alive = self.seen_alive or alive is True

    def take_listing(self, alive: bool | None, listed: bool, now: float) -> None:
        """LISTED: the registry lists its process, with this session or another one."""
        if listed:
            self.unlisted_from = None
        elif alive and self.unlisted_from is None:
            self.unlisted_from = now

    def unlisted_for(self) -> float:
        """For how many seconds it was seen alive and not in the registry, before it was found dead."""
        return 0.0 if self.unlisted_from is None or self.died is None else self.died - self.unlisted_from

    def take_rest(self, entry: Entry | None) -> None:
        """ENTRY is what a client left behind in the registry that is dead."""
        self.killed = self.killed or entry is not None
        self.entry = self.entry or entry


class Memories:
    """The memories of all clients, and which dead ones have been shown for long enough."""

    def __init__(self) -> None:
        self._of: dict[Key, Memory] = {}
        self._buried: set[tuple[Key, float]] = set()

    def of(
        self,
        candidate: Candidate,
        alive: bool | None,
        now: float,
        last_sign: Callable[[], float],
        left_behind: Entry | None = None,
    ) -> Memory:
        """The memory of a client after this look. LEFT_BEHIND is its entry in the registry if its process is dead."""
        memory = self._of.setdefault(candidate.key, Memory())
        if candidate.entry:
            memory.take_entry(candidate.entry)
        else:
            memory.take_absence(now)
        memory.take_life(alive, last_sign, now)
        memory.take_rest(left_behind)
        return memory

    def left(self, living: Container[int]) -> Iterator[Entry]:
        """The last entries of the clients that have gone from the registry or from the machine."""
        entries = [memory.entry for memory in self._of.values() if memory.entry]
        return (entry for entry in entries if entry.pid not in living)

    def bury(self, candidate: Candidate) -> None:
        """Do not show this client until its hooks report a new event."""
        self._buried.add((candidate.key, candidate.heard))

    def is_buried(self, candidate: Candidate) -> bool:
        is_reported_only = candidate.run is not None and candidate.entry is None
        return is_reported_only and (candidate.key, candidate.heard) in self._buried

    def keep(self, keys: Container[Key], listed: Container[Key]) -> None:
        """Drop the memories of all clients but those with KEYS, and which are buried of those that are not LISTED."""
        self._of = {key: memory for key, memory in self._of.items() if key in keys}
        self._buried = {one for one in self._buried if one[0] in listed}
