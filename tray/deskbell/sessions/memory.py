"""Remember what no file says about a client later: that it was alive, when it died, where its dialog came from."""

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
    """When its process was found dead; if it was never seen alive, when it last did something."""
    killed: bool = False
    """Whether its process was found dead while the registry listed it. Another client removes the entry later."""
    left: float | None = None
    """When it was first found gone from the registry; None while it is listed, and if it never was."""
    moved_on: bool = False
    """Whether the registry last listed its process with another session."""
    own_dialog: bool = False
    """Whether the client went from its prompt straight to a dialog, and has not been busy since."""
    left_dialog: float | None = None
    """When the person last answered or left a dialog. A dialog that closes sooner than a person can was a hook's."""

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
        """Note whether the process runs. LAST_SIGN is called for a client that is dead and was never seen alive."""
        if alive is False and self.died is None:
            self.died = now if self.seen_alive else min(now, last_sign())
        self.seen_alive = self.seen_alive or alive is True

    def take_listing(self, alive: bool | None, listed: Entry | None, session_id: str, now: float) -> None:
        """Note whether the registry lists its process, and whether with this session or another one."""
        if listed:
            self.unlisted_from = None
            self.moved_on = listed.session_id != session_id
        elif alive and self.unlisted_from is None:
            self.unlisted_from = now

    def unlisted_for(self) -> float:
        """Return for how many seconds before its death it was seen alive but not in the registry."""
        return 0.0 if self.unlisted_from is None or self.died is None else self.died - self.unlisted_from

    def shift(self, by: float) -> None:
        for name in ("unlisted_from", "died", "left", "left_dialog"):
            if (at := getattr(self, name)) is not None:
                setattr(self, name, at + by)

    def take_left_behind(self, entry: Entry | None) -> None:
        """Note the ENTRY that a dead client has left behind in the registry, if any."""
        self.killed = self.killed or entry is not None
        self.entry = self.entry or entry


class Memories:
    """The memories of all clients, and the dead clients that have been shown for long enough."""

    def __init__(self) -> None:
        self._of: dict[Key, Memory] = {}
        self._retired: set[tuple[Key, float]] = set()

    def of(
        self,
        candidate: Candidate,
        alive: bool | None,
        now: float,
        last_sign: Callable[[], float],
        left_behind: Entry | None = None,
    ) -> Memory:
        """Return the memory of a client after this reading. LEFT_BEHIND is the registry's entry of a dead client."""
        memory = self._of.setdefault(candidate.key, Memory())
        if candidate.entry:
            memory.take_entry(candidate.entry)
        else:
            memory.take_absence(now)
        memory.take_life(alive, last_sign, now)
        memory.take_left_behind(left_behind)
        return memory

    def left(self, living: Container[int]) -> Iterator[Entry]:
        """Return the last entries of the clients that have gone from the registry or from the machine."""
        entries = [memory.entry for memory in self._of.values() if memory.entry]
        return (entry for entry in entries if entry.pid not in living)

    def shift(self, by: float) -> None:
        """Move all times by BY seconds: somebody has set the clock."""
        for memory in self._of.values():
            memory.shift(by)

    def retire(self, candidate: Candidate) -> None:
        """Do not show this client again until its hooks report a new event."""
        self._retired.add((candidate.key, candidate.heard))

    def is_retired(self, candidate: Candidate) -> bool:
        is_reported_only = candidate.run is not None and candidate.entry is None
        return is_reported_only and (candidate.key, candidate.heard) in self._retired

    def keep(self, keys: Container[Key], listed: Container[Key]) -> None:
        """Drop the memories of all clients except those with KEYS. Forget the retired ones that are not LISTED."""
        self._of = {key: memory for key, memory in self._of.items() if key in keys}
        self._retired = {one for one in self._retired if one[0] in listed}
