"""Compare what Deskbell says with what a modelled client truly does."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from deskbell.session import Session
from deskbell.sessions.dialogs import HELD_BACK
from tests.simulation.client import Client, Truth, readable
from tests.simulation.machine import Machine, Moment, Weather

Look = Literal["running", "fresh"]

UNHEARD: dict[str, frozenset[str]] = {
    "plan": frozenset(("permission",)),
    "input": frozenset(("question",)),
    "background": frozenset(("working", "idle")),
    "error": frozenset(("idle",)),
}
"""What may be said instead while hooks are missing: the registry has one kind of dialog for several requests."""


class Wrong(NamedTuple):
    at: float
    look: Look
    said: str
    right: str


def wrongs(root: Path, client: Client, weather: Weather) -> Iterator[Wrong]:
    """Yield every moment at which a look is wrong."""
    for moment in Machine(root, client, weather).moments():
        looks: list[tuple[Look, Sequence[Session]]] = [("running", moment.seen), ("fresh", moment.fresh)]
        for look, sessions in looks:
            said = sessions[0] if sessions else None
            if moment.believable and not _is_right(client, moment, look, said):
                right = ", ".join(f"{status} {asked}".strip() for status, asked in sorted(moment.believable))
                words = f"{said.status} {said.detail} ({said.reason})" if said else "nothing"
                yield Wrong(moment.now - client.begun, look, words, right)


def report(client: Client, wrong: Wrong) -> str:
    return f"{wrong.at:.2f} s: the {wrong.look} look says {wrong.said}; right is {wrong.right}\n{readable(client)}"


def _is_right(client: Client, moment: Moment, look: Look, said: Session | None) -> bool:
    true = {status for status, _ in moment.believable}
    if "ended" in true and (look == "fresh" or not moment.heard):
        return True  # its file is gone and its SessionEnd has not come: a fresh look cannot know, another one waits
    if said is None:
        return "ended" in true
    if said.status == "crashed" and any(one.since != said.since for one in moment.seen if one.status == "crashed"):
        return False  # every look dates a crash alike
    return said.status in _allowed(moment, look, true) and _names_what_is_asked(client, moment, said)


def _allowed(moment: Moment, look: Look, true: set[str]) -> set[str]:
    allowed = set(true)
    if len(moment.believable) > 1:  # between two statuses; neither of these rings
        allowed |= {"working", *(["idle"] if "background" in true else [])}
    if moment.is_picking and "background" in true:  # the registry shows the dialog, and no Stop reported the shell
        allowed.add("idle")
    if not moment.heard:
        allowed = allowed.union(*(UNHEARD.get(status, frozenset()) for status in allowed))
    if (
        look == "fresh" and moment.settles
    ):  # a Stop may still arrive, and a fresh look does not know since when it waits
        allowed.add("working")
    if moment.is_busy and not moment.heard:  # a subagent that no hook reported keeps its client busy
        allowed.add("working")
    if moment.compacts and moment.is_busy and not moment.heard:  # beside a subagent nothing shows that it began
        allowed |= {"error", "interrupted"}
    if look == "fresh" and not moment.heard:  # a picker looks like any dialog to one who saw nothing before it
        allowed.add("input")
    return allowed


def _names_what_is_asked(client: Client, moment: Moment, said: Session) -> bool:
    """A wrong command is never right; an unknown one is right only while hooks are missing.

    Then a request that a hook approved just before the dialog looks like one that the client held back.
    """
    asked = {asked for _, asked in moment.believable if asked}
    if said.status not in ("permission", "question", "input", "plan") or not asked:
        return True
    every = {one.asked: one.at for one in client.happenings if isinstance(one, Truth) and one.asked}
    named = every.keys() & set(said.detail.split(": "))
    if not moment.heard:
        return all(one in asked or every[one] > moment.changed - HELD_BACK for one in named)
    return bool(named & asked) if named else len(moment.believable) > 1
