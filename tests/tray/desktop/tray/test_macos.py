"""Test that what the icon of macOS raises is shown, with stand-ins for AppKit and pystray: PyObjC itself only logs it."""

from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from deskbell.desktop.tray.library import PANEL
from deskbell.program.boundary import Boundary
from tests.tray.desktop.tray.standing_in import loaded, shown


class Theirs:
    """The part of pystray's class that AppKit calls. It records, and what is in `broken` raises."""

    def __init__(self, *broken: str, title: str = "") -> None:
        self.broken = broken
        self.calls: list[str] = []
        self.menu = ()

    def called(self, name: str) -> None:
        self.calls.append(name)
        if name in self.broken:
            raise OSError(f"no {name}")

    def run_detached(self, setup: object) -> None: ...

    def _show(self) -> None:
        self.called("show")

    def _hide(self) -> None:
        self.called("hide")

    def _update_title(self) -> None:
        self.called("title")

    def _update_menu(self) -> None:
        self.called("menu")

    def _handler(self, callback: Callable[[Any], None]) -> Callable[[Any], None]:
        return callback


class MainThread:
    """Calls what is passed to it at once, and records what AppKit reports when a menu opens."""

    def __init__(self) -> None:
        self.opening: Callable[[object], None] = print

    def callAfter(self, effect: Callable[..., None], *arguments: object) -> None:
        effect(*arguments)

    def defaultCenter(self) -> "MainThread":
        return self

    def addObserverForName_object_queue_usingBlock_(self, *words: Any) -> None:
        self.opening = words[-1]


@pytest.fixture(scope="module")
def main_thread() -> MainThread:
    return MainThread()


@pytest.fixture(scope="module")
def system(main_thread: MainThread) -> Iterator[Any]:
    given: dict[str, dict[str, Any]] = {
        "AppKit": {"NSMenuDidBeginTrackingNotification": "opens"},
        "Foundation": {"NSNotificationCenter": main_thread},
        "PyObjCTools": {"AppHelper": main_thread, "MachSignals": SimpleNamespace()},
    }
    modules = [ModuleType(name) for name in given]
    for module in modules:
        vars(module).update(given[module.__name__])
    with loaded("macos", Theirs, *modules) as macos:
        yield macos


CALLS: dict[str, Callable[[Any], None]] = {
    "show": lambda icon: icon._show(),
    "hide": lambda icon: icon._hide(),
    "title": lambda icon: icon._update_title(),
    "menu": lambda icon: icon._update_menu(),
    "click": lambda icon: icon._handler(lambda one: one.called("click"))(icon),
}


@pytest.mark.parametrize("broken", CALLS)
def test_what_appkit_would_only_log_is_shown(system: Any, broken: str) -> None:
    icon = system.Icon(broken)
    assert shown(icon, lambda: CALLS[broken](icon)) == {PANEL: f"OSError: no {broken}"}


@pytest.mark.parametrize("call", CALLS)
def test_what_works_is_passed_on_and_shows_nothing(system: Any, call: str) -> None:
    icon = system.Icon()
    assert shown(icon, lambda: CALLS[call](icon)) == {}
    assert icon.calls == [call]


def test_a_picture_that_cannot_be_drawn_is_shown(system: Any) -> None:
    """The stand-in for AppKit has no images."""
    icon = system.Icon()
    assert shown(icon, icon._update_icon)[PANEL].startswith("AttributeError: ")


def test_an_error_while_the_menu_opens_is_shown(system: Any, main_thread: MainThread) -> None:
    icon, told = system.icon(Boundary(), print), list[str]()

    def open_it() -> None:
        icon.opened = lambda: told.append("opened")
        main_thread.opening("opens")
        icon._menu_handle = (object(), ())
        main_thread.opening("opens")

    assert shown(icon, open_it)[PANEL].startswith("AttributeError: 'object' object has no attribute 'itemArray'")
    assert told == ["opened"]
