"""The seam to pystray, with an icon that records."""

import asyncio
from typing import Any

import pytest

from deskbell.desktop.tray import MENU_AFTER, PystrayTray, pystray_menu
from deskbell.desktop.tray.library import Menu
from deskbell.face import Face
from deskbell.face.actions import Action, Open, Quit
from deskbell.face.look import Look
from deskbell.face.menu import Item

QUIT = (Item("quit", "Quit", Quit()),)


class Recording:
    """Keeps what was written to it, in order."""

    def __init__(self) -> None:
        object.__setattr__(self, "written", [])

    def __setattr__(self, name: str, value: object) -> None:
        self.written.append(name)  # type: ignore[attr-defined]
        object.__setattr__(self, name, value)


def shown(*faces: Face) -> list[str]:
    """What was written for the last of them."""
    icon: Any = Recording()

    async def play() -> None:
        tray = PystrayTray(icon, lambda look: look.state, lambda _: None, menu_every=0.0)
        for face in faces:
            icon.written.clear()
            tray.show(face)
        await asyncio.sleep(2 * MENU_AFTER)

    asyncio.run(play())
    return [name for name in icon.written if name != "visible"]


FIRST = Face(Look("quiet", 0, "Nothing is running"), QUIT)


def test_the_first_face_is_drawn_whole() -> None:
    assert shown(FIRST) == ["icon", "title", "menu"]


@pytest.mark.parametrize(
    ("after", "written"),
    [
        (Face(Look("working", 0, "Nothing is running"), QUIT), ["icon"]),
        (Face(Look("quiet", 0, "Well"), QUIT), ["title"]),
        (Face(FIRST.look, (*QUIT, Item("log", "Log", Open("log")))), ["menu"]),
        (Face(Look("quiet", 0, "Nothing is running"), (Item("quit", "Quit", Quit()),)), []),
    ],
    ids=["picture", "tooltip", "menu", "nothing"],
)
def test_only_what_is_new_is_written(after: Face, written: list[str]) -> None:
    assert shown(FIRST, after) == written


def test_menus_that_follow_each_other_closely_are_written_once() -> None:
    icon: Any = Recording()

    async def play() -> None:
        tray = PystrayTray(icon, lambda look: look.state, lambda _: None, menu_every=3 * MENU_AFTER)
        for number in range(60):
            tray.show(Face(FIRST.look, (Item("quit", f"Quit {number}", Quit()),)))
            await asyncio.sleep(MENU_AFTER / 4)
        while [item.text for item in icon.menu] != ["Quit 59"]:
            await asyncio.sleep(MENU_AFTER)

    asyncio.run(asyncio.wait_for(play(), 20))
    assert icon.written.count("menu") < 25


def test_a_click_comes_back_as_its_action() -> None:
    clicked: list[Action] = []
    menu = pystray_menu((Item("more", "More", children=QUIT),), clicked.append)
    (more,) = menu
    (item,) = more.submenu
    item(None)
    assert clicked == [Quit()]


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
