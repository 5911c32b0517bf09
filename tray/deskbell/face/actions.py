"""Define the actions that a click can ask for, in the menu, on the icon or on a notification.

Pure. Each action is a value; `deskbell.program.clicks` carries it out. Keys of the board in the terminal ask for some
of them, too; `deskbell.commands._hands` carries those out.
"""

from dataclasses import dataclass, replace
from typing import Literal

from deskbell.session import Key

HooksWish = Literal["install", "uninstall", "repair"]


@dataclass(frozen=True, slots=True)
class Jump:
    """Bring the window, the tab and the pane of a running session to the front."""

    session: Key
    token: str | None = None
    """The activation token of the click, which lets a window come to the front; None where the desktop gives none."""


@dataclass(frozen=True, slots=True)
class Attach:
    """Open a terminal that shows a running session, which no terminal shows now, as in a detached tmux."""

    session: Key


@dataclass(frozen=True, slots=True)
class CopyResume:
    """Copy the command that resumes the session to the clipboard.

    Only for a session that has ended or crashed: for a running one it would start a second client on the same id.
    """

    session: Key


@dataclass(frozen=True, slots=True)
class Resume:
    """Open a terminal in which the session goes on. Only for one that has ended or crashed, as CopyResume."""

    session: Key


@dataclass(frozen=True, slots=True)
class Seen:
    """Take the crashes of these sessions off the board after a while: the person has opened the menu."""

    sessions: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Take the crashes of these sessions off the board."""

    sessions: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Details:
    """Show what is known of the session."""

    session: Key


@dataclass(frozen=True, slots=True)
class Answer:
    """Choose one of the answers to a request. It can reach no other request."""

    session: Key
    code: str
    """Names the request: see `deskbell.asking`."""
    choice: str
    text: str | None = None
    """What the person typed."""
    step: int = 0
    """The step of the request that was shown."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Type a text into the prompt of a session whose turn is over."""

    session: Key
    text: str | None = None
    """What the person has typed; None until then."""
    turn: float | None = None
    """When the turn began that it follows; None if that is not known."""


@dataclass(frozen=True, slots=True)
class Mute:
    """Stop notifications for this session, or allow them again."""

    session: Key
    muted: bool


@dataclass(frozen=True, slots=True)
class Later:
    """Be quiet about this session for ten minutes, or end that."""

    session: Key
    on: bool


@dataclass(frozen=True, slots=True)
class Snooze:
    """Hold back all notifications for this long; None ends the snooze."""

    until: Literal["30m", "1h", "tomorrow"] | None


@dataclass(frozen=True, slots=True)
class Hooks:
    """Install, uninstall or repair the hooks."""

    wish: HooksWish


@dataclass(frozen=True, slots=True)
class Answers:
    """Allow answers to permissions, questions and plans from outside of the terminal, or switch them off."""

    on: bool


@dataclass(frozen=True, slots=True)
class StartAtLogin:
    """Start Deskbell at login, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class Open:
    """Open the board, a page, or one of Deskbell's own files."""

    what: Literal["board", "settings", "log", "doctor", "changes", "about"]


@dataclass(frozen=True, slots=True)
class Quit:
    """End Deskbell."""


Action = (
    Jump
    | Attach
    | CopyResume
    | Resume
    | Seen
    | Dismiss
    | Details
    | Answer
    | Reply
    | Mute
    | Later
    | Snooze
    | Hooks
    | Answers
    | StartAtLogin
    | Open
    | Quit
)

Worded = Answer | Reply
"""The actions that take a text of the person, in their field `text`."""


def with_token(action: Action, token: str | None) -> Action:
    """Return ACTION with the activation token of the click on it."""
    return replace(action, token=token) if isinstance(action, Jump) else action
