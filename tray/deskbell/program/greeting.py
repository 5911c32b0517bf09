"""Speak to the person about Deskbell itself: the welcome, the missing icon, and messages of clicks.

Called in the loop. A sentence that is shown only once leaves a mark: an empty file in the configuration folder.
"""

import logging
from dataclasses import dataclass

from deskbell.face.actions import Hooks, Open
from deskbell.files.write import create_private, make_private
from deskbell.home import Home
from deskbell.notices.notice import Button, Notice
from deskbell.notices.screen import Notifier
from deskbell_icons import Sign

WELCOMING, ICONLESS = "welcome", "no icon"
"""Slots. What is said in one of them takes the place of what was said there before, and of nothing else."""
GREETED, TOLD_OF_THE_ICON = "greeted", "told-of-the-missing-icon"
"""Names of the marks. Earlier versions have written them: a new name would greet everybody again."""

WELCOME = (
    "Deskbell cannot see your sessions yet. Install its hooks to start: this adds a few entries to Claude Code's "
    "settings.json. Uninstalling restores the file exactly."
)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Greeting:
    home: Home
    screen: Notifier

    def say(self, slot: str, title: str, text: str, *buttons: Button, sign: Sign = "plain") -> None:
        """Show a message. Only its buttons do something: a click on the message itself may be meant to read it."""
        stays = bool(buttons)
        self.screen.show(Notice(slot, (), "idle", title, text, "normal", None, buttons, stays=stays, sign=sign))

    def welcome(self) -> None:
        """Offer to install the hooks, the first time they are missing. Nothing is edited before the person agrees."""
        if self._first_time(GREETED):
            self.offer()

    def offer(self) -> None:
        """Offer to install the hooks, with two buttons: dunst takes a click on a message for one on its only button."""
        buttons = (
            Button("install", "Install", Hooks("install")),
            Button("changes", "Show what changes", Open("changes")),
        )
        self.say(WELCOMING, "Deskbell is here", WELCOME, *buttons, sign="install")

    def settled(self) -> None:
        """Take the offer back: the hooks are there."""
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
            pass  # it will be said again
        return True
