"""Which icon does this system get, and what is new about it? pystray everywhere, on Linux with a backend of our own."""

import asyncio
import sys
import time
from collections.abc import Callable, Sequence

from deskbell.desktop.tray.library import FixedMenu, Icon, KeyedItem, Menu, MenuItem, separator
from deskbell.face import Face, Tray
from deskbell.face.actions import Action
from deskbell.face.look import Look
from deskbell.face.menu import Item

MENU_AFTER = 0.02
"""Seconds: the icon is what people look at, and a menu of hundreds of items must not make it wait."""
MENU_EVERY = 0.5
"""Seconds from one change of the menu to the next in the long run: nobody reads faster."""
MENUS_AT_ONCE = 5
"""So many changes that follow each other closely are shown one by one, before that."""

Clicked = Callable[[Action], None]
Hosted = Callable[[bool], None]
Separator = Callable[[str], MenuItem]


class SilentTray:
    """Where there is no tray, or none is wanted."""

    def start(self) -> None:
        """Nothing is there to be started."""

    def show(self, face: Face) -> None:
        """Nobody looks."""

    def stop(self) -> None:
        """Nothing was started."""


class PystrayTray:
    def __init__(
        self,
        icon: Icon,
        picture: Callable[[Look], object],
        clicked: Clicked,
        separator: Separator = separator,
        menu_every: float = MENU_EVERY,
    ) -> None:
        self._icon = icon
        self._picture = picture
        self._clicked = clicked
        self._separator = separator
        self._face: Face | None = None
        self._coming: asyncio.TimerHandle | None = None
        self._menu_every = menu_every
        self._menu_due = float("-inf")

    def start(self) -> None:
        self._icon.run_detached(setup=lambda _: None)  # it becomes visible with its first face

    def show(self, face: Face) -> None:
        """Equal value, no call."""
        before, self._face = self._face, face
        if before is None or _picture_key(before.look) != _picture_key(face.look):
            self._icon.icon = self._picture(face.look)
        if before is None or before.look.tooltip != face.look.tooltip:
            self._icon.title = face.look.tooltip
        if before is None:
            self._show_menu()
        elif before.menu != face.menu and not self._coming:
            wait = max(MENU_AFTER, self._menu_due - time.monotonic())
            self._coming = asyncio.get_running_loop().call_later(wait, self._show_menu)
        self._icon.visible = True

    def stop(self) -> None:
        if self._coming:
            self._coming.cancel()
        self._icon.stop()

    def _show_menu(self) -> None:
        self._coming = None
        self._menu_due = max(self._menu_due, time.monotonic() - MENUS_AT_ONCE * self._menu_every) + self._menu_every
        if self._face:
            self._icon.menu = pystray_menu(self._face.menu, self._clicked, self._separator)


def tray(clicked: Clicked, hosted: Hosted) -> Tray:
    """`clicked` is called in whatever thread the system clicks; `hosted` says whether a panel draws the icon."""
    if sys.platform == "linux":
        from deskbell.desktop.tray import linux as system
    elif sys.platform == "darwin":
        from deskbell.desktop.tray import macos as system
    elif sys.platform == "win32":
        from deskbell.desktop.tray import windows as system
    else:
        return SilentTray()
    return PystrayTray(system.icon(hosted), system.picture, clicked)


def run(program: Callable[[], None], leave: Callable[[], None]) -> None:
    """In the thread that the system leaves to it: macOS wants the main one for itself.

    `leave` asks the program to end, from any thread.
    """
    if sys.platform == "darwin":
        from deskbell.desktop.tray import macos

        macos.run(program, leave)
    else:
        program()


def pystray_menu(items: Sequence[Item], clicked: Clicked, separator: Separator = separator) -> Menu:
    return FixedMenu(*(_pystray_item(item, clicked, separator) for item in items))


def _pystray_item(item: Item, clicked: Clicked, separator: Separator) -> MenuItem:
    if not item.text:
        return separator(item.key)
    action = pystray_menu(item.children, clicked, separator) if item.children else _wish(item.action, clicked)
    return KeyedItem(item.key, item.text, action, checked=item.checked, hidden=item.hidden, enabled=item.enabled)


def _wish(action: Action | None, clicked: Clicked) -> Callable[[Icon], None] | None:
    return None if action is None else lambda _: clicked(action)


def _picture_key(look: Look) -> tuple[str, int]:
    return look.state, look.count
