"""Test what the tray gives pystray to draw, with an icon that records."""

import asyncio
from typing import Any

import pytest

from deskbell.desktop.tray import MENU_AFTER, PystrayTray, pystray_menu
from deskbell.desktop.tray.library import Menu
from deskbell.face import Face
from deskbell.face.actions import Action, Open, Quit, Seen
from deskbell.face.look import Look
from deskbell.face.menu import Item
from deskbell.program.boundary import Boundary
from tests.tray.virtual_time import play

QUIT = (Item("quit", "Quit", Quit()),)


class Panel:
    """An icon that shows what it was given, counts what was drawn, and fails where it is asked to."""

    def __init__(self, broken: str = "") -> None:
        object.__setattr__(self, "broken", broken)
        object.__setattr__(self, "drawn", [])

    def __setattr__(self, name: str, value: object) -> None:
        if name == self.broken:  # type: ignore[attr-defined]
            raise OSError(f"the {name} cannot be drawn")
        if getattr(self, name, None) != value:
            self.drawn.append(name)  # type: ignore[attr-defined]
        object.__setattr__(self, name, value)

    def mend(self) -> None:
        object.__setattr__(self, "broken", "")

    def shows(self) -> tuple[object, object, list[str]]:
        """The picture, the tooltip and the lines of the menu."""
        icon: Any = self
        return icon.icon, icon.title, [item.text for item in icon.menu]


FIRST = Face(Look("quiet", 0, "Nothing is running"), QUIT)
FACES = {
    "another picture": Face(Look("working", 0, "Nothing is running"), QUIT),
    "another number": Face(Look("blocked", 2, "Nothing is running"), QUIT),
    "another tooltip": Face(Look("quiet", 0, "Well"), QUIT),
    "another menu": Face(FIRST.look, (*QUIT, Item("log", "Log", Open("log")))),
    "an equal one": Face(Look("quiet", 0, "Nothing is running"), (Item("quit", "Quit", Quit()),)),
}


def wanted(face: Face) -> tuple[object, object, list[str]]:
    return (face.look.state, face.look.count), face.look.tooltip, [item.text for item in face.menu]


def tray_of(panel: Panel, boundary: Boundary, menu_every: float = 0.0) -> PystrayTray:
    icon: Any = panel
    return PystrayTray(boundary, icon, lambda look: (look.state, look.count), lambda _: None, menu_every=menu_every)


@pytest.mark.parametrize("face", FACES.values(), ids=FACES)
def test_the_panel_shows_the_last_face(face: Face) -> None:
    async def story() -> None:
        panel, boundary = Panel(), Boundary()
        tray = tray_of(panel, boundary)
        tray.show(FIRST)
        assert panel.shows() == wanted(FIRST)
        tray.show(face)
        await asyncio.sleep(1)
        assert panel.shows() == wanted(face)

    play(story())


def test_an_equal_face_is_not_drawn_again() -> None:
    async def story() -> None:
        panel, boundary = Panel(), Boundary()
        tray = tray_of(panel, boundary)
        tray.show(FIRST)
        panel.drawn.clear()  # type: ignore[attr-defined]
        tray.show(FACES["an equal one"])
        await asyncio.sleep(1)
        assert panel.drawn == []  # type: ignore[attr-defined]

    play(story())


@pytest.mark.parametrize("first", [True, False], ids=["the first face", "a later one"])
@pytest.mark.parametrize("part", ["icon", "title", "menu"])
def test_what_could_not_be_drawn_is_drawn_when_an_equal_face_is_shown(part: str, first: bool) -> None:
    """The loop shows the face at every turn; a face that stays the same must not stay undrawn."""
    face = Face(Look("working", 0, "1 running"), (Item("quit", "Leave", Quit()),))

    async def story() -> None:
        panel, boundary = Panel(), Boundary()
        tray = tray_of(panel, boundary)
        if not first:
            tray.show(FIRST)
        object.__setattr__(panel, "broken", part)
        boundary.call("tray", tray.show, face)
        await asyncio.sleep(1)
        assert boundary.broken == {"tray": f"OSError: the {part} cannot be drawn"}
        panel.mend()
        boundary.call("tray", tray.show, face)
        await asyncio.sleep(1)
        assert boundary.broken == {}
        assert panel.shows() == wanted(face)

    play(story())


