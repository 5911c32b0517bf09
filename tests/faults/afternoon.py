"""Play an afternoon with three sessions on the real parts of the program.

These parts are real: the loop and its boundary, World, the registry and the transcripts, the bell with its settings, its
decisions and its outbox with two channels, crashes, storage, silence, clicks and the log. The screen, the panel and the
desktop are fakes that record.
"""

import asyncio
import json
import logging
import math
import sys
import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from deskbell.desktop.ears import Deaths
from deskbell.face.actions import Action, CopyResume, Dismiss, Seen, Snooze
from deskbell.face.facts import Facts
from deskbell.home import Home
from deskbell.notices.bell import NewsBell
from deskbell.notices.channels.outbox import PART, Outbox
from deskbell.notices.quiet import QuietFile
from deskbell.notices.screen import Listener
from deskbell.program.boundary import Boundary
from deskbell.program.clicks import RealHands
from deskbell.program.greeting import Greeting
from deskbell.program.loop import App
from deskbell.program.storage import Storage
from deskbell.sessions.crashes import CrashFile
from deskbell.sessions.world import World
from deskbell.wake import Wake
from tests.faults.injector import Injector
from tests.faults.machine import NOON, SECRET, Client, Desktop, Ears, Machine, Others, Panel, Screen, places
from tests.tray.notices.channels.receiver import Receiver
from tests.tray.sessions.transcript_lines import answered, asked
from tests.waiting import Late, wait_in_loop

CONFIG = """
[burst]
more_than = 9
{more}
[[channels]]
name = "phone"
kind = "ntfy"
when = "ring"
details = true
url = "{url}/topic"
secret = "env:DESKBELL_TEST_TOKEN"

[[channels]]
name = "script"
kind = "command"
when = "ring"
statuses = ["input", "question"]
command = ["sh", "-c", "cat >>$0; echo >>$0", "{script}", "{secret}"]
"""
LETTER = '{"channel": "phone", "slot": "old", "message": {"title": "left", "body": "", "status": "error", '
LETTER += '"urgency": "normal", "at": %f}}'


class Steps(Wake):
    """The wake of the loop. It sets `resting` when the loop has nothing left to do."""

    def __init__(self) -> None:
        super().__init__()
        self.resting = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        self.resting.set()
        await super().wait(seconds)


