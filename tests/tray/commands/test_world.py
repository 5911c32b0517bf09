"""Test how a command follows the sessions of this machine."""

import asyncio
import json
import os
from collections.abc import Sequence

import pytest

from deskbell.commands._world import follow, world
from deskbell.home import home
from deskbell.session import Session
from deskbell_hooks.record import record_event


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
        following = asyncio.create_task(follow(world(), show, refresh=20.0))
        await until_seen([])
        await asyncio.to_thread(record, "UserPromptSubmit", prompt="go")
        await until_seen(["working"])
        await asyncio.to_thread(record, "Stop")
        await until_seen(["idle"])
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)

    asyncio.run(play())
    assert seen[0] == []
