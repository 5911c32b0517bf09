"""Test the bell with real helper programs that all hang: the loop goes on, and a new ring is not late."""

import asyncio
import os
import statistics
import time
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from deskbell.board import board
from deskbell.desktop.dnd import SilentDnd
from deskbell.desktop.focus import Active, AskedScreen, Eyes
from deskbell.desktop.focus.asked import HUNG_FOR, Asker
from deskbell.desktop.senses import Person
from deskbell.home import Home
from deskbell.notices.bell import NewsBell
from deskbell.notices.notice import Notice
from deskbell.notices.orders import Send
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import Quiet
from deskbell.program.boundary import Boundary
from deskbell.session import Key, Place, Session
from deskbell.wake import Wake
from tests.tray.making import session

LATE = 0.05
"""Seconds."""
PROGRAMS = ("swaymsg", "tmux", "kitty")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of programs that all hang."""
    for name in PROGRAMS:
        (tmp_path / name).write_text("#!/bin/sh\nexec sleep 600\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


@dataclass
class Desk:
    """A notifier and the channels, with the moment when each session was first shown."""

    shown: dict[Key, float] = field(default_factory=dict)

    def start(self, *_: object) -> None: ...
    def withdraw(self, slot: str) -> None: ...
    def put(self, sends: Iterable[Send], policy: Policy) -> None: ...
    def check(self) -> None: ...
    async def stop(self) -> None: ...

    def show(self, notice: Notice) -> None:
        for key in notice.sessions:
            self.shown.setdefault(key, time.monotonic())


class Swaymsg(AskedScreen):
    """A compositor that is asked by a program. It hangs as well, or the focus would never be looked for further."""

    name = "sway"

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def active(self) -> Active | None:
        self._asker.text("swaymsg", "-t", "get_tree")
        return Active(os.getpid())


class Channels(Desk):
    def stop(self) -> None: ...  # type: ignore[override]


@dataclass
class Office:
    """A bell that rings in a loop, and helpers whose pause can be ended."""

    folder: Path
    now: float = 0.0
    sessions: list[Session] = field(default_factory=list)
    longest: float = 0.0
    """Seconds between two beats of a task that sleeps a hundredth of a second each time."""

    def __post_init__(self) -> None:
        self.asker = Asker(lambda: self.now)
        eyes = Eyes(Swaymsg(self.asker), clients=self._clients, is_in_tmux=lambda _: True, tab=self._tab)
        self.wake, self.desk, boundary = Wake(), Desk(), Boundary()
        self.person = Person(boundary, self.wake, eyes, SilentDnd())
        home = Home(self.folder / "state", self.folder / "data", self.folder / "config")
        self.bell = NewsBell(home, lambda _: self.desk, self.person, Channels(), Quiet, print, time.time)  # type: ignore[arg-type]

    def _clients(self, socket: str, pane: str) -> None:
        self.asker.text("tmux", "-S", socket, "list-clients")

    def _tab(self, place: Place, pid: int) -> None:
        self.asker.text("kitty", "@", "ls")

    def blocks(self, *handles: tuple[str, str]) -> Key:
        """Let a new session ask for a permission."""
        number = len(self.sessions)
        new = session(
            session_id=f"s{number}", status="permission", since=time.time(), pid=os.getpid(), place=Place(None, handles)
        )
        self.sessions.append(new)
        self.wake()
        return new.key

    async def rings(self) -> None:
        before = board([], time.time())
        while True:
            self.wake.clear()
            after = board(self.sessions, time.time())
            self.bell.ring(before, after, time.time())
            before = after
            await self.wake.wait(0.1)

    async def beats(self) -> None:
        while True:
            begun = time.monotonic()
            await asyncio.sleep(0.01)
            self.longest = max(self.longest, time.monotonic() - begun - 0.01)

    async def shown(self, key: Key) -> float:
        end = time.monotonic() + 20
        while key not in self.desk.shown:
            assert time.monotonic() < end, "never shown"
            await asyncio.sleep(0.002)
        return self.desk.shown[key]


def play(office: Office, story: Coroutine[Any, Any, None]) -> None:
    async def scene() -> None:
        tasks = [asyncio.create_task(work) for work in (office.beats(), office.rings())]
        try:
            await story
        finally:
            for task in tasks:
                task.cancel()
            office.person.stop()

    asyncio.run(scene())


TMUX = (("TMUX", "/tmp/tmux,1,0"), ("TMUX_PANE", "%1"))


@pytest.mark.long
def test_a_new_ring_is_not_late_while_every_helper_hangs(path: Path) -> None:
    office = Office(path)
    late: list[float] = []

    async def story() -> None:
        first = [office.blocks(*(TMUX if number % 2 else ())) for number in range(12)]
        for key in first:
            await office.shown(key)
        for number in range(7):
            office.now += HUNG_FOR  # the helpers may be asked again, though not for this ring
            begun = time.monotonic()
            late.append(await office.shown(office.blocks(*(TMUX if number % 2 else ()))) - begun)

    play(office, story())
    print(f"late: median {statistics.median(late):.4f} s, most {max(late):.4f} s; loop held {office.longest:.4f} s")
    assert statistics.median(late) < LATE


@pytest.mark.long
def test_the_loop_goes_on_while_a_helper_is_first_found_to_hang(path: Path) -> None:
    office = Office(path)

    async def story() -> None:
        begun = time.monotonic()
        for key in [office.blocks(*(TMUX if number % 2 else ())) for number in range(12)]:
            await office.shown(key)
        print(f"first rings after {time.monotonic() - begun:.3f} s; loop held {office.longest:.4f} s")
        assert time.monotonic() - begun < 1.5

    play(office, story())
    assert office.longest < 0.2
