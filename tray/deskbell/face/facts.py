"""What does the tray show besides the sessions? Gathered by `app`, given to `look` and `menu`."""

from dataclasses import dataclass
from typing import Literal

HooksState = Literal["installed", "partly", "outdated", "missing", "overwritten", "unreadable"]


@dataclass(frozen=True, slots=True)
class Facts:
    hooks: HooksState = "installed"
    happened: str = ""
    """What the last install, uninstall or repair said."""
    autostart: bool | None = None
    """Whether Deskbell starts at login; None where the system knows no such thing."""
    snoozed_until: float | None = None
    muted: frozenset[str] = frozenset()
    """Ids of the sessions that the person does not want to hear of."""
    problem: str | None = None
    """The one thing that keeps Deskbell from being right."""
