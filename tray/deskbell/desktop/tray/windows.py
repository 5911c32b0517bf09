"""Make the tray icon of Windows: pystray's own icon, with a menu that is built when it opens.

pystray itself destroys and rebuilds the menu at every change, also while it is open.
"""

from collections.abc import Callable
from typing import Any

from PIL.Image import Image

from deskbell.desktop.tray import library
from deskbell.face.look import Look
from deskbell.supervision import Supervisor
from deskbell_icons import draw

SIZE = 32
LONGEST_TITLE = 127
"""Characters: NOTIFYICONDATA.szTip holds 128 with its end, and pystray raises beyond."""
RIGHT_BUTTON_UP = 0x0205


class Icon(library.Icon):  # type: ignore[misc]  # pystray has no types
    _title: str
    _menu_handle: Any = None
    _menu_open = False
    opened: Callable[[], None] = staticmethod(lambda: None)

    def _show(self) -> None:
        self._title = self._title[:LONGEST_TITLE]
        super()._show()

    def _update_title(self) -> None:
        self._title = self._title[:LONGEST_TITLE]
        super()._update_title()

    def _update_menu(self) -> None:
        """Do nothing before the menu opens."""

    def _on_notify(self, wparam: Any, lparam: Any) -> None:
        if lparam != RIGHT_BUTTON_UP:
            super()._on_notify(wparam, lparam)
        elif not self._menu_open:
            super()._update_menu()
            self._menu_open = True
            self.opened()
            try:
                super()._on_notify(wparam, lparam)
            finally:
                self._menu_open = False


def icon(_supervisor: Supervisor, _hosted: Callable[[bool], None]) -> Icon:
    return Icon("deskbell", title="Deskbell")


def picture(look: Look) -> Image:
    return draw(look.state, look.count, SIZE)
