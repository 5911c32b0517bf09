"""Test that nothing piles up in eight hours of a busy office: real files, processes, panel, bus, daemon and channel."""

import asyncio
import os
import re
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import psutil
import pytest

from deskbell.face.actions import Quit
from deskbell.history.prune import DAY, Keep, prune
from deskbell.home import Home, claude_dir, home
from deskbell.notices import decisions
from deskbell.program.assembly import Program
from deskbell.program.greeting import GREETED
from deskbell_hooks.record import LARGEST
from tests.desktop.desktop import Desktop
from tests.desktop.office import ALIVE, Office, clear_registry, office
from tests.tray.notices.channels.receiver import receiver
from tests.waiting import wait_in_loop

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="a Linux desktop")

HOURS = 8
EVERY = 2.0 if os.environ.get("DESKBELL_THOROUGH") else 30.0
"""Seconds between two changes. With DESKBELL_THOROUGH=1 the day takes about ten minutes."""
OPENS_EVERY = 900.0
"""Seconds between two looks into the menu."""
MENU_ITEMS = 400
"""What the menu of ALIVE sessions, and of crashes that were not seen, has at most."""
CONFIG = """
[notification]
details = true

[[channels]]
name = "phone"
kind = "webhook"
when = "ring"
url = "{url}"
"""


@dataclass
class Held:
    """What the program holds at one moment."""

    tasks: int
    threads: int
    """Without those of asyncio's pool, which grows up to its bound whenever several calls come together."""
    files: int
    menu: int
    memory: int


def held(program: Program) -> Held:
    process, icon = psutil.Process(), program._tray._first._icon  # type: ignore[attr-defined]  # of one backend
    return Held(
        tasks=len(asyncio.all_tasks()),
        threads=sum(not thread.name.startswith("asyncio_") for thread in threading.enumerate()),
        files=process.num_fds(),
        menu=len(icon._dbusmenu._layout),
        memory=process.memory_info().rss,
    )


async def shown(program: Program) -> None:
    """Wait until the program has looked at everything."""
    before = program.app.board
    program.app.wake()
    await wait_in_loop(lambda: program.app.board is not before, "another look", step=0.001)


async def lived(day: Office, program: Program, look: Callable[[], Awaitable[object]]) -> list[Held]:
    """Return what was held after each hour."""
    running, hours = asyncio.create_task(program.live()), []
    opened = day.now
    while day.hour < HOURS:
        day.step()
        await shown(program)
        if day.now - opened > OPENS_EVERY:
            opened = day.now
            clear_registry(day.claude)
            await look()
        if day.hour >= len(hours) + 1:
            hours.append(held(program))
    day.close()
    await shown(program)
    await wait_in_loop(lambda: not any((day.home.state / "outbox").iterdir()), "the last message")
    assert program.boundary.broken == {}
    program.app.click(Quit())
    await asyncio.wait_for(running, 30)
    return hours


def check_files(day: Office, files: Home) -> None:
    """What is on disk is bounded as README.md says, and goes when its time has come."""
    assert list(files.state.rglob("*.tmp")) == []
    assert len(list(files.sessions.iterdir())) == len(list(files.events.iterdir())) == day.came
    assert max(record.stat().st_size for record in files.sessions.iterdir()) <= LARGEST
    logs = list(files.state.glob("decisions.jsonl*"))
    assert sum(log.stat().st_size for log in logs) < 2.1 * decisions.LONGEST
    names = {path.name for path in files.state.iterdir()} - {log.name for log in logs}
    assert names <= {"sessions", "events", "outbox", "crashes.json", "crashes.lock", "screen.json", "quiet.json"}
    done = prune(files, Keep(), [], day.now + 31 * DAY)
    assert len(done.removed) == day.came
    assert [*files.sessions.iterdir(), *files.events.iterdir()] == []


@pytest.mark.timeout(3_000)
def test_eight_hours_leave_nothing_behind(fragile: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    fragile.panel_up()
    fragile.notifications_up("dunst")
    for name in ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY"):
        monkeypatch.setenv(name, fragile.env[name])
    files = home()
    files.config.mkdir(parents=True)
    (files.config / GREETED).touch()

    async def look_into_the_menu() -> None:
        ask = ("/MenuBar", "com.canonical.dbusmenu.AboutToShowGroup", "array:int32:0")
        name = re.search(r"org\.kde\.StatusNotifierItem-[\d-]+", await asyncio.to_thread(fragile.items))
        assert name
        assert "method return" in await asyncio.to_thread(fragile.call, name[0], *ask)

    with receiver() as phone, office(files, claude_dir(), EVERY) as day:
        (files.config / "config.toml").write_text(CONFIG.format(url=phone.url))
        program = Program(files, headless=False, clock=lambda: day.now)
        program.app.share = 1.0
        hours = asyncio.run(lived(day, program, look_into_the_menu))
    assert "StatusNotifierItem-" not in fragile.items()
    assert day.came > 8 * ALIVE
    assert day.crashed > 10
    assert len(phone.got) > day.asked / 2
    first, last = hours[: HOURS // 2], hours[HOURS // 2 :]
    for part in ("tasks", "threads", "files"):
        assert min(getattr(one, part) for one in last) <= max(getattr(one, part) for one in first), part
    assert last[-1].menu < MENU_ITEMS
    assert last[-1].memory < 1.15 * first[0].memory
    check_files(day, files)
