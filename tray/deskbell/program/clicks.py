"""Carry out what the person clicked: one case for every Action.

The loop calls this. What fails is shown as a message that names what failed.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from deskbell import VERSION
from deskbell.board import Board
from deskbell.errors import NOT_WRITTEN, Problem, reason
from deskbell.face.actions import (
    Action,
    CopyResume,
    Details,
    Dismiss,
    Hooks,
    HooksWish,
    Jump,
    Mute,
    Open,
    Quit,
    Resume,
    Seen,
    Snooze,
    StartAtLogin,
)
from deskbell.face.menu import line
from deskbell.files.write import write_private
from deskbell.history.present import where
from deskbell.home import Home, claude_dir, with_tilde
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import QuietFile
from deskbell.program.log import path as log_path
from deskbell.program.resuming import resume_in_terminal
from deskbell.session import Key, Session
from deskbell.terminal.resume import resume_command
from deskbell.text.times import clock
from deskbell.text.wording import counts, headline, short
from deskbell_icons import Sign

OPENED = {
    "board": "the list of sessions",
    "settings": "the settings",
    "log": "the log",
    "doctor": "the doctor's report",
    "about": "the version",
}
LONGEST = 300
"""Characters of a line of the details."""
MANY = 8
"""Sessions that fit into a message."""
FAILED, HOOKS, PLACE, COPIED, DETAILS, BOARD, ABOUT = "failed", "hooks", "place", "copied", "details", "board", "about"
"""Slots. A message takes the place of the last one about the same, and of nothing else."""

log = logging.getLogger(__name__)


class ChangeableHooks(Protocol):
    def change(self, wish: HooksWish) -> str:
        """Carry out WISH and return what happened in one sentence. Raise Problem if it failed."""

    def examine(self) -> None:
        """Find out again what hooks this machine needs."""


class ChangeableLogin(Protocol):
    def set(self, on: bool) -> None: ...


class ChangeableCrashes(Protocol):
    def see(self, sessions: Iterable[Session], now: float) -> None:
        """Note that the person has seen that SESSIONS crashed. Raise Problem if it cannot be noted."""

    def dismiss(self, sessions: Iterable[Session], now: float) -> None:
        """Take SESSIONS off the board. Raise Problem if that cannot be noted."""


class Say(Protocol):
    def __call__(self, slot: str, title: str, text: str, *, sign: Sign = "plain") -> None:
        """Show a message to the person, in place of what is in SLOT."""


@dataclass(frozen=True)
class RealHands:
    home: Home
    hooks: ChangeableHooks
    login: ChangeableLogin
    report: Callable[[], str]
    """Returns every check of the doctor and what it found."""
    quiet_file: QuietFile
    say: Say
    clock: Callable[[], float]
    past: Callable[[Key], Iterable[Session]]
    """Returns the clients of the session with this key that still have a record."""
    crashes: ChangeableCrashes
    copy: Callable[[str], str]
    """Puts a text on the clipboard. Returns why it may not have arrived; nothing if it has."""
    show: Callable[[Path], None]
    """Opens a file with the person's own program."""
    resume: Callable[[Session, Home], None] = resume_in_terminal
    """Opens a terminal in which a session goes on. Raises Problem if it cannot."""

    async def do(self, action: Action, board: Board) -> None:
        try:
            await self._do(action, board)
        except (Problem, OSError) as problem:
            log.warning("%s: %s", could_not(action), problem)
            self.say(FAILED, could_not(action), with_tilde(reason(problem)), sign="error")

    async def _do(self, action: Action, board: Board) -> None:
        match action:
            case Jump(key):
                await self._jump(await self._find(board, key), board)
            case CopyResume(key):
                await self._copy_resume(await self._find(board, key), board)
            case Resume(key):
                await self._resume(await self._find(board, key), board)
            case Seen(keys):
                self.crashes.see(_all(keys, board), self.clock())
            case Dismiss(keys):
                self.crashes.dismiss(_all(keys, board), self.clock())
            case Details(key):
                self._details(await self._find(board, key))
            case Mute(key, muted):
                self.quiet_file.mute(key[0], muted)
            case Snooze():
                self.quiet_file.snooze(action)
            case Hooks(wish):
                await self._change_hooks(wish)
            case StartAtLogin(on):
                await asyncio.to_thread(self.login.set, on)
            case Open(what):
                await self._open(what, board)

    async def _change_hooks(self, wish: HooksWish) -> None:
        happened = await asyncio.to_thread(self.hooks.change, wish)
        self.say(HOOKS, "Hooks of Claude Code", happened, sign="install" if wish == "uninstall" else "plain")

    async def _find(self, board: Board, key: Key) -> Session:
        """Look in the records too: the notification of a crash may be clicked long after the session left the board."""
        here = _with(key, (*board.sessions, *board.hidden))
        if found := here or _with(key, await asyncio.to_thread(self.past, key)):
            return found
        raise Problem("This session no longer exists.", "Run `deskbell list --all` to see those that do.")

    async def _jump(self, session: Session, board: Board) -> None:
        if session.over:
            await self._copy_resume(session, board)
        else:
            lines = [session.cwd and short(session.cwd, 200), f"Terminal: {where(session.place) or 'not known'}"]
            self.say(PLACE, title(session), "\n".join(line for line in lines if line), sign=session.status)

    async def _resume(self, session: Session, board: Board) -> None:
        _refuse_running(session, board)
        await asyncio.to_thread(self.resume, session, self.home)
        self._see([session])

    async def _copy_resume(self, session: Session, board: Board) -> None:
        _refuse_running(session, board)
        command = resume_command(session, claude_dir(), sys.platform == "win32")
        try:
            unsure = await asyncio.to_thread(self.copy, command)
        except Problem as problem:
            self.say(COPIED, f"Resume command for {short(session.name, 60)}", f"{command}\n({problem})", sign="error")
        else:
            done = "Resume command" if unsure else "Copied to clipboard: resume command"
            self.say(COPIED, f"{done} for {short(session.name, 60)}", f"{command}\n{unsure}".rstrip())
        self._see([session])

    def _see(self, sessions: Iterable[Session]) -> None:
        """A crash that cannot be noted as seen only stays longer; the icon says that nothing can be written."""
        with suppress(Problem):
            self.crashes.see(sessions, self.clock())

    def _details(self, session: Session) -> None:
        lines = [
            f"{headline(session)}, since {clock(session.since, self.clock())}",
            " ".join(part for part in (session.cwd, session.branch and f"({session.branch})") if part),
            " ".join(part for part in (session.model, session.permission_mode) if part),
            session.last_line,
            session.reason,
        ]
        text = "\n".join(short(line, LONGEST) for line in lines if line)
        self.say(DETAILS, title(session), text, sign=session.status)

    async def _open(self, what: str, board: Board) -> None:
        match what:
            case "board":
                listed = (*board.needs_you, *board.running, *board.crashed)[:MANY]
                text = "\n".join(line(session, self.clock()) for session in listed)
                self.say(BOARD, counts(board), text, sign=listed[0].status if listed else "plain")
                self._see(listed)
            case "settings":
                await asyncio.to_thread(self._settings)
            case "log":
                await asyncio.to_thread(self._log)
            case "doctor":
                await asyncio.to_thread(self._doctor)
            case "about":
                self.say(ABOUT, f"Deskbell {VERSION}", "The bell on the desk for Claude Code. MIT licence.")

    def _settings(self) -> None:
        path = self.home.config / "config.toml"
        if not path.exists():
            from deskbell.notices import policytext  # imported for this click only: it is not needed otherwise

            policytext.write(path, policytext.document(Policy(), commented=True))
        self.show(path)

    def _log(self) -> None:
        path = log_path(self.home.state)
        if not path.exists():
            log.info("the log begins anew")  # its handler makes the file
        if not path.exists():
            raise Problem(f"There is no log: {path} could not be written.", NOT_WRITTEN)
        self.show(path)

    def _doctor(self) -> None:
        self.hooks.examine()
        path = self.home.state / "doctor.txt"
        try:
            write_private(path, self.report().encode())
        except OSError as error:  # the disk that the doctor reports on may be full
            raise Problem(f"{reason(error)}.", "Run `deskbell doctor` in a terminal.") from None
        self.show(path)


