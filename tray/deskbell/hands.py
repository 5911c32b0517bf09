"""What happens when the person clicks? One case for every Action."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from deskbell import VERSION, log
from deskbell.actions import Action, CopyResume, Details, Hooks, HooksWish, Jump, Mute, Open, Snooze, StartAtLogin
from deskbell.board import Board
from deskbell.desktop import launch
from deskbell.errors import Problem
from deskbell.home import Home, claude_dir
from deskbell.menu import line
from deskbell.notices.policy import Policy
from deskbell.notices.stillness import Stillness
from deskbell.session import Key, Session
from deskbell.terminal.resume import resume_command
from deskbell.words import clock, wants

MANY = 8
"""Sessions that fit a message."""


class Setup(Protocol):
    def change(self, wish: HooksWish) -> str:
        """What happened, in one sentence."""

    def start_at_login(self, on: bool) -> None: ...
    def doctor(self) -> str:
        """Every check and what it found, as text."""


class Desk(Protocol):
    def copy(self, text: str) -> None: ...
    def show(self, path: Path) -> None: ...


@dataclass(frozen=True)
class RealHands:
    home: Home
    setup: Setup
    stillness: Stillness
    say: Callable[[str, str], None]
    """Title and text of a plain message to the person."""
    clock: Callable[[], float]
    desk: Desk = launch

    async def do(self, action: Action, board: Board) -> None:
        try:
            await self._do(action, board)
        except Problem as problem:
            self.say("That did not work", str(problem))

    async def _do(self, action: Action, board: Board) -> None:
        match action:
            case Jump(key) | CopyResume(key):
                await self._copy_resume(_find(board, key))
            case Details(key):
                self._details(_find(board, key))
            case Mute(key, muted):
                self.stillness.mute(key[0], muted)
            case Snooze():
                self.stillness.snooze(action)
            case Hooks(wish):
                self.say("Hooks of Claude Code", await asyncio.to_thread(self.setup.change, wish))
            case StartAtLogin(on):
                await asyncio.to_thread(self.setup.start_at_login, on)
            case Open(what):
                await self._open(what, board)

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
            f"{wants(session)}, since {clock(session.since, self.clock())}",
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
                await asyncio.to_thread(self.desk.show, log.path(self.home.state))
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
        path.write_text(self.setup.doctor(), encoding="utf-8")
        self.desk.show(path)


def _find(board: Board, key: Key) -> Session:
    for session in (*board.sessions, *board.hidden):
        if session.key == key:
            return session
    raise Problem("This session is gone.")
