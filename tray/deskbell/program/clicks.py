"""What happens when the person clicks? One case for every Action."""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from deskbell import VERSION
from deskbell.board import Board
from deskbell.desktop import launch
from deskbell.errors import Problem
from deskbell.face.actions import Action, CopyResume, Details, Hooks, HooksWish, Jump, Mute, Open, Snooze, StartAtLogin
from deskbell.face.menu import line
from deskbell.files.write import write_private
from deskbell.home import Home, claude_dir
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import QuietFile
from deskbell.program.log import path as log_path
from deskbell.session import Key, Session
from deskbell.terminal.resume import resume_command
from deskbell.text.times import clock
from deskbell.text.wording import headline
from deskbell_hooks.schema import Status

MANY = 8
"""Sessions that fit a message."""

log = logging.getLogger(__name__)


class ChangeableHooks(Protocol):
    def change(self, wish: HooksWish) -> str:
        """Carry out WISH and say what happened in one sentence. Raise Problem where it failed."""


class ChangeableLogin(Protocol):
    def set(self, on: bool) -> None: ...


class Desk(Protocol):
    def copy(self, text: str) -> None: ...
    def show(self, path: Path) -> None: ...


class Say(Protocol):
    def __call__(self, title: str, text: str, *, sign: Status = "idle") -> None:
        """A plain message to the person."""


@dataclass(frozen=True)
class RealHands:
    home: Home
    hooks: ChangeableHooks
    login: ChangeableLogin
    report: Callable[[], str]
    """Every check of the doctor and what it found."""
    quiet_file: QuietFile
    say: Say
    clock: Callable[[], float]
    past: Callable[[], Iterable[Session]]
    """All of which there still is a record."""
    desk: Desk = launch

    async def do(self, action: Action, board: Board) -> None:
        try:
            await self._do(action, board)
        except (Problem, OSError) as problem:
            log.warning("%s did not work: %s", type(action).__name__, problem)
            self.say("That did not work", str(problem), sign="error")

    async def _do(self, action: Action, board: Board) -> None:
        match action:
            case Jump(key) | CopyResume(key):
                await self._copy_resume(await self._find(board, key))
            case Details(key):
                self._details(await self._find(board, key))
            case Mute(key, muted):
                self.quiet_file.mute(key[0], muted)
            case Snooze():
                self.quiet_file.snooze(action)
            case Hooks(wish):
                self.say("Hooks of Claude Code", await asyncio.to_thread(self.hooks.change, wish))
            case StartAtLogin(on):
                await asyncio.to_thread(self.login.set, on)
            case Open(what):
                await self._open(what, board)

    async def _find(self, board: Board, key: Key) -> Session:
        """A notification may be clicked long after its session has left the board: what crashed is to be resumed."""
        here = _with(key, (*board.sessions, *board.hidden))
        if found := here or _with(key, await asyncio.to_thread(self.past)):
            return found
        raise Problem("This session is gone.")

    async def _copy_resume(self, session: Session) -> None:
        command = resume_command(session, claude_dir(), sys.platform == "win32")
        try:
            await asyncio.to_thread(self.desk.copy, command)
        except Problem as problem:
            self.say(f"To resume {session.name}", f"{command}\n({problem})")
        else:
            self.say(f"Copied: the command that resumes {session.name}", command)

    def _details(self, session: Session) -> None:
        lines = [
            f"{headline(session)}, since {clock(session.since, self.clock())}",
            " ".join(part for part in (session.cwd, session.branch and f"({session.branch})") if part),
            " ".join(part for part in (session.model, session.permission_mode) if part),
            session.last_line,
            session.reason,
        ]
        self.say(f"{session.project}: {session.name}", "\n".join(line for line in lines if line))

    async def _open(self, what: str, board: Board) -> None:
        match what:
            case "board":
                lines = [line(session, self.clock()) for session in (*board.needs_you, *board.running)[:MANY]]
                self.say(f"{len(board.needs_you)} need you, {len(board.running)} running", "\n".join(lines))
            case "settings":
                await asyncio.to_thread(self._settings)
            case "log":
                await asyncio.to_thread(self.desk.show, log_path(self.home.state))
            case "doctor":
                await asyncio.to_thread(self._doctor)
            case "about":
                self.say(f"Deskbell {VERSION}", "The bell on the desk for Claude Code. MIT licence.")

    def _settings(self) -> None:
        path = self.home.config / "config.toml"
        if not path.exists():
            from deskbell.notices import policytext  # for this one click, and not for the rest of the day

            policytext.write(path, policytext.document(Policy(), commented=True))
        self.desk.show(path)

    def _doctor(self) -> None:
        path = self.home.state / "doctor.txt"
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_private(path, self.report().encode())
        self.desk.show(path)


def _with(key: Key, sessions: Iterable[Session]) -> Session | None:
    return next((session for session in sessions if session.key == key), None)
