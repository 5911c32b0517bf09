"""What can the person ask for with a click? Each wish is a value; the table that grants them is in `app`."""

from dataclasses import dataclass
from typing import Literal

from deskbell.session import Key

HooksWish = Literal["install", "uninstall", "repair"]


@dataclass(frozen=True, slots=True)
class Jump:
    """To the window, tab and pane of a session."""

    session: Key


@dataclass(frozen=True, slots=True)
class CopyResume:
    """The command that brings the session back, to the clipboard."""

    session: Key


@dataclass(frozen=True, slots=True)
class Details:
    session: Key


@dataclass(frozen=True, slots=True)
class Mute:
    """No notification for this session, or again."""

    session: Key
    muted: bool


@dataclass(frozen=True, slots=True)
class Snooze:
    """No notification until then; None ends it."""

    until: Literal["30m", "1h", "tomorrow"] | None


@dataclass(frozen=True, slots=True)
class Hooks:
    wish: HooksWish


@dataclass(frozen=True, slots=True)
class StartAtLogin:
    on: bool


@dataclass(frozen=True, slots=True)
class Open:
    what: Literal["board", "settings", "log", "doctor", "about"]


@dataclass(frozen=True, slots=True)
class Quit:
    pass


Action = Jump | CopyResume | Details | Mute | Snooze | Hooks | StartAtLogin | Open | Quit
