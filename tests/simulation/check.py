"""Compare what Deskbell says with what modelled clients truly do, and a fresh look with a running one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deskbell.session import Session
from deskbell.sessions.dialogs import HELD_BACK
from tests.simulation.machine import Machine
from tests.simulation.rings import wrong_rings
from tests.simulation.story import Story
from tests.simulation.truths import GRACE, Sight, Truths, keys
from tests.simulation.weather import Weather

ROUNDED = 0.005
"""Seconds by which the same time may differ once the clock was set."""
UNHEARD: dict[str, frozenset[str]] = {
    "plan": frozenset(("permission",)),
    "input": frozenset(("question",)),
    "background": frozenset(("working", "idle")),
    "error": frozenset(("idle",)),
}
"""What may be said instead while hooks are missing: the registry has one kind of dialog for several requests."""
AT_REST = frozenset(("idle", "new", "interrupted", "error"))
ANYONES = AT_REST | {"working", "background"}
"""The statuses that may be shown of a session that two clients run, while hooks are missing."""


class Wrong(NamedTuple):
    at: float
    what: str


def wrongs(root: Path, story: Story, weather: Weather) -> Iterator[list[Wrong]]:
    """Yield what is wrong at each moment, and at the end the requests that did not ring exactly once."""
    machine = Machine(root, story, weather)
    clients = [Truths(story, key, machine.coming) for key in keys(story)]
    for now, seen, fresh, registered, began in machine.moments():
        found = []
        for client in clients:
            if sight := client.at(now, registered):
                looks = _of(client, seen), _of(client, fresh)
                found += [f"{client.key[1]}: {what}" for what in _errors(client, sight, began, *looks)]
        yield [Wrong(now - story.begun, what) for what in found]
    if not weather.restarts:
        rings = [one for client in clients for one in wrong_rings(client, machine.bell.rung, now)]
        if rings:
            yield [Wrong(at - story.begun, what) for at, what in rings]


def _of(client: Truths, sessions: Sequence[Session]) -> Session | None:
    return next((one for one in sessions if one.key == client.key), None)


def _errors(
    client: Truths, sight: Sight, began: float, running: Session | None, fresh: Session | None
) -> Iterator[str]:
    right = ", ".join(f"{status} {asked}".strip() for status, asked in sorted(sight.believable))
    for look, said, saw_from in (("running", running, began), ("fresh", fresh, sight.now)):
        if not _is_right(client, sight, saw_from, said):
            yield f"the {look} look says {_words(said)}; right is {right}"
    if differs := difference(sight, running, fresh):
        yield f"the running look says {_words(running)}, a fresh one {_words(fresh)}: {differs}"


def _words(said: Session | None) -> str:
    return f"{said.status} {said.detail} ({said.reason}) since {said.since:.2f}" if said else "nothing"


def difference(sight: Sight, running: Session | None, fresh: Session | None) -> str:
    """Return the first field in which the looks differ. They must not: a fresh look sees all that a running one knows."""
    if (
        sight.settles
        or (sight.is_leaving and not sight.heard)
        or (sight.has_heir and all(one is None or one.over for one in (running, fresh)))
    ):
        return ""
    if running is None or fresh is None:
        one = running or fresh
        return "" if one is None or one.status == "ended" else "nothing"
    for name in ("status", "detail"):
        if getattr(running, name) != getattr(fresh, name):
            return name
    if abs((running.turn_started or 0.0) - (fresh.turn_started or 0.0)) > ROUNDED:
        return "turn_started"
    return "since" if abs(running.since - fresh.since) > GRACE and running.status != "ended" else ""


def _is_right(client: Truths, sight: Sight, saw_from: float, said: Session | None) -> bool:
    true = {status for status, _ in sight.believable}
    unwatched = "crashed" in true and sight.has_rival and saw_from >= client.truths[-1].at  # the rival may be its heir
    if said is None:
        return "ended" in true or sight.has_heir or sight.begins or unwatched
    if (sight.has_heir or unwatched) and said.status == "ended":
        return True
    return said.status in _allowed(client, sight, saw_from, true) and _names_what_is_asked(client, sight, said)


def _allowed(client: Truths, sight: Sight, saw_from: float, true: set[str]) -> set[str]:
    allowed = set(true)
    if len(sight.believable) > 1:  # between two statuses; neither of these rings
        allowed |= {"working", *(["idle"] if "background" in true else [])}
    # A late hook brings back a client whose session another one runs, for as long as its SessionEnd may come.
    if sight.is_leaving and (not sight.heard or sight.has_rival) and (last := client.before("ended")):
        allowed |= {last.status, "working", *AT_REST}
        if saw_from > sight.earlier:  # it does not know that the client was in the registry
            allowed |= {truth.status for truth in client.truths}
    if "ended" in true and not sight.heard and (sight.has_rival or _was_interrupted(client)):
        allowed.add("crashed")  # Escape before the first token leaves no line, so it may have been in its turn
    if sight.is_picking and "background" in true:  # the registry shows the dialog, and no Stop reported the shell
        allowed.add("idle")
    if not sight.heard:
        allowed = allowed.union(*(UNHEARD.get(status, frozenset()) for status in allowed))
    if not sight.heard and len(sight.believable) > 1:  # the status of the newest hook, until the hooks count as silent
        allowed |= AT_REST
    if sight.settles and saw_from > sight.earlier:  # a Stop may still arrive: it did not see the person's own dialog
        allowed.add("working")
    if sight.is_busy and not sight.heard:  # a subagent that no hook reported keeps its client busy
        allowed.add("working")
    if sight.has_rival and not sight.all_heard and allowed & ANYONES:  # only a hook tells whose turn it is
        allowed |= ANYONES | ({"input"} if sight.is_picking else set())
    if sight.compacts and sight.is_busy and not sight.heard:  # the busy subagent hides that it began
        allowed |= {"error", "interrupted", "background"}
    return allowed


def _was_interrupted(client: Truths) -> bool:
    last = client.before("ended")
    return last is not None and last.status == "interrupted"


def _names_what_is_asked(client: Truths, sight: Sight, said: Session) -> bool:
    """A wrong command is never right; an unknown one is right only while hooks are missing.

    While they are, a request that a hook approved just before the dialog looks like one that the client held back.
    """
    asked = {asked for _, asked in sight.believable if asked}
    if said.status not in ("permission", "question", "input", "plan") or not asked:
        return True
    named = client.asked.keys() & set(said.detail.split(": "))
    if not sight.heard:
        return all(one in asked or client.asked[one] > sight.changed - HELD_BACK for one in named)
    return bool(named & asked) if named else len(sight.believable) > 1
