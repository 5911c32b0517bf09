"""Test the menu on a bus, asked as panels ask: what they are told, and when."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from deskbell.desktop.bus import call, close, match
from deskbell.desktop.tray.dbusmenu import DBusMenu
from deskbell.desktop.tray.layout import ROOT
from deskbell.desktop.tray.library import FixedMenu, KeyedItem, Menu
from deskbell.desktop.tray.rowsigns import picture
from deskbell.program.boundary import Boundary

PATH, NAME = "/MenuBar", "com.canonical.dbusmenu"
PATIENCE = 20.0


class Host:
    """A panel: it asks the menu, and keeps the signals that it hears."""

    def __init__(self, address: str, patience: float = 0.0) -> None:
        self._address = address
        self._patience = patience
        self.clicked: list[str] = []
        self.opened: list[str] = []
        self.asked: Callable[[], None] = lambda: None
        self.heard: list[tuple[str, Any]] = []
        self.told = asyncio.Event()

    async def __aenter__(self) -> "Host":
        self.boundary = Boundary()
        self._ours, self._bus = [await MessageBus(bus_address=self._address).connect() for _ in range(2)]
        self.menu = DBusMenu(
            self.boundary,
            lambda item: self.clicked.append(item.key),
            lambda: self.opened.append("root"),
            self._patience,
            asked=lambda: self.asked(),
        )
        self._ours.export(PATH, self.menu)
        self._bus.add_message_handler(lambda message: self._hear(message))
        await match(self._bus, interface=NAME)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.boundary.stopped()
        await close(self._bus)
        await close(self._ours)

    async def ask(self, member: str, signature: str, *body: object) -> list[Any]:
        reply = await call(self._bus, str(self._ours.unique_name), PATH, member, signature, list(body), interface=NAME)
        assert reply.message_type is MessageType.METHOD_RETURN
        return reply.body

    async def event(self, number: int, name: str) -> None:
        await self.ask("Event", "isvu", number, name, Variant("i", 0), 0)

    def labels(self) -> list[str]:
        """The labels in ItemsPropertiesUpdated, in order."""
        updates = [body[0] for member, body in self.heard if member == "ItemsPropertiesUpdated"]
        return [values["label"].value for changed in updates for _, values in changed if "label" in values]

    def _hear(self, message: Message) -> None:
        if message.interface == NAME and message.message_type is MessageType.SIGNAL:
            self.heard.append((str(message.member), message.body))
            self.told.set()


def aged(*ages: str) -> Menu:
    left = list(ages)
    return FixedMenu(KeyedItem("api", lambda: left.pop(0) if len(left) > 1 else left[0], None))


def play(address: str, story: Callable[[Host], Awaitable[None]], patience: float = 0.0) -> None:
    async def run() -> None:
        async with Host(address, patience) as host:
            await story(host)
            assert host.boundary.broken == {}

    asyncio.run(asyncio.wait_for(run(), 60))


OPENINGS: dict[str, tuple[str, str, list[object], int]] = {
    "Plasma": ("AboutToShow", "i", [ROOT], 0),
    "Xfce": ("AboutToShowGroup", "ai", [[ROOT]], 1),
    "GNOME": ("Event", "isvu", [ROOT, "opened", Variant("i", 0), 0], 1),
}


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
def test_opening_the_menu_brings_its_ages_up_to_date_before_the_answer(
    address: str, opening: tuple[str, str, list[object], int]
) -> None:
    async def story(host: Host) -> None:
        host.menu.show(aged("api · 1 min", "api · 2 min"))
        member, signature, body, noted = opening
        await host.ask(member, signature, *body)
        assert host.labels()[-1:] == ["api · 2 min"]
        assert len(host.opened) == noted
        host.heard.clear()
        await host.ask(member, signature, *body)
        assert host.heard == []

    play(address, story)


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
def test_opening_the_menu_brings_the_words_that_wait_before_the_answer(
    address: str, opening: tuple[str, str, list[object], int]
) -> None:
    async def story(host: Host) -> None:
        host.menu.show(FixedMenu(KeyedItem("a", "before", None)))
        host.asked = lambda: host.menu.show(FixedMenu(KeyedItem("a", "after", None)))
        member, signature, body, _ = opening
        await host.ask(member, signature, *body)
        assert host.labels()[-1:] == ["after"]

    play(address, story)


def test_a_panel_is_never_told_that_its_rows_are_out_of_date(address: str) -> None:
    async def story(host: Host) -> None:
        host.menu.show(aged("1 min", "2 min"))
        assert await host.ask("AboutToShow", "i", ROOT) == [False]

    play(address, story)


def test_many_changes_are_one_signal(address: str) -> None:
    async def story(host: Host) -> None:
        for text in ("A", "B"):
            host.heard.clear()
            host.menu.show(FixedMenu(*(KeyedItem(str(n), f"{text}{n}", print) for n in range(54))))
            await host.ask("AboutToShow", "i", ROOT)
        assert [member for member, _ in host.heard] == ["ItemsPropertiesUpdated"]
        assert len(host.labels()) == 54

    play(address, story)


def test_a_new_row_in_one_submenu_names_that_submenu(address: str) -> None:
    def built(*below: str) -> Menu:
        return FixedMenu(KeyedItem("api", "api", None, submenu=FixedMenu(*(KeyedItem(k, k, print) for k in below))))

    async def story(host: Host) -> None:
        host.menu.show(built("a"))
        await host.ask("AboutToShow", "i", ROOT)
        host.heard.clear()
        host.menu.show(built("a", "b"))
        await host.ask("AboutToShow", "i", ROOT)
        assert [(member, body[1]) for member, body in host.heard] == [("LayoutUpdated", 1)]

    play(address, story)


def test_a_click_on_a_row_that_has_just_gone_does_what_the_row_said(address: str) -> None:
    async def story(host: Host) -> None:
        host.menu.show(FixedMenu(KeyedItem("api", "api", print), KeyedItem("web", "web", print)))
        host.menu.show(FixedMenu(KeyedItem("web", "web", print)))
        for number in (1, 2, 99):
            await host.event(number, "clicked")
        assert host.clicked == ["api", "web"]

    play(address, story)


def read(*keys: str) -> Menu:
    """A menu with a submenu, and rows below it."""
    submenu = KeyedItem("read", "read", None, submenu=FixedMenu(KeyedItem("asks", "asks", None)))
    return FixedMenu(submenu, *(KeyedItem(key, key, print) for key in keys))


def test_rows_wait_while_a_submenu_is_read_and_come_when_it_closes(address: str) -> None:
    async def story(host: Host) -> None:
        host.menu.show(read())
        await host.event(1, "opened")
        host.heard.clear()
        host.menu.show(read("new"))
        await host.ask("AboutToShow", "i", 1)
        assert host.heard == []
        await host.event(1, "closed")
        assert [member for member, _ in host.heard] == ["LayoutUpdated"]

    play(address, story, patience=600.0)


def test_rows_do_not_wait_for_ever(address: str) -> None:
    async def story(host: Host) -> None:
        host.menu.show(read())
        await host.event(1, "opened")
        host.heard.clear()
        host.told.clear()
        host.menu.show(read("new"))
        await asyncio.wait_for(host.told.wait(), PATIENCE)
        assert [member for member, _ in host.heard] == ["LayoutUpdated"]

    play(address, story, patience=0.01)


def test_a_panel_that_asks_for_one_level_is_led_to_the_next_before_it_opens(address: str) -> None:
    def built(*below: str) -> Menu:
        more = KeyedItem("more", "more", None, submenu=FixedMenu(*(KeyedItem(k, k, print) for k in below)))
        return FixedMenu(KeyedItem("api", "api", None, submenu=FixedMenu(more)), KeyedItem("quit", "quit", print))

    async def story(host: Host) -> None:
        async def parents(number: int) -> list[int]:
            """Ask for the children of NUMBER alone; return what the panel is led to."""
            host.heard.clear()
            await host.ask("GetLayout", "iias", number, 1, [])
            await host.ask("AboutToShow", "i", ROOT)
            return [body[1] for member, body in host.heard if member == "LayoutUpdated"]

        host.menu.show(built("a"))
        await host.ask("AboutToShow", "i", ROOT)
        assert [await parents(number) for number in (ROOT, 1, 2, 1)] == [[1], [2], [], []]
        assert [await parents(number) for number in (ROOT, 1, 2)] == [[1], [2], []], "the panel was started again"
        host.menu.show(built("a", "b"))
        await host.ask("AboutToShow", "i", ROOT)
        assert await parents(1) == [2]

    play(address, story)


def test_a_panel_that_asks_for_everything_is_led_nowhere(address: str) -> None:
    async def story(host: Host) -> None:
        host.menu.show(read())
        await host.ask("AboutToShow", "i", ROOT)
        host.heard.clear()
        await host.ask("GetLayout", "iias", ROOT, -1, [])
        await host.ask("AboutToShow", "i", ROOT)
        assert host.heard == []

    play(address, story)


GNOME_ASKS = ["type", "children-display"]


def test_a_panel_that_asks_for_rows_without_their_texts_gets_them_at_once(address: str) -> None:
    """GNOME's extension can lose the question for them."""

    async def story(host: Host) -> None:
        host.menu.show(FixedMenu(KeyedItem("a", "A", print), KeyedItem("b", "B", print)))
        await host.ask("GetLayout", "iias", ROOT, -1, GNOME_ASKS)
        await host.ask("AboutToShow", "i", ROOT)
        assert host.labels() == ["A", "B"]
        await host.ask("GetGroupProperties", "aias", [1, 2], [])
        host.menu.show(FixedMenu(KeyedItem("a", "A", print), KeyedItem("b", "B", print), KeyedItem("c", "C", print)))
        host.heard.clear()
        await host.ask("GetLayout", "iias", ROOT, -1, GNOME_ASKS)
        await host.ask("AboutToShow", "i", ROOT)
        assert host.labels() == ["C"]
        await host.ask("GetGroupProperties", "aias", [3], [])
        host.heard.clear()
        await host.ask("GetLayout", "iias", ROOT, -1, GNOME_ASKS)
        await host.ask("AboutToShow", "i", ROOT)
        assert host.heard == []

    play(address, story)


@pytest.mark.parametrize("names", [[], ["type", "label", "visible", "enabled", "children-display"]])
def test_a_panel_that_asks_for_the_texts_as_well_gets_them_once(address: str, names: list[str]) -> None:
    async def story(host: Host) -> None:
        host.menu.show(FixedMenu(KeyedItem("a", "A", print)))
        await host.ask("AboutToShow", "i", ROOT)
        host.heard.clear()
        await host.ask("GetLayout", "iias", ROOT, -1, names)
        await host.ask("AboutToShow", "i", ROOT)
        assert host.heard == []

    play(address, story)


def test_a_row_has_the_picture_of_its_sign(address: str) -> None:
    async def story(host: Host) -> None:
        host.menu.show(FixedMenu(KeyedItem("api", "api", print, picture=picture("plan"))))
        (_, (_, _, (row,))) = await host.ask("GetLayout", "iias", ROOT, -1, [])
        assert row.value[1]["icon-data"] == Variant("ay", picture("plan"))

    play(address, story)