@dataclass
class Afternoon:
    """The story and the parts. `said` and `after` are what came of it."""

    root: Path
    receiver: Receiver
    clients: dict[str, Client]
    injector: Injector
    now: float = 0.0

    def __post_init__(self) -> None:
        self.home = Home(self.root / "state", self.root / "data", self.root / "config")
        self.machine = Machine(self.home.state, self.root / "claude", self.clients)
        self.script = self.root / "script.txt"
        self.screen, self.panel, self.others = Screen(), Panel(), Others()
        self.said: list[str] = []
        """The warnings in the log."""
        self.after: dict[str, object] = {}
        """What the program knows in the end."""
        self.home.config.mkdir()
        (self.home.state / "outbox").mkdir()
        (self.home.state / "outbox" / "1.json").write_text(LETTER % NOON)
        self.settings()

    def settings(self, more: str = "") -> None:
        text = CONFIG.format(url=self.receiver.url, script=self.script, secret=SECRET, more=more)
        (self.home.config / "config.toml").write_text(text)

    def clock(self) -> float:
        return NOON + self.now

    async def play(self) -> None:
        async with self._running():
            await self._story()
            self._look_back()

    async def _story(self) -> None:
        api, web, docs = (partial(self.machine.hook, name) for name in ("api", "web", "docs"))
        registry = self.machine.registry
        await self._at(1)
        for hook in (api, web, docs):
            hook("SessionStart", 2)
            hook("UserPromptSubmit", 3, facts={"prompt": f"Use {SECRET} here"})
        for name in self.clients:
            self.machine.transcript(name, asked(f"Use {SECRET}"), answered("I work"))
            registry(name, "busy", 3)
        await self._at(4)
        api("PreToolUse", 5, tool="Bash", subject=f"curl -H 'Authorization: Bearer {SECRET}' x", use="u1")
        api("PermissionRequest", 6, tool="Bash", subject=f"curl -H 'Authorization: Bearer {SECRET}' x", use="u1")
        registry("api", "waiting", 6, waitingFor="permission")
        await self._at(8)
        web("PreToolUse", 9, tool="AskUserQuestion", subject=f"Shall I use {SECRET}?", use="u2")
        web("PermissionRequest", 9, tool="AskUserQuestion", subject=f"Shall I use {SECRET}?", use="u2")
        registry("web", "waiting", 9, waitingFor="dialog open")
        await self._at(12)
        api("PostToolUse", 13, tool="Bash", use="u1")
        registry("api", "busy", 13)
        await self._at(14)
        self.settings('[rings.interrupted]\nurgency = "low"')
        web("PostToolUse", 15, tool="AskUserQuestion", use="u2")
        registry("web", "idle", 16)
        await self._at(20)
        api("Stop", 60, facts={"last_assistant_message": f"Done with {SECRET}"}, tasks=[])
        registry("api", "idle", 60)
        await self._at(61)
        self.clients["docs"].killed()
        await self._at(65)
        docs_key = "docs", self.clients["docs"].pid
        await self._clicks(Seen((docs_key,)), CopyResume(docs_key), Dismiss((docs_key,)))
        await self._at(67)
        await self._clicks(Snooze("30m"))
        await self._at(70)
        api("UserPromptSubmit", 75, facts={"prompt": "more"})
        api("PermissionRequest", 80, tool="Write", subject="/home/me/api/a.py", use="u3")
        registry("api", "waiting", 80, waitingFor="permission")
        await self._at(82)
        await self._clicks(Snooze(None))
        await self._at(90)
        await self._at(125)
        for later in (700, 1400, 1500):
            await self._at(later)
        self.injector.over = True
        for later in (1515, 1530):  # what could not be read is read again within ten seconds
            await self._at(later)
        await self._clicks(Snooze(None), Dismiss((docs_key,)))
        await self._at(1540)
        self._before_the_last = len(self.screen.shown), len(self.receiver.got)
        web("UserPromptSubmit", 1550, facts={"prompt": "go on"})
        web("PermissionRequest", 1552, tool="Bash", subject="npm publish", use="u4")
        registry("web", "waiting", 1552, waitingFor="permission")
        await self._at(1555)
        await self._at(1590)
        with suppress(Late):
            await wait_in_loop(lambda: len(self.receiver.got) > self._before_the_last[1], within=5)

    async def _at(self, now: float) -> None:
        """Move the clock, and let the program do what there is to do."""
        self.now = now
        await self._turn()
        if any(_channels()):
            await self._quiet()
            await self._turn()

    async def _turn(self) -> None:
        self.steps.resting.clear()
        self.steps()
        async with asyncio.timeout(20):
            await self.steps.resting.wait()

    async def _quiet(self) -> None:
        """Wait until the channels have sent what is due."""
        await wait_in_loop(self._is_quiet, "the end of sending", step=0.0005)

    def _is_quiet(self) -> bool:
        return not any(_channels()) or not (self._due() or any(map(_works, _channels())))

    def _due(self) -> list[Path]:
        """Return the letters of this run that are due; none while a fault lasts: the outbox may know others then."""
        if self.injector.fault and self.injector.fault.lasting:
            return []
        return [file for file in (self.home.state / "outbox").glob("1790*.json") if _due_at(file) <= self.clock()]

    async def _clicks(self, *actions: Action) -> None:
        """Click, and click again if a message says that it did not work."""
        for action in actions:
            before = len(self._failures())
            await self._click(action)
            if len(self._failures()) > before:
                await self._click(action)

    async def _click(self, action: Action) -> None:
        before = asyncio.all_tasks()
        self.app.click(action)
        await asyncio.wait(asyncio.all_tasks() - before, timeout=20)

    def _failures(self) -> list[str]:
        said = [notice.title for notice in self.screen.shown if notice.title.startswith("Could not")]
        return said + [word for word in self.said if "clicks" in word]

    @asynccontextmanager
    async def _running(self) -> AsyncIterator[None]:
        self.steps, self.boundary = Steps(), Boundary()
        self.app = self._assembled()
        with self.boundary.strays():
            running = asyncio.create_task(self.app.run())
            try:
                yield
            finally:
                self.app.quit()
                await asyncio.wait_for(running, 20)

    def _assembled(self) -> App:
        home, boundary = self.home, self.boundary
        quiet, crashes = QuietFile(home.state, self.clock), CrashFile(home.state)
        outbox = Outbox(home.state / "outbox", self.clock, lambda *told: self.bell.not_sent(*told), boundary)
        self.bell = NewsBell(
            home, self._listened, Desktop(), outbox, quiet.quiet, lambda action: None, self.clock, wake=self.steps
        )
        world = World(
            home.sessions,
            lambda: [self.machine.claude],
            logging.getLogger("world").warning,
            crashes=crashes.known,
            monotonic=self.clock,
        )
        self.world, self.quiet_file, self.crashes = world, quiet, crashes
        loop = asyncio.get_running_loop()
        say = Greeting(home, self.bell.screen).say
        return App(
            world=world,
            facts=lambda: Facts(
                hooks="installed", snoozed_until=quiet.quiet().snooze(self.clock()), muted=quiet.muted()
            ),
            ears=Ears(lambda wake: Deaths(loop, lambda pid: (world.died(pid), wake())[1])),
            tray=self.panel,
            bell=self.bell,
            hands=RealHands(
                home,
                self.others,
                self.others,
                list,
                quiet,
                say,
                self.others.offer,
                self.clock,
                list,
                crashes,
                self.others.copy,
                self.others.show,
                board=self.others.board,
            ),
            clock=self.clock,
            share=1e9,
            boundary=boundary,
            wake=self.steps,
            storage=Storage(home, lambda: world.silent),
            problems=lambda: [self.bell.problem] if self.bell.problem else [],
            note=crashes.follow,
        )

    def _listened(self, listener: Listener) -> Screen:
        self.screen.listener = listener
        return self.screen

    def _look_back(self) -> None:
        """Write down what the program knows at the end."""
        self.after = {
            "sessions": places(self.app.board),
            "broken": dict(self.boundary.broken),
            "face": self.panel.faces[-1].look.state if self.panel.faces else None,
            "tooltip": self.panel.faces[-1].look.tooltip if self.panel.faces else None,
            "settings": self.bell.settings.problem,
            "urgency": self.bell.settings.policy.rings.interrupted.urgency,
            "channels": len(self.bell.settings.policy.channels),
            "quiet": self.quiet_file.quiet(),
            "crashes": sorted(one[0] for one in self.crashes.known()),
            "rings at the last request": len(self.screen.shown) > self._before_the_last[0],
            "is sent at the last request": len(self.receiver.got) > self._before_the_last[1],
            "storage": self.app.storage.problem,
            "sessions' problem": self.world.problem,
        }


def _channels() -> Iterable[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == PART]


def _due_at(letter: Path) -> float:
    with suppress(FileNotFoundError):
        return float(json.loads(letter.read_bytes())["due"])
    return math.inf


def _works(thread: threading.Thread) -> bool:
    """Whether it does anything but wait for a letter to be due."""
    frame = sys._current_frames().get(thread.ident or 0)
    waits = frame is not None and frame.f_code.co_name == "wait" and frame.f_code.co_filename == threading.__file__
    return not waits
