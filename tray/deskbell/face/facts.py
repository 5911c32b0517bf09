"""Define what the panel shows besides the sessions: the state of Deskbell itself, and how much room there is.

`deskbell.program.assembly` gathers the Facts, and `look` and `menu` read them. For the board in the terminal,
`deskbell.commands._around` gathers them, and `deskbell.cards` reads them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from deskbell.face.room import OTHERS, Room
from deskbell.usage import Usage

PROBLEM = 80
"""Characters of a problem, in the tooltip and in the menu."""

HooksState = Literal["installed", "partly", "outdated", "missing", "overwritten", "unreadable", "unknown"]
"""`unknown`: not examined yet, or the examination failed."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the panel shows besides the sessions."""

    hooks: HooksState = "unknown"
    happened: str = ""
    """The result of the last install, uninstall or repair, in one sentence."""
    answers: bool | None = None
    """Whether requests can be answered from outside of the terminal; None if that is not known."""
    autostart: bool | None = None
    """Whether Deskbell starts at login; None if the system cannot do that."""
    snoozed_until: float | None = None
    """Seconds since the epoch."""
    muted: frozenset[str] = frozenset()
    """Ids of the sessions that the person has muted."""
    later: Mapping[str, float] = field(default_factory=dict)
    """Ids of the sessions that the person silenced with *Later*, and until when."""
    room: Room = OTHERS
    """How much room the menu has."""
    replies: bool = False
    """Whether a session whose turn is over takes a reply from outside of its terminal."""
    usages: tuple[Usage, ...] = ()
    """How much of its limits each account has used, as far as that is known."""
    problem: str | None = None
    """What does not work, in one sentence; None if everything works."""
