"""Of which real parts is the running program made?"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from deskbell.desktop.autostart import Login
from deskbell.desktop.ears import RealEars
from deskbell.desktop.logout import Departure
from deskbell.desktop.notify import notifier
from deskbell.desktop.senses import Person
from deskbell.desktop.tray import SilentTray, run, tray, xembed
from deskbell.desktop.tray.host import Host
from deskbell.desktop.tray.xembed import Spared
from deskbell.errors import Problem
from deskbell.face.actions import Action, Hooks, Quit
from deskbell.face.facts import Facts
from deskbell.history.prune import Keep, daily, prune
from deskbell.home import Home
from deskbell.notices.bell import NewsBell
from deskbell.notices.channels.outbox import Outbox
from deskbell.notices.notice import Button, Notice
from deskbell.notices.quiet import QuietFile
from deskbell.notices.screen import Listener, Notifier
from deskbell.program.boundary import Boundary
from deskbell.program.clicks import RealHands
from deskbell.program.loop import App
from deskbell.session import Session
from deskbell.sessions.world import World
from deskbell.settings.claude_code import installed_client
from deskbell.settings.hooks_state import InstalledHooks
from deskbell.settings.known import remembered_config_dirs
from deskbell.supervision import Work
from deskbell_hooks.schema import Status

SLOT, ICONLESS = "deskbell", "no icon"
EVER = float("inf")

log = logging.getLogger(__name__)

WELCOME = (
    "Claude Code does not tell Deskbell yet what its sessions do. "
    "Installing the hooks adds a few entries to its settings.json; uninstalling takes them out again, to the byte."
)


class Program:
    """Holds the parts together: what one of them hears goes to the others."""

    def __init__(self, home: Home, headless: bool, clock: Callable[[], float] = time.time) -> None:
        self._home = home
        self._clock = clock
        self._boundary = Boundary()
        self._quiet_file = QuietFile(home.state, clock)
        self._hooks = InstalledHooks(home)
        self._login = Login()
        self._host = Host(self._without_icon, os.environ)
        self._departure = Departure(self._leave)
        self._bell = NewsBell(
            home=home,
            notifier=self._notifier,
            desktop=Person(lambda: self._app.wake()),
            outbox=Outbox(home.state / "outbox", clock, lambda *why: self._bell.not_sent(*why), _Threads()),
            quiet=self._quiet_file.quiet,
            clicked=lambda action, token: self._app.click(action),
            clock=clock,
        )
        self._tray = Spared(
            SilentTray() if headless else tray(self._click, self._hosted), lambda: xembed.tray(self._click)
        )
        there = World(home.sessions, self._config_dirs, log.warning)
        self._app = App(
            world=there,
            facts=self._facts,
            ears=RealEars(
                lambda: [home.sessions, *there.watched, home.state, home.config, *self._hooks.folders()], there.died
            ),
            tray=self._tray,
            bell=self._bell,
            hands=RealHands(
                home, self._hooks, self._login, self._report, self._quiet_file, self._say, clock, self._ever_recorded
            ),
            clock=clock,
            boundary=self._boundary,
        )

    def run(self, install: bool = False) -> None:
        if install:
            self._install()
        run(lambda: asyncio.run(self._run()), lambda: self._click(Quit()))

    def _install(self) -> None:
        """What stands in the way is no reason to do without the icon, which says so too."""
        try:
            print(self._hooks.change("install"))
        except Problem as problem:
            print(f"deskbell: {problem}", file=sys.stderr)

    async def _run(self) -> None:
        _on_signals(self._app.quit)
        greeting = asyncio.create_task(self._greet(), name="greeting")
        tidying = asyncio.create_task(daily(self._tidy), name="tidying")
        await self._app.run()
        greeting.cancel()
        tidying.cancel()

    def _config_dirs(self) -> list[Path]:
        return remembered_config_dirs(self._home.config)

    def _ever_recorded(self) -> list[Session]:
        return World(self._home.sessions, self._config_dirs, ended_for=EVER).read(self._clock())

    def _report(self) -> str:
        from deskbell.doctor import report  # for this one click, and not for the rest of the day

        client = installed_client(self._home.config)
        return report.text(report.checks(self._home, client, self._hooks.targets()))

    def _facts(self) -> Facts:
        return Facts(
            hooks=self._hooks.hooks(),
            happened=self._hooks.happened,
            autostart=self._login.on,
            snoozed_until=self._quiet_file.quiet().snooze(self._clock()),
            muted=self._quiet_file.muted(),
            problem=self._bell.problem,
        )

    async def _greet(self) -> None:
        """Nothing is edited unasked: the first time the hooks are found missing, one message offers them."""
        await self._app.boundary.wait("start at login", asyncio.to_thread(self._login.examine))
        await self._app.boundary.wait("hooks", asyncio.to_thread(self._hooks.examine))
        self._app.wake()
        if self._hooks.hooks() == "missing" and self._first_time("greeted"):
            self._say("Deskbell is here", WELCOME, Button("install", "Install the hooks", Hooks("install")))

    async def _tidy(self) -> None:
        board = self._app.board
        living = {session.session_id for session in (*board.sessions, *board.hidden)}
        work = asyncio.to_thread(prune, self._home, Keep(), living, self._clock())
        done = await self._app.boundary.wait("history", work)
        if done and (done.removed or done.cut):
            log.info("%d old sessions forgotten, %d journals cut", len(done.removed), len(done.cut))

    def _notifier(self, listener: Listener) -> Notifier:
        self._screen = notifier(listener, self._boundary)
        return self._screen

    def _say(self, title: str, text: str, *buttons: Button, sign: Status = "idle", slot: str = SLOT) -> None:
        """Something about Deskbell itself. To be called in the loop."""
        click = buttons[0].action if buttons else None
        self._screen.show(Notice(slot, (), sign, title, text, "normal", click, buttons, stays=bool(buttons)))

    def _click(self, action: Action) -> None:
        self._app.click(action)

    def _hosted(self, there: bool) -> None:
        if there:
            self._tray.come_back()
            self._screen.withdraw(ICONLESS)
        self._departure.hosted(there)
        self._host.hosted(there)

    def _leave(self) -> None:
        log.info("the person's session is over")
        self._click(Quit())

    def _without_icon(self, why: str) -> None:
        if self._tray.fall_back():
            log.info("the icon is in a tray of the older kind")
            return
        log.warning(why)
        if self._first_time("told of the missing icon"):
            self._say("Deskbell has no icon here", why, sign="error", slot=ICONLESS)

    def _first_time(self, what: str) -> bool:
        """Who has read it once does not want to read it at every login."""
        told = self._home.config / what.replace(" ", "-")
        if told.exists():
            return False
        with contextlib.suppress(OSError):
            told.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            told.touch()
        return True


class _Threads:
    """The threads of a Supervisor, without its care: Boundary is to take the place of this class."""

    def keep(self, part: str, work: Work) -> asyncio.Task[None]:
        return self.once(part, work())

    def once(self, part: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return asyncio.get_running_loop().create_task(work, name=part)

    def thread(self, part: str, work: Callable[[], None]) -> None:
        threading.Thread(target=work, name=part, daemon=True).start()


def _on_signals(leave: Callable[[], None]) -> None:
    """Where the loop cannot take them, the system's own way to end a program is good enough."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(number, leave)
