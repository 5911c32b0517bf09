"""Work out what may be shown of each client at each moment of a story: what it truly does, or did within the grace.

Nobody can know of a late or lost hook until it arrives, or until the transcript or the registry shows what it would have
said. Until then, the status of before may still be shown.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from deskbell.session import Key
from deskbell.sessions.truth import END_DELAY
from deskbell.sessions.turns import UNREPORTED
from tests.simulation.story import PIDS, Story
from tests.simulation.traces import Death, Happening, Hook, Registry, Truth
from tests.simulation.weather import NEVER, Arrival

GRACE = 1.0
"""Seconds after which a verdict must be right once everything has arrived."""
AHEAD = 0.15
"""Seconds by which the registry may be ahead of what the client does."""

JITTER = 0.05
"""Seconds by which a file of the registry may be gone early."""


class Sight(NamedTuple):
    """One client at one moment."""

    now: float
    believable: frozenset[tuple[str, str]]
    """Every (status, asked) that may be shown: the present one, and those within the grace."""
    heard: bool
    """Every hook of this client has arrived so far."""
    all_heard: bool
    """Every hook of the session has arrived so far."""
    is_picking: bool
    """A dialog is open that the person opened."""
    is_busy: bool
    """The registry says that the client is busy."""
    compacts: bool
    """The person compacts the conversation by hand, or did so within the grace."""
    changed: float
    """When the registry says that its status changed."""
    begins: bool
    """The client began within the grace."""
    earlier: float
    """When its registry file changed for the last time but one."""
    settles: bool
    """Its registry file changed within the grace, or its process ended."""
    is_leaving: bool
    """The client has gone, and the hook that says so may still come."""
    has_rival: bool
    """Another client runs its session, or ran it before."""
    has_heir: bool
    """The client has gone, and another one runs its session or ran it since."""


class Truths:
    """The truths of one client in one session."""

    def __init__(self, story: Story, key: Key, coming: Sequence[Arrival]) -> None:
        own = [one for one in story.happenings if one.key == key]
        self.key = key
        self.truths = [one for one in own if isinstance(one, Truth)]
        self.asked = {one.asked: one.at for one in self.truths if one.asked}
        self._begins = [one.at for one in self.truths]
        self._hooks = [one for one in own if isinstance(one, Hook)]
        self._changes = sorted(
            one.at for one in story.happenings if isinstance(one, Registry | Death) and one.key[1] == key[1]
        )
        ends = [one for one in story.happenings if _is_end(one)]
        self._leaves = {pid: _span([one.at for one in ends if one.key[1] == pid]) for pid in PIDS}
        rivals = [one for one in keys(story) if one[0] == key[0] and one != key]
        self._rivals = [(one[1], *_lifetime(story, one)) for one in rivals]
        self._late = [(a.what.at, a.at) for a in coming if isinstance(a.what, Hook) and a.what.key == key]
        self._late_of_all = [(a.what.at, a.at) for a in coming if isinstance(a.what, Hook) and a.what.key[0] == key[0]]
        self._unheard = [_window(stamp, arrives) for stamp, arrives in self._late]

    def at(self, now: float, registered: Mapping[int, Mapping[str, Any]]) -> Sight | None:
        """Return what is true of the client at NOW; None before it has begun."""
        begin = min([now - GRACE, *(since for since, until in self._unheard if since + GRACE <= now < until)])
        first = max(0, bisect_right(self._begins, begin) - 1)
        believable = self.truths[first : bisect_right(self._begins, now + AHEAD)]
        if not believable:
            return None
        entry = registered.get(self.key[1] or 0, {})
        entry = entry if entry.get("sessionId") == self.key[0] else {}
        ended = self.truths[-1].at if self.truths[-1].status in ("ended", "crashed") else NEVER
        return Sight(
            now=now,
            believable=frozenset((one.status, one.asked) for one in believable),
            heard=not any(stamp <= now < arrives for stamp, arrives in self._late),
            all_heard=not any(stamp <= now < arrives for stamp, arrives in self._late_of_all),
            is_picking=entry.get("waitingFor") == "dialog open",
            is_busy=entry.get("status") == "busy",
            compacts=self._compacts(now),
            changed=entry.get("statusUpdatedAt", 0.0) / 1000,
            begins=now < self.truths[0].at + GRACE,
            earlier=([0.0, 0.0] + [at for at in self._changes if at <= now + JITTER])[-2],
            settles=any(now - GRACE < at <= now + AHEAD for at in self._changes),
            is_leaving=ended <= now < ended + END_DELAY + UNREPORTED + GRACE or self._leaves_now(self.key[1], now),
            has_rival=any(begun <= now for _, begun, _ in self._rivals),
            has_heir=ended <= now + AHEAD and self._has_heir(ended, now),
        )

    def _leaves_now(self, pid: int | None, now: float) -> bool:
        """Return whether the process of a client still runs that the registry does not list any more."""
        begun, over = self._leaves.get(pid or 0, (NEVER, NEVER))
        return begun - JITTER <= now <= over

    def _has_heir(self, ended: float, now: float) -> bool:
        """Return whether another client has the session. One that has gone on with a new session counts while it exits:
        no file says then which one it runs.
        """
        return any(
            begun <= now and (until >= ended or self._leaves_now(pid, now)) for pid, begun, until in self._rivals
        )

    def before(self, status: str) -> Truth | None:
        """Return the truth before the first one with this status."""
        for one, following in zip(self.truths, self.truths[1:], strict=False):
            if following.status == status:
                return one
        return None

    def _compacts(self, now: float) -> bool:
        fired = [(one.event["hook_event_name"], one.at) for one in self._hooks if one.at <= now]
        names = [name for name, at in fired if name == "PreCompact" or (name == "PostCompact" and at <= now - GRACE)]
        return names[-1:] == ["PreCompact"]


def keys(story: Story) -> list[Key]:
    return list(dict.fromkeys(one.key for one in story.happenings))


def _window(stamp: float, arrives: float) -> tuple[float, float]:
    """Return the span in which the status from before the hook may still be shown."""
    return stamp - GRACE, min(arrives, stamp + UNREPORTED) + GRACE


def _is_end(one: Happening) -> bool:
    return isinstance(one, Death) or (isinstance(one, Registry) and one.content is None)


def _span(times: Sequence[float]) -> tuple[float, float]:
    return (min(times), max(times)) if times else (NEVER, NEVER)


def _lifetime(story: Story, key: Key) -> tuple[float, float]:
    truths = [one for one in story.happenings if isinstance(one, Truth) and one.key == key]
    return truths[0].at, truths[-1].at if truths[-1].status in ("ended", "crashed") else NEVER
