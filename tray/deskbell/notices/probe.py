"""Check that a session can be shown: its place in the order, its row, and the words of its notification. Pure.

Every changed session is checked. A plain one takes the place of one that fails, so that the code that draws, counts or
rings for many sessions needs no guard for each of them.
"""

from types import UnionType
from typing import Literal, NamedTuple, get_args, get_origin, get_type_hints

from deskbell.face.facts import Facts
from deskbell.face.rows import rows
from deskbell.notices.words import words
from deskbell.session import URGENCY, Group, Session

LARGEST = 1e15
"""No time, count or amount of a session is larger."""
RINGING: tuple[Group, ...] = ("needs_you", "crashed")
"""The groups of the statuses that may ring."""


def _kinds(hint: object) -> tuple[type, ...]:
    """Return the types of the values that a field with this annotation may hold."""
    parts = [get_origin(part) or part for part in (get_args(hint) if isinstance(hint, UnionType) else (hint,))]
    plain = [str if part is Literal else part for part in parts]
    return (*plain, int) if float in plain else tuple(plain)


_KINDS = {name: _kinds(hint) for name, hint in get_type_hints(Session).items()}
_FACTS = Facts()


class _Everything(NamedTuple):
    """The settings that show most. The policy itself would load pydantic, which `deskbell list` does not need."""

    details: bool = True
    branch: bool = True
    length: int = 2000


def probe(session: Session, now: float) -> None:
    """Raise what showing SESSION would raise; ValueError or TypeError if a field has a wrong value."""
    for name, kinds in _KINDS.items():
        value = getattr(session, name)
        if not isinstance(value, kinds):
            raise TypeError(f"its {name} is of the type {type(value).__name__}")
        if isinstance(value, int | float) and not abs(value) < LARGEST:
            raise ValueError(f"its {name} is out of range")
    if session.status not in URGENCY:
        raise ValueError("its status is unknown")
    rows([session], _FACTS, now, {})
    if session.group in RINGING or session.stalled:
        words(session, _Everything(), now)
