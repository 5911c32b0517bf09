"""Show the icon in a panel of the older kind (XEmbed) if there is no StatusNotifier host, with pystray's GTK icon.

PyGObject from PyPI needs a compiler. So the PyGObject of the system is used, if the system has the same Python.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from deskbell.desktop.tray import PystrayTray
from deskbell.desktop.tray.builder import Clicked
from deskbell.desktop.tray.library import Menu
from deskbell.desktop.tray.panel import has_xembed
from deskbell.errors import Problem
from deskbell.face import Face, Tray
from deskbell.face.look import Look
from deskbell.supervision import Supervisor
from deskbell_icons import pixels

if TYPE_CHECKING:
    from PIL.Image import Image

PART = "spare tray"
SYSTEM_PACKAGES = "/usr/lib/python3/dist-packages"
SIZE = 24
PAUSE = 10.0
"""Seconds until a loop of GTK that ended is run again."""


class Spared:
    """A tray, and a spare one that is used while no host draws the first."""

    def __init__(self, first: Tray, spare: Callable[[], Tray | None]) -> None:
        self._first = first
        self._find_spare = spare
        self._spare: Tray | None = None
        self._face: Face | None = None

    def start(self) -> None:
        self._first.start()

    def show(self, face: Face) -> None:
        self._face = face
        try:
            self._first.show(face)
        finally:
            if self._spare:
                self._spare.show(face)

    def stop(self) -> None:
        self.come_back()
        self._first.stop()

    def fall_back(self) -> bool:
        """Start the spare tray. Return whether there is one. If it raises, there is none."""
        spare = self._spare or self._find_spare()
        if spare and self._face:
            spare.start()
            spare.show(self._face)
        self._spare = spare
        return spare is not None

    def come_back(self) -> None:
        if self._spare:
            self._spare.stop()
            self._spare = None


class GtkTray(PystrayTray):
    pause = PAUSE
    _wanted = False

    def start(self) -> None:
        """Run GTK's loop in a thread of its own, to which pystray passes every call. Raise Problem if none starts.

        Call this in the loop of the program.
        """
        self._loop, self._wanted = asyncio.get_running_loop(), True
        if not self._supervisor.thread(PART, self._run):
            self._wanted = False
            raise Problem("The system starts no more threads.", "Close programs, then start Deskbell again.")

    def stop(self) -> None:
        self._wanted = False
        super().stop()

    def _run(self) -> None:
        """Run GTK's loop until the tray is stopped. pystray logs an error that ends the loop, and returns."""
        try:
            self._icon.run(lambda _: None)
            if self._wanted:
                raise Problem("The loop of GTK has ended.", "The log says why.")
        finally:
            with suppress(RuntimeError):  # the loop is closed: the program has ended
                self._loop.call_soon_threadsafe(self._loop.call_later, self.pause, self._run_again)

    def _run_again(self) -> None:
        """Start another thread for a loop that has ended, and draw everything again, unless the tray was stopped."""
        if not self._wanted:
            return
        self._picture_drawn = self._title_drawn = self._menu_drawn = None
        if not self._supervisor.thread(PART, self._run):
            self._loop.call_later(self.pause, self._run_again)


def tray(supervisor: Supervisor, clicked: Clicked) -> Tray | None:
    """Return the spare tray; None if no panel of this kind runs, or if this Python has no GTK.

    Call this in the loop.
    """
    if not has_xembed(os.environ.get("DISPLAY")):
        return None
    try:
        icon = icon_class(_gtk().Icon, supervisor)("deskbell", title="Deskbell")
    except (ImportError, ValueError):  # no GTK, or another version of it
        return None
    return GtkTray(supervisor, icon, _picture, clicked, lambda key: Menu.SEPARATOR)


def _picture(look: Look) -> Image:
    return pixels.image(look.state, look.count, SIZE)


def icon_class(base: Any, supervisor: Supervisor) -> Any:
    """Return pystray's class for GTK, which is BASE, with what Deskbell needs."""

    class Icon(base):  # type: ignore[misc]  # pystray has no types
        """pystray's icon without its own notifications, which end the icon if no daemon shows them."""

        opened: Callable[[], None] = staticmethod(lambda: None)

        def _on_status_icon_popup_menu(self, *args: Any) -> None:
            """Make the menu before it is shown, so that its ages are those of now."""
            self.opened()
            self._menu_handle = self._create_menu(self.menu)
            super()._on_status_icon_popup_menu(*args)

        def _on_status_icon_activate(self, icon: Any) -> None:
            self._on_status_icon_popup_menu(icon, 0, 0)

        def _initialize(self) -> None:
            self._mark_ready()

        def _finalize(self) -> None:
            self._remove_fs_icon()

    # pystray drops what is raised while it draws, and PyGObject only prints what is raised by a click.
    for name in ("_update_fs_icon", "_create_menu", "_on_status_icon_popup_menu"):
        setattr(Icon, name, supervisor.guarded(PART, getattr(Icon, name)))
    return Icon


def _gtk() -> Any:
    sys.path.append(SYSTEM_PACKAGES)
    try:
        return import_module("pystray._gtk")
    finally:
        with suppress(ValueError):
            sys.path.remove(SYSTEM_PACKAGES)
