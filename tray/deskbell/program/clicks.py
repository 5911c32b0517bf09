"""Carry out what the person clicked: one case for every Action but Quit, which the loop itself carries out.

The loop calls this. If an action fails, a message says which and why.
"""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from deskbell.board import Board
from deskbell.doctor import Check
from deskbell.errors import Problem, reason
from deskbell.face.actions import (
    Action,
    Answer,
    Answers,
    Attach,
    CopyResume,
    Details,
    Dismiss,
    Hooks,
    HooksWish,
    Jump,
    Later,
    Mute,
    Open,
    Reply,
    Resume,
    Seen,
    Snooze,
    StartAtLogin,
)
from deskbell.history.present import where
from deskbell.home import Home, claude_dir, with_tilde
from deskbell.notices.notice import Button
from deskbell.notices.quiet import QuietFile
from deskbell.program import on_click
from deskbell.program.dialogue import Press, Say, answer, nobody_asks, title
from deskbell.program.failed import FAILED, could_not, typed
from deskbell.program.replies import reply_to
from deskbell.session import Key, Session
from deskbell.settings.settings_file import Change
from deskbell.terminal.resume import resume_command
from deskbell.text.wording import short
from deskbell_icons import Sign

if TYPE_CHECKING:
    from deskbell.desktop.jump.arrival import Arrival
    from deskbell.program.openings import Openings

HOOKS, PLACE, COPIED = "hooks", "place", "copied"
"""Slots. A message replaces the last one in its slot, and no other."""

log = logging.getLogger(__name__)


class PlannedHooks(Protocol):
    def examine(self) -> None:
        """Find out again what hooks this machine needs."""

    def planned(self) -> Sequence[Change]:
        """Return what an install would change. Raise Problem if it would be refused."""


class ChangeableHooks(PlannedHooks, Protocol):
    def change(self, wish: HooksWish) -> str:
        """Carry out WISH and return what happened. Raise Problem if it failed."""

    def answer(self, on: bool) -> str:
        """Switch answers on or off, and return what happened. Raise Problem if it failed."""


class ChangeableLogin(Protocol):
    def set(self, on: bool) -> None: ...


class ChangeableCrashes(Protocol):
    def see(self, sessions: Iterable[Session], now: float) -> None:
        """Note that the person has seen that SESSIONS crashed. Raise Problem if it cannot be noted."""

    def dismiss(self, sessions: Iterable[Session], now: float) -> None:
        """Take SESSIONS off the board. Raise Problem if that cannot be noted."""


