"""Measure how long a panel waits for the menu of 54 sessions on the session bus."""

import asyncio
import tempfile
import time
from pathlib import Path

from deskbell.board import board
from deskbell.desktop.tray.builder import Builder
from deskbell.desktop.tray.layout import ROOT
from deskbell.desktop.tray.rowsigns import picture
from deskbell.face.facts import Facts
from deskbell.face.menu import menu
from deskbell.session import STATUSES
from tests.bench.table import Table
from tests.bench.timing import Times
from tests.tray.desktop.fake_daemon import private_bus
from tests.tray.desktop.tray.test_dbusmenu import Host
from tests.tray.making import NOON, session

SESSIONS, ROUNDS = 54, 50


def run() -> Table:
    with tempfile.TemporaryDirectory() as folder, private_bus(Path(folder)) as address:
        took = asyncio.run(_times(address))
    row = ("opened -> all its rows are with the panel", f"{took.median:.1f} ms", f"{took.p95:.1f} ms", "50 ms")
    return Table(f"the menu of {SESSIONS} sessions", ("what", "median", "p95", "at most"), (row,))


async def _times(address: str) -> Times:
    many = [
        session(session_id=f"s{i}", pid=i, status=STATUSES[i % 10], project=f"p{i % 7}", detail="Bash: make " * 30)
        for i in range(SESSIONS)
    ]
    async with Host(address) as host:
        host.menu.show(Builder(print, signed=picture).menu(menu(board(many, NOON), Facts(), NOON)))
        took = []
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            await host.ask("AboutToShow", "i", ROOT)
            await host.ask("GetLayout", "iias", ROOT, -1, [])
            took.append((time.perf_counter() - begun) * 1000)
        return Times(tuple(took))
