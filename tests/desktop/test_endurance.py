"""Test that nothing piles up in eight hours of a busy day, played fast on a real panel."""

import asyncio
import random
import threading
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from deskbell.board import Board
from deskbell.desktop.notify import SilentNotifier
from deskbell.desktop.tray import tray
from deskbell.face.actions import Action
from deskbell.face.facts import Facts
from deskbell.home import home
from deskbell.notices.bell import NewsBell
from deskbell.notices.quiet import Quiet
from deskbell.program.boundary import Boundary
from deskbell.program.loop import App
from deskbell.session import STATUSES, Session
from tests.desktop.desktop import Desktop
from tests.tray.making import NOON, session

HOURS = 8
EVERY = 30.0
"""Seconds between two changes."""
ALIVE = 20


class Day:
    """Sessions that come, change and go; the clock moves with every look."""

    again: float | None = None
    problem: str | None = None
    pids: frozenset[int] = frozenset()
    watched: tuple[Path, ...] = ()

    def __init__(self) -> None:
        self.now = NOON
        self._chance = random.Random(1)
        self._sessions: dict[int, Session] = {}
        self._next = 0

    def pass_on(self) -> None:
        self.now += EVERY
        if len(self._sessions) < ALIVE:
            self._next += 1
            self._sessions[self._next] = session(
                session_id=f"s{self._next}", pid=self._next, project=f"p{self._next % 7}"
            )
        one = self._chance.choice(list(self._sessions))
        if self._chance.random() < 0.2:
            del self._sessions[one]
        else:
            changes = {"status": self._chance.choice(STATUSES[:9]), "detail": f"Bash: make {self.now}"}
            self._sessions[one] = session(
                session_id=f"s{one}", pid=one, project=f"p{one % 7}", since=self.now, **changes
            )

    def read(self, now: float) -> Sequence[Session]:
        return list(self._sessions.values())


class Nobody:
    """Hears nothing, clicks nothing, looks at nothing."""

    def start(self, *_: object) -> None: ...
    def stop(self) -> None: ...
    def put(self, *_: object) -> None: ...
    def withdraw(self, slot: str) -> None: ...
    def mend(self) -> None: ...
    def close(self) -> None: ...
    def listen(self, wake: object) -> None: ...
    def focused(self, session: Session) -> bool | None: ...
    def asking(self, session: Session) -> bool: ...
    def dnd(self) -> str | None: ...
    def follow(self, pids: frozenset[int]) -> float | None: ...
    async def do(self, action: Action, board: Board) -> None: ...


def held(icon: object) -> dict[str, int]:
    process = psutil.Process()
    return {
        "tasks": len(asyncio.all_tasks()),
        "threads": threading.active_count(),
        "open files": process.num_fds(),
        "memory": process.memory_info().rss,
        "menu items": len(icon._icon._dbusmenu._numbering._numbers),  # type: ignore[attr-defined]  # of one backend
    }


async def lived(hours: float) -> tuple[dict[str, int], dict[str, int], App]:
    day, nobody = Day(), Nobody()
    boundary = Boundary()
    icon = tray(boundary, lambda _: None, lambda _: None)
    bell = NewsBell(home(), lambda _: SilentNotifier(), nobody, nobody, Quiet, lambda _: None, lambda: day.now)
    app = App(day, Facts, nobody, icon, bell, nobody, clock=lambda: day.now, share=1.0, boundary=boundary)
    running = asyncio.create_task(app.run())
    early: dict[str, int] = {}
    for turn in range(int(hours * 3600 / EVERY)):
        day.pass_on()
        before = app.board
        app.wake()
        while app.board is before and not running.done():
            await asyncio.sleep(0.001)
        if turn == 200:
            early = held(icon)
    late = held(icon)
    app.quit()
    await running
    return early, late, app


@pytest.mark.skipif("sys.platform != 'linux'", reason="a Linux desktop")
def test_eight_hours_leave_nothing_behind(fragile: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    fragile.panel_up()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", fragile.env["DBUS_SESSION_BUS_ADDRESS"])
    early, late, app = asyncio.run(lived(HOURS))
    assert app.boundary.broken == {}
    assert "StatusNotifierItem-" not in fragile.items()
    assert late["tasks"] == early["tasks"]
    assert late["threads"] == early["threads"]
    assert late["open files"] == early["open files"]
    assert late["menu items"] < 250
    assert late["memory"] < 1.15 * early["memory"]
