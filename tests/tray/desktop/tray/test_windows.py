"""Test that what the icon of Windows raises is shown, with a stand-in for pystray's icon: pystray itself only logs it."""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from deskbell.desktop.tray.library import PANEL
from tests.tray.desktop.tray.standing_in import loaded, shown


class Theirs:
    """The part of pystray's class that Windows calls. It records, and what is in `broken` raises."""

    def __init__(self, *broken: str) -> None:
        self.broken = broken
        self.calls: list[str] = []

    def called(self, name: str) -> None:
        self.calls.append(name)
        if name in self.broken:
            raise OSError(f"no {name}")

    def run_detached(self, setup: object) -> None: ...

    def _update_menu(self) -> None:
        self.called("menu")

    def _on_notify(self, wparam: int, lparam: int) -> None:
        self.called("popup")

    def _on_display_change(self, wparam: int, lparam: int) -> None:
        self.called("display")

    def _on_taskbarcreated(self, wparam: int, lparam: int) -> None:
        self.called("taskbar")

    def _on_stop(self, wparam: int, lparam: int) -> None:
        self.called("stop")

    def _mainloop(self) -> None:
        self.called("loop")

    def __call__(self) -> None:
        self.called("click")


@pytest.fixture(scope="module")
def system() -> Iterator[Any]:
    with loaded("windows", Theirs, ModuleType("pystray._util.win32")) as windows:
        yield windows


def clicked(icon: Any, system: Any) -> None:
    icon._on_notify(0, system.RIGHT_BUTTON_UP)


def middle(icon: Any, system: Any) -> None:
    icon._on_notify(0, system.MIDDLE_BUTTON_UP)


def resized(icon: Any, system: Any) -> None:
    icon._on_display_change(0, 0)


def restarted(icon: Any, system: Any) -> None:
    icon._on_taskbarcreated(0, 0)


CALLS: dict[str, Callable[[Any, Any], None]] = {
    "menu": clicked,
    "popup": clicked,
    "click": middle,
    "display": resized,
    "taskbar": restarted,
}


@pytest.mark.parametrize("broken", CALLS)
def test_what_pystray_would_only_log_is_shown(system: Any, broken: str) -> None:
    icon = system.Icon(broken)
    assert shown(icon, lambda: CALLS[broken](icon, system)) == {PANEL: f"OSError: no {broken}"}
    assert broken in icon.calls


@pytest.mark.parametrize("call", CALLS)
def test_what_works_is_passed_on_and_shows_nothing(system: Any, call: str) -> None:
    icon = system.Icon()
    assert shown(icon, lambda: CALLS[call](icon, system)) == {}
    assert call in icon.calls


def test_a_menu_that_could_not_be_opened_can_be_opened_again(system: Any) -> None:
    icon = system.Icon("popup")

    def twice() -> None:
        clicked(icon, system)
        icon.broken = ()
        clicked(icon, system)

    assert shown(icon, twice) == {PANEL: "OSError: no popup"}
    assert icon.calls == ["menu", "popup", "menu", "popup"]


def test_a_menu_is_opened_once_at_a_time_and_that_is_told(system: Any) -> None:
    icon, told = system.Icon(), list[str]()

    def open_it() -> None:
        icon.opened = lambda: (told.append("opened"), clicked(icon, system))
        clicked(icon, system)

    assert shown(icon, open_it) == {}
    assert (told, icon.calls) == (["opened"], ["menu", "popup"])


def test_a_loop_that_ends_though_nobody_stopped_the_icon_is_shown(system: Any) -> None:
    icon = system.Icon()
    assert shown(icon, icon._mainloop) == {PANEL: "The loop of the icon has ended. Start Deskbell again."}


def test_a_loop_that_ends_because_the_icon_was_stopped_is_not(system: Any) -> None:
    icon = system.Icon()
    icon._on_stop(0, 0)
    assert shown(icon, icon._mainloop) == {}
    assert icon.calls == ["stop", "loop"]
