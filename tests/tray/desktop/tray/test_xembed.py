"""Test the spare tray with fakes: where it fails, that is said. tests/desktop/test_xembed.py shows it in a real panel."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from deskbell.desktop.tray.library import Menu
from deskbell.desktop.tray.xembed import PART, GtkTray, Spared, icon_class
from deskbell.errors import Problem
from deskbell.face import Face, Tray
from deskbell.face.look import Look
from deskbell.program.boundary import Boundary
from tests.limits import NEED_LINUX, no_threads
from tests.waiting import wait_in_loop

FACE = Face(Look("quiet", 0, "Nothing is running"), ())


class Recorded:
    """A tray that records what is called, and fails where it is asked to."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.calls: list[str] = []

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if name == self.broken:
            raise LookupError(name)

    def start(self) -> None:
        self._call("start")

    def show(self, face: Face) -> None:
        self._call("show")

    def stop(self) -> None:
        self._call("stop")


class Gtk:
    """The part of pystray's class for GTK that draws. It raises all the time."""

    def run(self, setup: object) -> None: ...

    def _update_fs_icon(self) -> None:
        raise OSError("No space left on device")

    def _create_menu(self, items: object) -> None:
        raise RuntimeError("no menu")

    def _on_status_icon_popup_menu(self, *_: object) -> None:
        raise RuntimeError("no popup")


def gtk_tray(boundary: Boundary, icon: Any) -> GtkTray:
    return GtkTray(boundary, icon, lambda look: look, print, lambda key: Menu.SEPARATOR)


def test_while_no_host_draws_the_first_tray_the_spare_one_shows_the_face() -> None:
    first, spare = Recorded(), Recorded()
    spared = Spared(first, lambda: spare)
    spared.start()
    spared.show(FACE)
    assert spared.fall_back()
    spared.show(FACE)
    spared.come_back()
    spared.show(FACE)
    spared.stop()
    assert first.calls == ["start", "show", "show", "show", "stop"]
    assert spare.calls == ["start", "show", "show", "stop"]


def test_without_a_spare_tray_there_is_none() -> None:
    assert not Spared(Recorded(), lambda: None).fall_back()


@pytest.mark.parametrize("broken", ["start", "show"])
def test_a_spare_tray_that_does_not_start_is_none_and_is_tried_again_when_asked(broken: str) -> None:
    made = list[Recorded]()

    def find() -> Tray:
        made.append(Recorded(broken if not made else ""))
        return made[-1]

    first = Recorded()
    spared = Spared(first, find)
    spared.show(FACE)
    with pytest.raises(LookupError):
        spared.fall_back()
    spared.show(FACE)
    assert spared.fall_back()
    assert (first.calls, made[1].calls) == (["show", "show"], ["start", "show"])


@NEED_LINUX
def test_a_spare_tray_without_a_thread_does_not_start() -> None:
    async def story() -> None:
        tray = gtk_tray(boundary := Boundary(), Gtk())
        with no_threads(), pytest.raises(Problem, match="no more threads"):
            tray.start()
        assert boundary.broken.keys() == {PART}

    asyncio.run(story())


class Dying(Gtk):
    """Its loop ends as often as it is told, then runs until it is stopped. pystray has logged why it ended."""

    def __init__(self, ends: int) -> None:
        self.ends = ends
        self.runs = 0
        self.drawn: list[str] = []
        self.over = threading.Event()

    def run(self, setup: object) -> None:
        self.runs += 1
        if self.runs > self.ends:
            self.over.wait(20)

    def stop(self) -> None:
        self.over.set()

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name in ("icon", "title", "menu"):
            self.drawn.append(name)


def test_a_loop_of_gtk_that_ends_is_shown_is_run_again_after_a_pause_and_draws_everything_again() -> None:
    async def story() -> None:
        boundary, gtk = Boundary(), Dying(ends=2)
        tray = gtk_tray(boundary, gtk)
        tray.pause = 0.01
        tray.start()
        tray.show(FACE)
        await wait_in_loop(lambda: gtk.runs == 3, "the third run")
        assert boundary.broken == {PART: "The loop of GTK has ended. The log says why."}
        assert boundary.attempts == {PART: 2}
        gtk.drawn.clear()
        tray.show(FACE)
        assert gtk.drawn == ["icon", "title", "menu"]
        tray.stop()
        await wait_in_loop(lambda: PART not in [thread.name for thread in threading.enumerate()], "the end")
        await asyncio.sleep(0.05)
        assert gtk.runs == 3

    asyncio.run(story())


@NEED_LINUX
def test_a_loop_of_gtk_for_which_no_thread_starts_is_tried_again() -> None:
    async def story() -> None:
        boundary, gtk = Boundary(), Dying(ends=1)
        tray = gtk_tray(boundary, gtk)
        tray.pause = 0.05
        tray.start()
        await wait_in_loop(lambda: PART in boundary.broken, "the end of the loop")
        with no_threads():
            await wait_in_loop(lambda: boundary.attempts[PART] > 2, "attempts without a thread")
        await wait_in_loop(lambda: gtk.runs == 2, "the second run")
        tray.stop()

    asyncio.run(story())


@pytest.mark.parametrize(
    ("draw", "why"),
    [
        (lambda icon: icon._update_fs_icon(), "OSError: No space left on device"),
        (lambda icon: icon._create_menu(()), "RuntimeError: no menu"),
        (lambda icon: icon._on_status_icon_activate(None), "RuntimeError: no menu"),
    ],
    ids=["the picture", "the menu", "a click"],
)
def test_what_gtk_would_drop_is_shown(draw: Callable[[Any], None], why: str) -> None:
    async def story() -> None:
        boundary = Boundary()
        icon = icon_class(Gtk, boundary)()
        icon.menu = ()
        seen: list[str] = []
        boundary.changed = lambda: seen.append(boundary.broken[PART])
        draw(icon)
        assert seen[0] == why

    asyncio.run(story())
