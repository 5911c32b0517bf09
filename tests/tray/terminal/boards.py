"""A board in a terminal that no one sees: its sessions are given, and its orders are recorded."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from io import StringIO
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text
from textual.pilot import Pilot

from deskbell.asking import Asking
from deskbell.cards.keys import Order
from deskbell.cards.state import State
from deskbell.face.facts import Facts
from deskbell.session import Key, Session
from deskbell.terminal.tui import Show, Tui
from tests.tray.cards.boards import NOW, OFFICE


class Hands:
    """Records what is asked of it."""

    def __init__(self) -> None:
        self.orders: list[tuple[Order, Session | None]] = []
        self.shown: list[Session] = []
        self.looks = 0
        self.now = Facts()
        self.open: dict[Key, Asking] = {}
        """The requests that can be answered."""
        self.answer: str | Exception = "Done."
        self.arrives = True
        """Whether a jump brings its session to the front."""

    def facts(self, now: float) -> Facts:
        return self.now

    def look(self) -> None:
        self.looks += 1

    def requests(self) -> dict[Key, Asking]:
        return dict(self.open)

    def do(self, order: Order, session: Session | None) -> str:
        self.orders.append((order, session))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def is_shown(self) -> bool:
        return self.arrives

    def details(self, session: Session, now: float) -> RenderableType:
        self.shown.append(session)
        return Text(
            f"All of {session.project}: [bold]{session.detail}[/]\n" + "\n".join(f"line {n}" for n in range(60))
        )


class Stage:
    def __init__(self, app: Tui, pilot: Pilot[Any], hands: Hands) -> None:
        self.app, self.pilot, self.hands = app, pilot, hands
        self.show: Show = app.show

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def until(self, text: str) -> None:
        """Wait until TEXT is on the screen."""
        async with asyncio.timeout(30):
            while text not in self.text():
                await self.pilot.pause(0.01)

    def text(self) -> str:
        return export(self.app, styles=False)


def export(app: Tui, styles: bool = True) -> str:
    """What Textual itself takes the screen to be. STYLES: with the codes for colours."""
    return recorded(app).export_text(styles=styles)


def recorded(app: Tui) -> Console:
    """Draw what Textual shows on a console that keeps it, as its own screenshots do."""
    width, height = app.size
    console = Console(
        width=width,
        height=height,
        file=StringIO(),
        force_terminal=True,
        color_system="truecolor",
        record=True,
        legacy_windows=False,
        _environ={},
    )
    console.print(app.screen._compositor.render_update(full=True))
    return console


@asynccontextmanager
async def board(
    sessions: Sequence[Session] = OFFICE, size: tuple[int, int] = (100, 30), hands: Hands | None = None, **given: Any
) -> AsyncIterator[Stage]:
    shown, never = asyncio.Event(), asyncio.Event()

    async def feed(show: Show) -> None:
        show(sessions, NOW)
        shown.set()
        await never.wait()

    given_hands = hands or Hands()
    app = Tui(feed, given_hands, State(), clock=lambda: NOW, **given)
    async with app.run_test(size=size) as pilot:
        await shown.wait()
        await pilot.pause()
        yield Stage(app, pilot, given_hands)
