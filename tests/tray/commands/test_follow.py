"""Test how a command follows the sessions of this machine."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import pairwise

import pytest

from deskbell.commands._follow import following
from deskbell.commands._world import world
from deskbell.home import home
from deskbell.session import Session
from deskbell.sessions.crashes import CrashFile
from deskbell_hooks.record import record_event
from tests.tray.commands.said import running


def record(name: str, **event: object) -> None:
    data = {"session_id": "s-1", "hook_event_name": name, "cwd": "/p/api", **event}
    record_event(str(home().state), json.dumps(data).encode())


def test_sessions_are_shown_now_and_after_every_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_PID", str(os.getpid()))
    home().sessions.mkdir(parents=True)
    seen: list[list[str]] = []

    def show(sessions: Sequence[Session], now: float) -> None:
        seen.append([session.status for session in sessions])

    async def until_seen(statuses: list[str]) -> None:
        async with asyncio.timeout(30):
            while statuses not in seen:
                await asyncio.sleep(0.01)

    async def play() -> None:
        task = asyncio.create_task(following(world(), show, refresh=20.0))
        await until_seen([])
        await asyncio.to_thread(record, "UserPromptSubmit", prompt="go")
        await until_seen(["working"])
        await asyncio.to_thread(record, "Stop")
        await until_seen(["idle"])
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(play())
    assert seen[0] == []


@pytest.mark.long
def test_a_crash_that_is_seen_to_happen_is_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Sequence[Session]] = []

    async def until(status: str) -> Session:
        async with asyncio.timeout(30):
            while not (seen and [one.status for one in seen[-1]] == [status]):
                await asyncio.sleep(0.01)
        return seen[-1][0]

    async def play() -> Session:
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
            running("s-1", "/p/api", client.pid, monkeypatch)
            there = world()
            task = asyncio.create_task(following(there, lambda sessions, _: seen.append(sessions), refresh=0.2))
            await until("working")
            await asyncio.sleep(1)  # longer ago than its last event
            client.kill()
        crash = await until("crashed")
        await asyncio.sleep(0.5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return crash

    crash = asyncio.run(play())
    (noted,) = CrashFile(home().state).known().values()
    assert crash.since > crash.heard + 0.9
    assert (noted.died, noted.until) == (crash.since, crash.kept_until)
    (fresh,) = world().read(time.time())
    assert (fresh.status, fresh.since) == ("crashed", crash.since)


@pytest.mark.long
def test_a_storm_of_changes_takes_a_part_of_a_processor_and_the_last_one_is_shown() -> None:
    home().sessions.mkdir(parents=True)
    record("Stop")
    file, new = home().sessions / "s-1.json", home().sessions / "s-1.json.tmp"
    content = file.read_bytes()
    shown: list[float] = []

    def show(sessions: Sequence[Session], now: float) -> None:
        shown.append(time.monotonic())
        ends = time.thread_time() + 0.02
        while time.thread_time() < ends:
            pass

    async def play() -> float:
        task = asyncio.create_task(following(world(), show, refresh=20.0, share=0.1))
        began = time.monotonic()
        while time.monotonic() < began + 2.0:
            new.write_bytes(content)
            new.replace(file)
            await asyncio.sleep(0.005)
        async with asyncio.timeout(30):
            while shown[-1] < began + 1.5:
                await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return shown[-1] - began

    took = asyncio.run(play())
    pauses = [later - earlier for earlier, later in pairwise(shown)]
    assert 2 < len(shown) <= took / 0.2 + 1, "each look takes 20 ms and rests for 180"
    assert min(pauses) > 0.15
