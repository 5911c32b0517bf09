"""Make the tray icon of macOS: pystray's own icon, drawn as a template image of black and clear pixels.

macOS colours it for the menu bar, also with increased contrast:
https://developer.apple.com/documentation/appkit/nsimage/istemplate

Every AppKit call is made on the main thread. On recent systems, a call from another thread ends the process.
"""

import io
import signal
import threading
from collections.abc import Callable
from typing import Any

import AppKit
import Foundation
from PIL.Image import Image
from PyObjCTools import AppHelper, MachSignals

from deskbell.desktop.tray import library
from deskbell.desktop.tray.rowsigns import words
from deskbell.errors import Problem
from deskbell.face.look import Look
from deskbell.supervision import Supervisor
from deskbell_icons import Sign, pixels

POINTS = 18
"""The height of an icon in Apple's menu bar."""


class Icon(library.Icon):  # type: ignore[misc]  # pystray has no types
    _menu_handle: Any = None
    opened: Callable[[], None] = staticmethod(lambda: None)
    guarded: Callable[..., Any] = staticmethod(lambda effect, *args: effect(*args))
    """Calls an effect with its arguments and shows what it raises, which PyObjC would only log."""

    def _later(self, effect: Callable[[], None]) -> None:
        AppHelper.callAfter(self.guarded, effect)

    def _handler(self, callback: Callable[..., object]) -> Callable[..., None]:
        """Return what AppKit calls for a click on a row of the menu."""
        handler = super()._handler(callback)
        return lambda *args: self.guarded(handler, *args)

    def _show(self) -> None:
        self._later(super()._show)

    def _hide(self) -> None:
        self._later(super()._hide)

    def _update_icon(self) -> None:
        self._later(self._draw)
        self._icon_valid = True

    def _update_title(self) -> None:
        self._later(super()._update_title)

    def _update_menu(self) -> None:
        self._later(super()._update_menu)

    def on_opening(self) -> None:
        """Write the ages of now into the menu, which AppKit is about to show. Call this on the main thread."""
        if self._menu_handle:
            _write(self._menu_handle[0], self.menu)
        self.opened()

    def _stop(self) -> None:
        """Do nothing: AppKit's loop ends with the program."""

    def _assert_image(self) -> None:
        self._draw()

    def _draw(self) -> None:
        image = AppKit.NSImage.alloc().initWithSize_((POINTS, POINTS))
        for drawn in self._icon:
            png = io.BytesIO()
            drawn.save(png, "png")
            one = AppKit.NSBitmapImageRep.imageRepWithData_(Foundation.NSData(png.getvalue()))
            one.setSize_((POINTS, POINTS))
            image.addRepresentation_(one)
        image.setTemplate_(True)
        self._status_item.button().setImage_(image)


def run(supervisor: Supervisor, program: Callable[[], None], leave: Callable[[], None]) -> None:
    """Run AppKit's loop in this thread, the main one, until PROGRAM has ended in another thread."""
    ended = threading.Event()

    def body() -> None:
        try:
            program()
        finally:
            ended.set()
            AppHelper.callAfter(AppHelper.stopEventLoop)

    if not supervisor.thread("program", body):
        raise Problem("The system starts no more threads.", "Close other programs, then start Deskbell again.")
    # Python's own handlers would need the main thread.
    for number in (signal.SIGINT, signal.SIGTERM):
        MachSignals.signal(number, lambda _: leave())
    AppHelper.runEventLoop()
    ended.wait()


def icon(_supervisor: Supervisor, _hosted: Callable[[bool], None]) -> Any:
    one = Icon("deskbell", title="Deskbell")
    # Sent for the menu, not for submenus:
    # https://developer.apple.com/documentation/appkit/nsmenu/didbegintrackingnotification
    Foundation.NSNotificationCenter.defaultCenter().addObserverForName_object_queue_usingBlock_(
        AppKit.NSMenuDidBeginTrackingNotification, None, None, lambda _: one.guarded(one.on_opening)
    )
    return one


def _write(shown: Any, menu: library.Menu) -> None:
    for row, item in zip(shown.itemArray(), menu, strict=False):
        if not row.isSeparatorItem():
            row.setTitle_(item.text)
        if item.submenu is not None:
            _write(row.submenu(), item.submenu)


def picture(look: Look) -> tuple[Image, ...]:
    """Return the icon for normal and for high-resolution screens. AppKit takes the one that fits."""
    return tuple(pixels.image(look.state, look.count, scale * POINTS, "template") for scale in (1, 2))


def signed() -> Callable[[Sign], str]:
    return words
