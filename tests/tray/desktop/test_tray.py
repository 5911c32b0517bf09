"""Test what the tray gives pystray to draw, with an icon that records."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from deskbell.desktop.tray import MENU_AFTER, MENU_EVERY, READ_FOR, WORDS_EVERY, PystrayTray
from deskbell.face import Face
from deskbell.face.actions import Action, Jump, Open, Quit, Seen
from deskbell.face.item import Item
from deskbell.face.look import Look
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


def tray_of(
    panel: Panel, boundary: Boundary, clicked: Callable[[Action], None] = print, words_every: float = MENU_EVERY
) -> PystrayTray:
    """Call this in a story in virtual time."""
    icon: Any = panel
    clock = asyncio.get_running_loop().time
    return PystrayTray(
        boundary, icon, lambda look: (look.state, look.count), clicked, clock=clock, words_every=words_every
    )


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
        tray = tray_of(panel, boundary)
        for number in range(60):
            tray.show(Face(FIRST.look, (Item("quit", f"Quit {number}", Quit()),)))
            await asyncio.sleep(MENU_EVERY / 10)
        await asyncio.sleep(MENU_EVERY)
        assert panel.shows()[2] == ["Quit 59"]
        assert panel.drawn.count("menu") in (7, 8)  # type: ignore[attr-defined]

    play(story())


def test_a_single_change_is_drawn_at_once() -> None:
    async def story() -> None:
        panel, boundary = Panel(), Boundary()
        tray = tray_of(panel, boundary)
        tray.show(FIRST)
        await asyncio.sleep(MENU_EVERY)
        tray.show(FACES["another menu"])
        await asyncio.sleep(2 * MENU_AFTER)
        assert panel.shows()[2] == ["Quit", "Log"]

    play(story())


def test_the_menu_does_not_change_while_a_panel_still_draws_what_it_opened() -> None:
    async def story() -> None:
        panel, boundary = Panel(), Boundary()
        tray = tray_of(panel, boundary)
        tray.show(FIRST)
        await asyncio.sleep(MENU_EVERY)
        icon: Any = panel
        icon.opened()
        tray.show(FACES["another menu"])
        await asyncio.sleep(MENU_EVERY - MENU_AFTER)
        assert panel.shows()[2] == ["Quit"]
        await asyncio.sleep(2 * MENU_AFTER)
        assert panel.shows()[2] == ["Quit", "Log"]

    play(story())


def other_words(number: int) -> Face:
    return Face(FIRST.look, (Item("quit", f"Quit {number}", Quit()),))


def test_words_that_nobody_reads_are_drawn_less_often() -> None:
    async def story() -> None:
        panel, boundary = Panel(), Boundary()
        tray = tray_of(panel, boundary, words_every=WORDS_EVERY)
        for number in range(60):
            tray.show(other_words(number))
            await asyncio.sleep(WORDS_EVERY / 10)
        await asyncio.sleep(WORDS_EVERY)
        assert panel.shows()[2] == ["Quit 59"]
        assert panel.drawn.count("menu") in (7, 8)  # type: ignore[attr-defined]

    play(story())


def test_a_panel_that_asks_gets_the_words_that_wait_at_once_and_later_ones_soon() -> None:
    async def story() -> None:
        panel, boundary = Panel(), Boundary()
        tray = tray_of(panel, boundary, words_every=WORDS_EVERY)
        icon: Any = panel
        tray.show(other_words(0))
        tray.show(other_words(1))
        await asyncio.sleep(MENU_EVERY + 2 * MENU_AFTER)
        assert panel.shows()[2] == ["Quit 0"]
        icon.asked()
        assert panel.shows()[2] == ["Quit 1"]
        tray.show(other_words(2))
        await asyncio.sleep(MENU_EVERY + 2 * MENU_AFTER)
        assert panel.shows()[2] == ["Quit 2"]
        await asyncio.sleep(READ_FOR)
        tray.show(other_words(3))
        await asyncio.sleep(2 * MENU_AFTER)
        assert panel.shows()[2] == ["Quit 3"]  # the first change after a while
        tray.show(other_words(4))
        await asyncio.sleep(MENU_EVERY + 2 * MENU_AFTER)
        assert panel.shows()[2] == ["Quit 3"]

    play(story())


def test_rows_that_come_do_not_wait_for_words() -> None:
    async def story() -> None:
        panel, boundary = Panel(), Boundary()
        tray = tray_of(panel, boundary, words_every=WORDS_EVERY)
        tray.show(other_words(0))
        tray.show(other_words(1))
        await asyncio.sleep(MENU_EVERY)
        tray.show(FACES["another menu"])
        await asyncio.sleep(2 * MENU_AFTER)
        assert panel.shows()[2] == ["Quit", "Log"]

    play(story())


def test_a_panel_that_asks_gets_no_rows_before_their_time() -> None:
    async def story() -> None:
        panel, boundary = Panel(), Boundary()
        tray = tray_of(panel, boundary, words_every=WORDS_EVERY)
        icon: Any = panel
        tray.show(FIRST)
        icon.asked()
        tray.show(FACES["another menu"])
        icon.asked()
        assert panel.shows()[2] == ["Quit"]
        await asyncio.sleep(MENU_EVERY + MENU_AFTER)
        assert panel.shows()[2] == ["Quit", "Log"]

    play(story())


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


def test_opening_the_menu_does_what_the_drawn_face_says() -> None:
    async def story() -> None:
        icon: Any = Panel()
        clicked: list[Action] = []
        tray = tray_of(icon, Boundary(), clicked.append)
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


def test_every_text_is_safe_to_draw_whoever_wrote_it() -> None:
    """D-Bus refuses a menu with a NUL in it."""
    hostile = "web\0\x1b[2J\x9b\u202e\n2"
    below = Item("a", "All", None, children=(Item("b", hostile, Quit()),))

    async def story() -> None:
        panel = Panel()
        tray_of(panel, Boundary()).show(Face(Look("quiet", 0, hostile), (Item("x", hostile, Quit()), below)))
        _, tooltip, texts = panel.shows()
        assert tooltip == "web\n2"
        assert texts == ["web 2", "All"]
        icon: Any = panel
        assert [item.text for item in list(icon.menu)[1].submenu] == ["web 2"]

    play(story())


GIVEN = {
    "one": (["t1"], ["t1", None]),
    "the last of several": (["t1", "t2"], ["t2", None]),
    "an empty one, as on X11": ([""], [None, None]),
    "none": ([], [None, None]),
}


@pytest.mark.parametrize(("given", "tokens"), GIVEN.values(), ids=GIVEN)
def test_a_click_in_the_menu_has_the_token_that_the_panel_gave_before_it(
    given: list[str], tokens: list[str | None]
) -> None:
    async def story() -> None:
        panel, clicks = Panel(), list[Action]()
        icon: Any = panel
        tray = tray_of(panel, Boundary(), clicks.append)
        tray.show(Face(FIRST.look, (Item("go", "Jump to it", Jump(("a", 1))),)))
        for token in given:
            icon.permitted(token)
        for _ in range(2):
            next(iter(icon.menu))(panel)
        assert clicks == [Jump(("a", 1), token) for token in tokens]

    play(story())
