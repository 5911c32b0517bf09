"""Build the program from its real parts, and run it.

This is the composition root. It makes the parts in order; a part that calls one that is made later gets a Relay.
"""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from deskbell.board import Board
from deskbell.desktop.autostart import Login
from deskbell.desktop.clipboard import Clipboard
from deskbell.desktop.ears import RealEars
from deskbell.desktop.logout import Departure
from deskbell.desktop.notify import entry, notifier
from deskbell.desktop.senses import Person
from deskbell.desktop.terminal_rings import TerminalRings
from deskbell.desktop.tray import SilentTray, run, tray, xembed
from deskbell.desktop.tray.host import Host
from deskbell.doctor import Check
from deskbell.errors import Problem, reason
from deskbell.face.actions import Action, Quit
from deskbell.face.facts import Facts
from deskbell.face.room import room
from deskbell.home import Home, with_tilde
from deskbell.notices.bell import NewsBell
from deskbell.notices.judge import ANSWER_OF_HOOK, REPORTED_BY_HOOK
from deskbell.notices.probe import probe
from deskbell.notices.quiet import QuietFile
from deskbell.program.away import Away
from deskbell.program.boundary import Boundary
from deskbell.program.greeting import Greeting
from deskbell.program.late import LateDesk, LateHands, LateMarks
from deskbell.program.loop import App
from deskbell.program.parts import Hands
from deskbell.program.published import Published
from deskbell.program.relay import Relay
from deskbell.program.signals import on_signals
from deskbell.program.single import is_asked_to_show
from deskbell.program.started import Started
from deskbell.program.storage import Storage
from deskbell.program.tidying import Tidying
from deskbell.program.used_up import UsedUp
from deskbell.session import Key, Session
from deskbell.sessions.clock import since_start
from deskbell.sessions.crashes import CrashFile
from deskbell.sessions.usages import usages
from deskbell.sessions.world import World
from deskbell.settings.claude_code import installed_client
from deskbell.settings.hooks_state import InstalledHooks
from deskbell.settings.known import remembered_config_dirs
from deskbell.steady import steady
from deskbell.terminal.out import complain, say
from deskbell.wake import Wake

if TYPE_CHECKING:
    from deskbell.program.answering import Answering

EXAMINE_AGAIN = 300.0
"""Seconds until the hooks are examined again if that failed."""

log = logging.getLogger(__name__)