def test_menus_that_follow_each_other_closely_are_drawn_once() -> None:
    async def story() -> None:
        panel, boundary = Panel(), Boundary()
        tray = tray_of(panel, boundary, menu_every=3 * MENU_AFTER)
        for number in range(60):
            tray.show(Face(FIRST.look, (Item("quit", f"Quit {number}", Quit()),)))
            await asyncio.sleep(MENU_AFTER / 4)
        while panel.shows()[2] != ["Quit 59"]:
            await asyncio.sleep(MENU_AFTER)
        assert panel.drawn.count("menu") < 25  # type: ignore[attr-defined]
        await boundary.stopped()

    asyncio.run(asyncio.wait_for(story(), 20))


def test_after_the_end_no_menu_is_drawn() -> None:
    class Ending(Panel):
        def stop(self) -> None:
            self.drawn.clear()  # type: ignore[attr-defined]

    async def story() -> None:
        panel, boundary = Ending(), Boundary()
        tray = tray_of(panel, boundary)
        tray.show(FIRST)
        tray.show(FACES["another menu"])
        tray.stop()
        await asyncio.sleep(1)
        assert panel.drawn == []  # type: ignore[attr-defined]

    play(story())


def test_a_click_comes_back_as_its_action() -> None:
    clicked: list[Action] = []
    menu = pystray_menu((Item("more", "More", children=QUIT),), clicked.append)
    (more,) = menu
    (item,) = more.submenu
    item(None)
    assert clicked == [Quit()]


def test_opening_the_menu_does_what_the_drawn_face_says() -> None:
    async def story() -> None:
        icon: Any = Panel()
        clicked: list[Action] = []
        tray = PystrayTray(Boundary(), icon, lambda look: look.state, clicked.append, menu_every=0.0)
        seen = [Seen((("a", 1),)), Seen((("b", 2),))]
        tray.show(Face(FIRST.look, QUIT, seen[0]))
        icon.opened()
        tray.show(Face(FIRST.look, (*QUIT, Item("log", "Log", Open("log"))), seen[1]))
        icon.opened()  # the menu of before is still on the panel
        await asyncio.sleep(1)
        icon.opened()
        assert clicked == [seen[0], seen[0], seen[1]]
        tray.show(FIRST)
        await asyncio.sleep(1)
        icon.opened()
        assert clicked == [seen[0], seen[0], seen[1]]

    play(story())


def test_an_item_says_whether_it_is_ticked_and_enabled() -> None:
    items = (
        Item("title", "Needs you"),
        Item("line", ""),
        Item("on", "At login", Quit(), checked=True),
        Item("off", "Muted", Quit(), checked=False),
    )
    title, line, on, off = pystray_menu(items, print)
    assert line is Menu.SEPARATOR or (line.key, line.text) == ("line", "")
    assert (title.enabled, on.checked, off.checked) == (False, True, False)


def test_what_a_click_on_the_icon_does_is_not_in_the_menu() -> None:
    clicked: list[Action] = []
    menu = pystray_menu((Item("click", "Go", Open("board"), hidden=True), *QUIT), clicked.append)
    assert [item.text for item in menu] == ["Quit"]
    menu(None)
    assert clicked == [Open("board")]


def test_every_text_is_safe_to_draw_whoever_wrote_it() -> None:
    """D-Bus refuses a menu with a NUL in it."""
    hostile = "web\0\x1b[2J\x9b\u202e\n2"
    panel = Panel()
    below = Item("a", "All", None, children=(Item("b", hostile, Quit()),))
    tray_of(panel, Boundary()).show(Face(Look("quiet", 0, hostile), (Item("x", hostile, Quit()), below)))
    _, tooltip, texts = panel.shows()
    assert tooltip == "web\n2"
    assert texts == ["web 2", "All"]
    icon: Any = panel
    assert [item.text for item in list(icon.menu)[1].submenu] == ["web 2"]


def test_a_row_keeps_the_mark_and_the_isolates_that_hold_its_direction() -> None:
    row = "\u200e\u2068שלום\u2069 ▸ api"
    assert [item.text for item in pystray_menu((Item("x", row, Quit()),), lambda _: None)] == [row]
