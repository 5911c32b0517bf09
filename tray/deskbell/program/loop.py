"""Run the loop: read the sessions, put them in order and show them, whenever something may have changed.

A step of a session that goes on running may be shown a little later, with the steps that follow it.

Everything that touches the system is passed in and called through the boundary. So is each turn as a whole: an
unforeseen error in the loop itself costs one turn. The face shows what is broken.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from math import inf
from pathlib import Path

from deskbell.board import Board, board, leaves
from deskbell.face import Face, Tray
from deskbell.face.actions import Action, Open, Quit
from deskbell.face.facts import Facts
from deskbell.face.look import look
from deskbell.face.menu import menu, opened
from deskbell.home import with_tilde
from deskbell.program.boundary import Boundary
from deskbell.program.parts import Bell, Disk, Ears, GoodStorage, Hands, Outlook, Storage, World, disk, outlook
from deskbell.program.problems import bare_face, sentence, summary
from deskbell.program.steps import only_run_on
from deskbell.session import Session
from deskbell.wake import Wake

RESCAN = 30.0
"""Seconds after which everything is read again in any case: watchers lose events, and machines sleep."""
UNHEARD = 1.0
"""Seconds after which everything is read again while changes of files, or ends of processes, go unnoticed."""
SHARE = 0.02
"""The part of one processor that the loop may use in the long run. After using more, it sleeps, then reads again."""
CREDIT = 3.0
"""Seconds of sleep that the loop may put off, so that each step of a quick session is shown at once."""
LONGEST_REST = 0.25
STEP = 0.4
"""Seconds from one turn to the next if sessions that run only go on running."""
SHORTEST_WAIT = 0.1
"""Seconds until the next turn if it is overdue."""
STOPS_WITHIN = 8.0
"""Seconds that the bell has to take its notifications off the screen."""


@dataclass
class App:
    """The loop, and what it knows. `run` runs it; every other method is called in it."""

    world: World
    facts: Callable[[], Facts]
    ears: Ears
    tray: Tray
    bell: Bell
    hands: Hands
    clock: Callable[[], float] = time.time
    share: float = SHARE
    boundary: Boundary = field(default_factory=Boundary)
    wake: Wake = field(default_factory=Wake)
    board: Board = field(default_factory=Board)
    storage: Storage = field(default_factory=GoodStorage)
    problems: Callable[[], Sequence[str]] = tuple
    """Returns the problems that other parts know, a sentence each."""
    is_asked_to_show: Callable[[float], bool] = lambda now: False
    """Returns whether Deskbell was started a second time, by a person who does not see that it runs."""
    attach: Callable[[Sequence[Session]], Sequence[Session]] = lambda sessions: sessions
    """Adds to each session the request that can be answered from here."""
    note: Callable[[Sequence[Session], float], None] = lambda sessions, now: None
    """Writes down which of these sessions crashed, and when, because a later start cannot find that out."""
    publish: Callable[[Board | None, float], None] = lambda board, now: None
    """Tells the statusline which sessions wait; None at the end."""
    used_up: Callable[[Facts, float], None] = lambda facts, now: None
    """Rings if much of a limit of an account is used."""
    mark: Callable[[Board | None], None] = lambda board: None
    """Shows the sessions in the panes of tmux; None at the end. Never blocks."""

    def __post_init__(self) -> None:
        self.boundary.changed = self.wake
        self._ended = False
        self._unread = True
        """Whether the sessions have never been read."""
        self._sessions: Sequence[Session] = ()
        """The sessions as they were last read."""
        self._rung = Board()
        """The board that the bell last handled without an error."""
        self._shown_at = float("-inf")
        """When the sessions were last put in order and shown."""
        self._due = float("-inf")
        """When the turn after that one is due."""
        self._mended = 0.0
        self._outlook = Outlook()
        self._watched: Sequence[Path] = ()
        """The folders of other accounts that are listened to."""
        self._disk = Disk()
        self._drawn = False
        """Whether this turn has drawn the face."""
        self._rested = float("-inf")
        """The time until which the loop has to sleep for the processor time that it has used; past if it need not."""
        self._facts = Facts()
        self._seen: object = None
        self._face: Face | None = None
        """The face that was made from `_seen`."""
        self._unstarted: dict[str, Callable[[], None]] = {
            "tray": self.tray.start,
            "bell": self.bell.start,
            "files": partial(self.ears.listen, self.wake),
        }

    def click(self, action: Action) -> None:
        """Start ACTION. Call this in the loop, which goes on meanwhile and reads again when the action has ended."""
        if isinstance(action, Quit):
            self.quit()
        else:
            self.boundary.once("clicks", self._do(action))

    def quit(self) -> None:
        self._ended = True
        self.wake()

    async def run(self) -> None:
        try:
            while not self._ended:
                await self._rest(*self._bounded_turn())
        finally:
            await self._stop()

    async def _stop(self) -> None:
        self.boundary.call("statusline", self.publish, None, self.clock())
        self.boundary.call("tmux", self.mark, None)
        if "files" not in self._unstarted:
            self.boundary.call("files", self.ears.close)
        if "bell" not in self._unstarted:
            await self.boundary.wait("bell", self._silence())
        if "tray" not in self._unstarted:
            self.boundary.call("tray", self.tray.stop)
        await self.boundary.stopped()

    async def _silence(self) -> None:
        async with asyncio.timeout(STOPS_WITHIN):
            await self.bell.stop()

    def _bounded_turn(self) -> tuple[float, float]:
        """Take a turn. Return the seconds of processor time that it took, and when the next one is due at the latest.

        If the loop itself raises, show that, and take the next turn soon.
        """
        begun, soon = time.thread_time(), self.clock() + UNHEARD
        self._drawn = False
        due = self.boundary.call("loop", self._turn)
        if due is None and not self._drawn and "tray" not in self._unstarted:
            self.boundary.call("tray", self._show_bare)
        return time.thread_time() - begun, soon if due is None else due

    def _turn(self) -> float:
        """Read, show and ring once. Return when the next turn is due."""
        self.wake.clear()
        now = self.clock()
        mend = not 0 <= now - self._mended < RESCAN
        if mend:
            self._mended = now
            self._start()
        before, found = self._sessions, self._read(now)
        again = self._look_ahead(now)
        if found is not None and only_run_on(before, found) and 0 <= now - self._shown_at < STEP and not mend:
            return min(self._shown_at + STEP, self._due, again)
        self._shown_at = now
        self._arrange(found, now)
        self._disk = self.boundary.call("storage", disk, self.storage, now) or self._disk._replace(again=None)
        if self.boundary.call("second start", self.is_asked_to_show, now):
            self.click(Open("board"))
        shown = self._show(now)
        asked = self._ring(now)
        patience = self._listen(mend or self._outlook.watched != self._watched)
        if self._problems(self._facts) != shown:
            self._show(now)
        due = [now + patience, self._disk.again, asked]
        quiet = self._facts.snoozed_until, *self._facts.later.values()
        self._due = min(when for when in (*due, *quiet, *self._leaving()) if when is not None)
        return min(self._due, again)

    def _start(self) -> None:
        """Start every part that has not been started, or whose start raised."""
        for part, start in tuple(self._unstarted.items()):
            self.boundary.call(part, self._start_one, part, start)

    def _start_one(self, part: str, start: Callable[[], None]) -> None:
        start()
        del self._unstarted[part]

    def _read(self, now: float) -> Sequence[Session] | None:
        """Return the sessions; None if they cannot be read."""
        changes = None if "files" in self._unstarted else self.boundary.call("changed files", self.ears.changes)
        found = self.boundary.call("sessions", self.world.read, now, changes)
        self._sessions = () if found is None else found
        return found

    def _look_ahead(self, now: float) -> float:
        """Return when to read the sessions again even if nothing happens."""
        found = self.boundary.call("outlook", outlook, self.world)
        self._outlook = found or self._outlook._replace(again=now + UNHEARD)
        return inf if self._outlook.again is None else self._outlook.again

    def _arrange(self, found: Sequence[Session] | None, now: float) -> None:
        """Arrange the board and pass it to the statusline and tmux. Keep the old one if the sessions are unknown."""
        after = None if found is None else self.boundary.call("order", lambda: board(self._attached(found), now))
        if after is not None:
            self.board, self._unread = after, False
            self.boundary.call("crashes", self.note, (*after.sessions, *after.hidden), now)
            self.boundary.call("statusline", self.publish, after, now)
            self.boundary.call("tmux", self.mark, after)

    def _attached(self, sessions: Sequence[Session]) -> Sequence[Session]:
        """Return SESSIONS with their open requests, or unchanged if those cannot be found."""
        found = self.boundary.call("open requests", self.attach, sessions)
        return sessions if found is None else found

    def _show(self, now: float) -> list[str]:
        """Draw the face. Return the problems that are on it."""
        self._facts = facts = self._known_facts(now)
        shown = self._problems(facts)
        face = self.boundary.call("menu", self._made, replace(facts, problem=summary(shown)), now)
        if face is None:
            shown = self._problems(facts)
            face = bare_face(self.board, summary(shown) or "")
        if "tray" not in self._unstarted:
            self.boundary.call("tray", self.tray.show, face)
        self._drawn = True
        return shown

    def _show_bare(self) -> None:
        """Draw only the error of the loop."""
        problem = summary([sentence("loop", self.boundary.broken.get("loop", ""))]) or ""
        self.tray.show(bare_face(self.board, problem))

    def _ring(self, now: float) -> float | None:
        """Ring for what has changed since the bell last worked. Return when the bell wants to be called again."""
        if "bell" in self._unstarted:
            return None
        self.boundary.call("limits", self.used_up, self._facts, now)
        return None if self._unread else self.boundary.call("bell", self._ring_now, now)

    def _ring_now(self, now: float) -> float | None:
        again = self.bell.ring(self._rung, self.board, now)
        self._rung = self.board
        return again

    def _listen(self, mend: bool) -> float:
        """Have changes and ends of processes reported. Return the seconds after which to read if nothing is."""
        self._watched = self._outlook.watched
        patience: float | None = None
        if "files" not in self._unstarted:
            if mend:
                self.boundary.call("files", self.ears.mend)
            patience = self.boundary.call("processes", self.ears.follow, self._outlook.pids)
        deaf = not self.boundary.broken.keys().isdisjoint(("files", "file watcher", "processes"))
        return min(patience or RESCAN, UNHEARD if deaf else RESCAN)

    def _leaving(self) -> list[float]:
        return [until for session in self.board.sessions if (until := leaves(session)) is not None]

    def _made(self, facts: Facts, now: float) -> Face:
        """Make a new face only if what it depends on has changed. The clock alone changes it at midnight."""
        seen = self.board.sessions, facts, date.fromtimestamp(now)
        if seen != self._seen or self._face is None:
            self._face = Face(look(self.board, facts, now), menu(self.board, facts, now), opened(self.board))
            self._seen = seen
        return self._face

    def _known_facts(self, now: float) -> Facts:
        """Return the facts. If they cannot be gathered, the hooks are unknown and the rest is as last known."""
        if (facts := self.boundary.call("facts", self.facts)) is not None:
            return facts
        until = self._facts.snoozed_until
        snoozed = until if until is not None and until > now else None
        later = {session: at for session, at in self._facts.later.items() if at > now}
        return replace(self._facts, hooks="unknown", problem=None, snoozed_until=snoozed, later=later)

    def _problems(self, facts: Facts) -> list[str]:
        """Return every problem, the one that explains others first."""
        known = self.boundary.call("problems", self.problems) or ()
        full = [self._disk.problem] if self._disk.problem else []
        unread = [sentence("sessions", self._outlook.problem)] if self._outlook.problem else []
        broken = [sentence(part, error) for part, error in dict(self.boundary.broken).items()]
        found = [*full, *unread, *broken, *([facts.problem] if facts.problem else []), *known]
        return [with_tilde(problem) for problem in found]

    async def _rest(self, spent: float, due: float) -> None:
        now = time.monotonic()
        self._rested = min(max(self._rested, now - CREDIT) + spent / self.share, now + LONGEST_REST)
        if self._rested > now or self.wake.is_set:
            await asyncio.sleep(max(0.0, self._rested - now))
        await self.wake.wait(max(SHORTEST_WAIT, due - self.clock()))

    async def _do(self, action: Action) -> None:
        try:
            await self.hands.do(action, self.board)
        finally:
            self.wake()