@dataclass(frozen=True)
class RealHands:
    """What actually carries out the actions: the Hands of `parts`."""

    home: Home
    hooks: ChangeableHooks
    login: ChangeableLogin
    checks: Callable[[], Sequence[Check]]
    """Returns every check of the doctor."""
    quiet_file: QuietFile
    say: Say
    offer: Callable[[], None]
    """Offers to install the hooks."""
    clock: Callable[[], float]
    past: Callable[[Key], Iterable[Session]]
    """Returns the clients of the session with this key that still have a record."""
    crashes: ChangeableCrashes
    copy: Callable[[str], str]
    """Puts a text on the clipboard. Returns why it may not have arrived; empty if it has."""
    show: Callable[[Path], None]
    """Opens a file with the person's own program."""
    resume: Callable[[Session, Home], None] = on_click.resume_in_terminal
    """Opens a terminal in which a session goes on. Raises Problem if it cannot."""
    board: Callable[[Session | None, Home], None] = on_click.board_in_terminal
    """Opens a terminal with the board, or with the details of a session on it. Raises Problem if it cannot."""
    go_to: Callable[[Session, str | None, Home], "Arrival"] = on_click.go_to
    """Brings a session to the front, and says how far it came."""
    attach: Callable[["Arrival", Session, Home], None] = on_click.attach_in_terminal
    """Opens a terminal that shows a session. Raises Problem if it cannot."""
    press: Press = nobody_asks
    """Answers an open request."""
    prepare: Callable[[str, str], Awaitable[None]] | None = None
    """Awaited before `press`, with the request and the choice."""

    async def do(self, action: Action, board: Board) -> None:
        try:
            await self._do(action, board)
        except (Problem, OSError) as problem:
            log.warning("%s: %s", could_not(action), problem)
            self.say(FAILED, could_not(action), f"{with_tilde(reason(problem))}{typed(action)}", sign="error")

    async def _do(self, action: Action, board: Board) -> None:
        match action:
            case Jump(key, token):
                await self._jump(await self._find(board, key), board, token)
            case Attach(key):
                await self._attach(await self._find(board, key))
            case CopyResume(key):
                await self._copy_resume(await self._find(board, key), board)
            case Resume(key):
                await self._resume(await self._find(board, key), board)
            case Seen(keys):
                await asyncio.to_thread(self.crashes.see, _all(keys, board), self.clock())
            case Dismiss(keys):
                await asyncio.to_thread(self.crashes.dismiss, _all(keys, board), self.clock())
            case Details(key):
                await self._details(await self._find(board, key), board)
            case Answer(key, code, choice):
                session = await self._find(board, key)
                if self.prepare:
                    await self.prepare(code, choice)
                answer(session, action, self.press, self.say)
            case Reply(key, text, turn):
                await reply_to(await self._find(board, key), text, self.home, self.copy, self.say, turn)
            case Mute(key, muted):
                await asyncio.to_thread(self.quiet_file.mute, key[0], muted)
            case Later(key, on):
                await asyncio.to_thread(self.quiet_file.later, key[0], on)
            case Snooze():
                await asyncio.to_thread(self.quiet_file.snooze, action)
            case Hooks(wish):
                happened = await asyncio.to_thread(self.hooks.change, wish)
                sign: Sign = "install" if wish == "uninstall" else "plain"
                self.say(HOOKS, "Hooks of Claude Code", happened, sign=sign)
            case Answers(on):
                self.say(HOOKS, "Answers from notifications", await asyncio.to_thread(self.hooks.answer, on))
            case StartAtLogin(on):
                await asyncio.to_thread(self.login.set, on)
            case Open(what):
                await self._openings().reveal(what, board)
                if what == "board":
                    await self._see(board.crashed)

    async def _find(self, board: Board, key: Key) -> Session:
        """Return the session with KEY, on the board or in the records. Raise Problem if there is none.

        The notification of a crash may be clicked long after its session has left the board.
        """
        here = _with(key, (*board.sessions, *board.hidden))
        if found := here or _with(key, await asyncio.to_thread(self.past, key)):
            return found
        raise Problem("This session no longer exists.", "Run `deskbell list --all` to see those that do.")

    async def _details(self, session: Session, board: Board) -> None:
        """Show the details of SESSION; in a page if it has left the board, because only a page can show it then."""
        await self._openings().details(session, session in (*board.sessions, *board.hidden))

    async def _jump(self, session: Session, board: Board, token: str | None) -> None:
        """Go to SESSION. If it is over, show its details instead, which say how to resume it."""
        if session.over:
            await self._details(session, board)
            await self._see([session])
            return
        came = await asyncio.to_thread(self.go_to, session, token, self.home)
        if came.complete is False:
            attach = Button("attach", "Open it in a terminal", Attach(session.key))
            folder = f"\nFolder: {short(session.cwd, 200)}" if session.cwd else ""
            buttons = [attach] if came.offer else []
            self.say(PLACE, title(session), f"{came.sentence}{folder}", *buttons, sign=session.status)

    async def _attach(self, session: Session) -> None:
        """Open a terminal that shows SESSION, unless it can be reached by now."""
        came = await asyncio.to_thread(self.go_to, session, None, self.home)
        if came.offer:
            await asyncio.to_thread(self.attach, came, session, self.home)
        elif came.complete is False:
            raise Problem(came.sentence)

    async def _resume(self, session: Session, board: Board) -> None:
        _refuse_running(session, board)
        await asyncio.to_thread(self.resume, session, self.home)
        await self._see([session])

    async def _copy_resume(self, session: Session, board: Board) -> None:
        _refuse_running(session, board)
        command = resume_command(session, claude_dir(), sys.platform == "win32")
        name = short(session.name, 60)
        button = Button("details", "Show the command", Details(session.key))
        try:
            unsure = await asyncio.to_thread(self.copy, command)
        except Problem as problem:
            self.say(COPIED, could_not(CopyResume(session.key)), f"{problem}\n{command}", button, sign="error")
        else:
            if unsure:
                self.say(COPIED, f"Resume command for {name}", f"{command}\n{unsure}", button)
            else:
                self.say(COPIED, f"Copied to clipboard: resume command for {name}", command)
        await self._see([session])

    async def _see(self, sessions: Iterable[Session]) -> None:
        """Note that the person has seen SESSIONS. A crash that cannot be noted only stays longer."""
        with suppress(Problem):
            await asyncio.to_thread(self.crashes.see, sessions, self.clock())

    def _openings(self) -> "Openings":
        from deskbell.program.openings import Openings  # imported for a click that opens something, and for no other

        return Openings(self.home, self.hooks, self.checks, self.say, self.offer, self.clock, self.show, self.board)


def _refuse_running(session: Session, board: Board) -> None:
    everything = (session, *board.sessions, *board.hidden)
    if there := next((one for one in everything if one.session_id == session.session_id and not one.over), None):
        raise running_there(there)


def running_there(session: Session) -> Problem:
    """Return the Problem that refuses to resume SESSION and says where it runs."""
    at = where(session.place)
    running = f"{short(session.project, 40)} is still running{f' in {at}' if at else ''}."
    return Problem(f"{running} Resuming it would start it twice.", "Use it there, or end it first.")


def _all(keys: Iterable[Key], board: Board) -> list[Session]:
    """Return the sessions with these keys that are still on the board."""
    return [session for session in board.sessions if session.key in keys]


def _with(key: Key, sessions: Iterable[Session]) -> Session | None:
    return next((session for session in sessions if session.key == key), None)
