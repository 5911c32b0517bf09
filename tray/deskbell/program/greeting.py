"""Show notifications about Deskbell itself: the welcome, the missing icon, and messages of clicks.

Called in the loop. For a message that is shown only once, an empty file in the configuration folder is the mark.
"""

import logging
from dataclasses import dataclass, field

from deskbell.board import Board
from deskbell.face.actions import Hooks, Open
from deskbell.files.write import create_private, make_private
from deskbell.home import Home
from deskbell.notices.notice import Button, Notice
from deskbell.notices.screen import Notifier
from deskbell_icons import Sign

WELCOMING, ICONLESS, BOARD = "welcome", "no icon", "board"
"""Slots. A message replaces the last one in its slot, and no other."""
GREETED, TOLD_OF_THE_ICON = "greeted", "told-of-the-missing-icon"
"""Names of the marks. They must not change, or everybody would be greeted again."""

WELCOME = (
    "Deskbell cannot see your sessions yet. Install its hooks to start: this adds a few entries to Claude Code's "
    "settings.json. Uninstalling restores the file exactly."
)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Greeting:
    """The messages of Deskbell about itself."""

    home: Home
    screen: Notifier
    _counted: list[object] = field(default_factory=list)
    """The sessions that the message in BOARD has counted, or nothing until they are known; empty without a message."""

    def say(self, slot: str, title: str, text: str, *buttons: Button, sign: Sign = "plain") -> None:
        """Show a message. A click on the text does nothing, because it may be meant to read it; only buttons act."""
        stays = bool(buttons)
        if slot == BOARD:
            self._counted[:] = [None]
        self.screen.show(Notice(slot, (), "idle", title, text, "normal", None, buttons, stays=stays, sign=sign))

    def follow(self, board: Board) -> None:
        """Take back the message that counts the sessions, as a second start shows it, once BOARD is another one."""
        now = [(one.key, one.status) for one in board.sessions]
        if self._counted == [None]:
            self._counted[:] = [now]
        elif self._counted and self._counted != [now]:
            self._counted.clear()
            self.screen.withdraw(BOARD)

    def welcome(self) -> None:
        """Offer to install the hooks the first time they are missing. Nothing is changed before the person agrees."""
        if self._first_time(GREETED):
            self.offer()

    def offer(self) -> None:
        """Offer to install the hooks. With only one button, dunst would take a click on the text for a click on it."""
        buttons = (
            Button("install", "Install", Hooks("install")),
            Button("changes", "Show what changes", Open("changes")),
        )
        self.say(WELCOMING, "Deskbell is here", WELCOME, *buttons, sign="install")

    def settled(self) -> None:
        """Take the offer back, because the hooks are installed."""
        self.screen.withdraw(WELCOMING)

    def without_icon(self, why: str) -> None:
        log.warning(why)
        if self._first_time(TOLD_OF_THE_ICON):
            self.say(ICONLESS, "Deskbell has no icon here", why, sign="error")

    def with_icon(self) -> None:
        self.screen.withdraw(ICONLESS)

    def _first_time(self, mark: str) -> bool:
        path = self.home.config / mark
        try:
            make_private(path.parent)
            create_private(path, b"")
        except FileExistsError:
            return False
        except OSError:
            pass  # the message will be shown again at the next start
        return True
