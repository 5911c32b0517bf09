"""Make the tray icon of Windows: pystray's own icon, in the size of the taskbar, with a menu that is built as it opens.

pystray itself destroys and rebuilds the menu at every change, even while it is open.
"""

import ctypes
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

from PIL.Image import Image
from pystray._util import serialized_image, win32

from deskbell.desktop.tray import library, winwish
from deskbell.desktop.tray.rowsigns import words
from deskbell.errors import Problem
from deskbell.face.look import Look
from deskbell.supervision import Supervisor
from deskbell_icons import Panel, Sign, pixels
from deskbell_icons.formats import save_ico

SYSTEM_DPI_AWARE = 1
"""Without this, Windows reports 96 dots per inch for every screen, and enlarges the small icon that it gets."""
LONGEST_TITLE = 127
"""Characters. NOTIFYICONDATA.szTip holds 128 with its end, and pystray raises an error for more."""
LEFT_BUTTON_UP, RIGHT_BUTTON_UP, MIDDLE_BUTTON_UP = 0x0202, 0x0205, 0x0208


class Drawn(NamedTuple):
    """The icon in all sizes of the taskbar. pystray saves it as it saves an image."""

    images: tuple[Image, ...]

    def save(self, file: BinaryIO, format: str) -> None:
        save_ico(self.images, file)


class Icon(library.Icon):  # type: ignore[misc]  # pystray has no types
    _title: str
    _icon_handle: Any = None
    _menu_handle: Any = None
    _menu_open = False
    _stopped = False
    opened: Callable[[], None] = staticmethod(lambda: None)
    guarded: Callable[..., Any] = staticmethod(lambda effect, *args: effect(*args))
    """Calls an effect with its arguments and shows what it raises, which pystray would only log."""

    def _show(self) -> None:
        self._title = self._title[:LONGEST_TITLE]
        super()._show()

    def _assert_icon_handle(self) -> None:
        """Load the icon in the size of the taskbar. pystray would load 32 pixels, which the taskbar then scales."""
        if self._icon_handle:
            return
        size = winwish.icon_size(_user32())
        with serialized_image(self.icon, "ICO") as path:
            self._icon_handle = win32.LoadImage(None, path, win32.IMAGE_ICON, size, size, win32.LR_LOADFROMFILE)

    def _update_title(self) -> None:
        self._title = self._title[:LONGEST_TITLE]
        super()._update_title()

    def _update_menu(self) -> None:
        """Do nothing: `_on_notify` builds the menu when it opens."""

    def _on_notify(self, wparam: Any, lparam: Any) -> None:
        self.guarded(self._on_mouse, wparam, lparam)

    def _on_display_change(self, wparam: Any, lparam: Any) -> None:
        self.guarded(super()._on_display_change, wparam, lparam)

    def _on_taskbarcreated(self, wparam: Any, lparam: Any) -> None:
        self.guarded(super()._on_taskbarcreated, wparam, lparam)

    def _on_stop(self, wparam: Any, lparam: Any) -> None:
        self._stopped = True
        super()._on_stop(wparam, lparam)

    def _mainloop(self) -> None:
        """Run until the icon is stopped. pystray logs an error that ends its loop, and the icon is gone."""
        super()._mainloop()
        if not self._stopped:
            self.guarded(_report_the_end)

    def _on_mouse(self, wparam: Any, lparam: Any) -> None:
        if lparam == MIDDLE_BUTTON_UP:
            self()
        elif lparam in (LEFT_BUTTON_UP, RIGHT_BUTTON_UP) and not self._menu_open:
            super()._update_menu()
            self._menu_open = True
            self.opened()
            try:
                super()._on_notify(wparam, RIGHT_BUTTON_UP)
            finally:
                self._menu_open = False


def _report_the_end() -> None:
    raise Problem("The loop of the icon has ended.", "Start Deskbell again.")


def icon(_supervisor: Supervisor, _hosted: Callable[[bool], None]) -> Icon:
    with suppress(OSError, AttributeError):  # it was set before, or this Windows is too old
        _library("shcore").SetProcessDpiAwareness(SYSTEM_DPI_AWARE)
    return Icon("deskbell", title="Deskbell")


def picture(look: Look) -> Drawn:
    panel: Panel = "contrast" if winwish.full_contrast(_user32()) else "any"
    return Drawn(tuple(pixels.image(look.state, look.count, size, panel) for size in winwish.SIZES))


def _user32() -> Any:
    return _library("user32")


def _library(name: str) -> Any:
    """Return a library of Windows. Only Windows has `ctypes.windll`."""
    return getattr(ctypes.windll, name)  # type: ignore[attr-defined,unused-ignore]


def signed() -> Callable[[Sign], str]:
    return words