class Program:
    def __init__(
        self,
        home: Home,
        headless: bool,
        clock: Callable[[], float] = time.time,
        hooks: InstalledHooks | None = None,
        login: Login | None = None,
        tell: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        """TELL prints a sentence for a person who started the program in a terminal."""
        self._home = home
        self._clock = clock
        self._steady = steady(clock)
        self.boundary = Boundary()
        self._wake = Wake()
        self._clicks: Relay[[Action]] = Relay()
        self._not_sent: Relay[[str, str, str]] = Relay()
        self._quiet_file = QuietFile(home.state, clock)
        self._hooks = hooks or InstalledHooks(home)
        self._login = login or Login()
        away = Away.over(home.state / "outbox", self._steady, self._not_sent, self.boundary, clock)
        self._bell = NewsBell(
            home=home,
            notifier=partial(notifier, supervisor=self.boundary, remembered=home.state / "screen.json"),
            desktop=Person(self.boundary, self._wake),
            outbox=away,
            quiet=self._quiet_file.quiet,
            clicked=self._clicks,
            clock=clock,
            patience=self._patience,
            steady=self._steady,
            in_terminals=TerminalRings(self.boundary, self._not_sent),
            wake=self._wake,
        )
        self._not_sent.connect(self._bell.not_sent)
        away.outbox.standing = self._bell.standing
        self._greeting = Greeting(home, self._bell.screen)
        self._told = Started(tell, headless)
        self._clipboard = Clipboard(self.boundary)
        self._departure = Departure(self.boundary, self._leave)
        self._host = Host(self.boundary, self._without_icon, os.environ)
        self._tray = xembed.Spared(
            SilentTray() if headless else tray(self.boundary, self._clicks, self._hosted),
            partial(xembed.tray, self.boundary, self._clicks),
        )
        self._crashes = CrashFile(home.state)
        self._marks = LateMarks(home.state, self.boundary)
        self._answering = LateDesk(partial(self._desk, away), lambda: self._bell.settings.policy.answers.needs_asker)
        self._bell.dismissed = self._answering.dismissed
        self._ears = RealEars(self.boundary, self._folders, lambda pid: self._world.died(pid), self._answering.nudge)
        self._world = World(
            home.sessions,
            self._config_dirs,
            log.warning,
            crashes=self._crashes.known,
            probe=probe,
            elapsed=since_start if clock is time.time else lambda: None,  # any other clock runs as it likes
            heard=self._ears.hear,
        )
        self.app = App(
            world=self._world,
            facts=self._facts,
            ears=self._ears,
            tray=self._tray,
            bell=self._bell,
            hands=LateHands(self._hands),
            clock=clock,
            boundary=self.boundary,
            wake=self._wake,
            storage=Storage(home, lambda: self._world.silent),
            problems=self._problems,
            is_asked_to_show=partial(is_asked_to_show, home.state),
            attach=self._answering.attached,
            note=self._crashes.follow,
            publish=partial(self._publish, Published(home)),
            used_up=UsedUp(home.state, self._say_of_limit, lambda: self._bell.settings.policy).ring,
            mark=self._marks.show,
        )
        self._clicks.connect(self.app.click)
        self._tidying = Tidying(home, self.boundary, clock, self._steady, lambda: self.app.board)

    def run(self, install: bool = False) -> None:
        if install:
            self._install()
        run(self.boundary, self._run, partial(self._clicks, Quit()))

    def _run(self) -> None:
        runner = asyncio.Runner()
        try:
            runner.run(self.live())
        finally:
            with contextlib.suppress(RuntimeError):  # closing starts a thread that waits for the others, which may fail
                runner.close()

    async def live(self) -> None:
        """Run until the person quits, a signal asks the program to end, or the desktop session is over."""
        with self.boundary.strays():
            self._clicks.open()
            self._not_sent.open()
            on_signals(self.app.quit)
            self._told.begin()
            self.boundary.keep("start at login", self._examine_login)
            self.boundary.keep("examination of the hooks", self._examine_hooks)
            self.boundary.keep("history", self._tidying.run)
            try:
                await self.app.run()
            finally:
                self._clipboard.close()

    def _install(self) -> None:
        """Install the hooks. If that fails, say so and go on: the menu shows the failure, too."""
        try:
            say(self._hooks.change("install"))
        except (Problem, OSError) as problem:
            complain(reason(problem))

    def _config_dirs(self) -> list[Path]:
        return remembered_config_dirs(self._home.config)

    def _folders(self) -> list[Path]:
        """Return the folders whose changes matter."""
        settings = self.boundary.call("folders of the settings", self._hooks.folders) or []
        return [self._home.sessions, *self._world.watched, self._home.state, self._home.config, *settings]

    def _patience(self, board: Board) -> float:
        """Return the seconds to wait for a hook of the person's own, which may answer what the sessions ask."""
        asking = [session for session in board.sessions if session.status in REPORTED_BY_HOOK]
        projects = {Path(folder) for session in asking for folder in session.started_in}
        answers = asking and self._hooks.others("PermissionRequest", self._world.config_dirs, projects)
        return ANSWER_OF_HOOK if answers else 0.0

    def _recorded(self, key: Key) -> list[Session]:
        """Return the clients of the session of KEY, however long ago it ended."""
        crashes = self._crashes.known
        world = World(self._home.sessions, self._config_dirs, ended_for=float("inf"), crashes=crashes, only=key[0])
        return world.read(self._clock())

    def _desk(self, away: Away) -> "Answering":
        from deskbell.program.answering import Answering  # imported when answers are switched on

        return Answering(
            self._home,
            self.boundary,
            policy=lambda: self._bell.settings.policy,
            config_dirs=lambda: self._world.config_dirs,
            focused=self._bell.desktop.focused,
            say=self._greeting.say,
            withdraw=self._bell.screen.withdraw,
            wake=self._wake,
            clock=self._clock,
            away=away,
        )

    def _hands(self) -> Hands:
        from deskbell.desktop import launch  # imported for a click only
        from deskbell.program.clicks import RealHands

        return RealHands(
            self._home,
            self._hooks,
            self._login,
            self._checks,
            self._quiet_file,
            self._greeting.say,
            self._greeting.offer,
            self._clock,
            self._recorded,
            self._crashes,
            self._clipboard.copy,
            launch.show,
            press=self._answering.press,
            prepare=self._answering.prepare,
        )

    def _checks(self) -> list[Check]:
        from deskbell.doctor import report  # imported for this click only

        return report.checks(self._home, installed_client(self._home.config), self._hooks.targets())

    def _facts(self) -> Facts:
        hooks = self.boundary.call("hooks", self._hooks.hooks) or "unknown"
        if hooks not in ("missing", "unknown"):
            self._greeting.settled()
        return Facts(
            hooks=hooks,
            happened=with_tilde(self._hooks.happened),
            answers=self._hooks.answers,
            autostart=self._login.on,
            snoozed_until=self._quiet_file.quiet().snooze(self._clock()),
            muted=self._quiet_file.muted(),
            later=self._quiet_file.laters(),
            room=room(os.environ),
            usages=usages(self._home.statusline, self._clock()),
        )

    def _publish(self, published: Published, board: Board | None, now: float) -> None:
        if board is not None:
            self._greeting.follow(board)
        published.write(board, now)

    def _say_of_limit(self, slot: str, title: str, text: str) -> None:
        self._greeting.say(slot, title, text, sign="limit")

    def _problems(self) -> list[str]:
        found = self._hooks.problem, self._hooks.removed, self._bell.problem, self._marks.problem
        return [problem for problem in found if problem]

    async def _examine_login(self) -> None:
        await asyncio.to_thread(self._login.examine)
        self._wake()
        await asyncio.to_thread(entry.put)

    async def _examine_hooks(self) -> None:
        """Examine the hooks, and again whenever that has failed, as it also may at a click."""
        while True:
            await asyncio.to_thread(self._hooks.examine)
            self._wake()
            if self.boundary.call("hooks", self._hooks.hooks) == "missing":
                self._greeting.welcome()
            await asyncio.sleep(EXAMINE_AGAIN)
            while not self._hooks.problem:
                await asyncio.sleep(EXAMINE_AGAIN)

    def _hosted(self, hosted: bool) -> None:
        if hosted:
            self._tray.come_back()
            self._greeting.with_icon()
            self._told.with_icon()
        self._departure.hosted(hosted)
        self._host.hosted(hosted)

    def _leave(self) -> None:
        log.info("the person's session is over")
        self.app.quit()

    def _without_icon(self, why: str) -> None:
        """Use the spare tray. Without one, say so, also if an error ends the search."""
        found = False
        try:
            found = self._tray.fall_back()
        finally:
            if found:
                log.info("the icon is in a tray of the older kind")
                self._told.with_icon()
            else:
                self._greeting.without_icon(why)
                self._told.without_icon(why)