def could_not(action: Action) -> str:
    """Return what failed, as the title of a message."""
    match action:
        case Jump():
            return "Could not show where the session runs"
        case Resume():
            return "Could not resume the session in a terminal"
        case CopyResume():
            return "Could not copy the resume command"
        case Seen() | Dismiss():
            return "Could not take a crash off the list"
        case Details():
            return "Could not show the details"
        case Mute(_, muted):
            return f"Could not {'mute' if muted else 'unmute'} the session"
        case Snooze(until):
            return "Could not snooze" if until else "Could not end the snooze"
        case Hooks(wish):
            return f"Could not {wish} the hooks"
        case StartAtLogin(on):
            return f"Could not switch the start at login {'on' if on else 'off'}"
        case Open(what):
            return f"Could not open {OPENED[what]}"
        case Quit():
            return "Could not quit"


def title(session: Session) -> str:
    """Return the title of a message about one session."""
    return short(f"{session.project}: {session.name}", 100)


def _refuse_running(session: Session, board: Board) -> None:
    everything = (session, *board.sessions, *board.hidden)
    if there := next((one for one in everything if one.session_id == session.session_id and not one.over), None):
        raise running_there(there)


def running_there(session: Session) -> Problem:
    """Say where SESSION runs in place of resuming it."""
    at = where(session.place)
    running = f"{short(session.project, 40)} is still running{f' in {at}' if at else ''}."
    return Problem(f"{running} Resuming it would start it twice.", "Use it there, or end it first.")


def _all(keys: Iterable[Key], board: Board) -> list[Session]:
    """The sessions with these keys that are still on the board."""
    return [session for session in board.sessions if session.key in keys]


def _with(key: Key, sessions: Iterable[Session]) -> Session | None:
    return next((session for session in sessions if session.key == key), None)
