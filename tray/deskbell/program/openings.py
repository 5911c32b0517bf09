"""Open what a click asks to see: the board or a session in a terminal, a page in the browser, the settings, the log.

Where no terminal opens, a page shows the same, and a message says why. Where no page opens either, a message shows the
most important part. Imported only for a click that opens something.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from deskbell import VERSION
from deskbell.board import Board
from deskbell.doctor import MARKS, Check
from deskbell.errors import NOT_WRITTEN, Problem, reason
from deskbell.home import Home, with_tilde
from deskbell.notices import policyfile
from deskbell.notices.policy import Policy
from deskbell.pages import doctor
from deskbell.program.clicks import PlannedHooks
from deskbell.program.dialogue import Say, title
from deskbell.program.greeting import BOARD
from deskbell.program.log import path as log_path
from deskbell.program.surfaces import Surfaces
from deskbell.session import Session
from deskbell.text.times import clock
from deskbell.text.wording import counts, headline, short
from deskbell_icons import Sign

LONGEST = 300
"""Characters of a line of a message."""
MANY = 8
"""Lines that fit into a message."""
DETAILS, DOCTOR, CHANGES, ABOUT = "details", "doctor", "changes", "about"
"""Slots. A message replaces the last one in its slot, and no other."""

log = logging.getLogger(__name__)


class Message(NamedTuple):
    """What is said in place of a page that cannot be opened."""

    slot: str
    title: str
    text: str
    sign: Sign = "plain"


@dataclass(frozen=True)
class Openings:
    """Everything that a click can ask to see."""

    home: Home
    hooks: PlannedHooks
    checks: Callable[[], Sequence[Check]]
    """Returns every check of the doctor."""
    say: Say
    offer: Callable[[], None]
    """Offers to install the hooks."""
    clock: Callable[[], float]
    show: Callable[[Path], None]
    """Opens a file with the person's own program."""
    terminal: Callable[[Session | None, Home], None]
    """Opens a terminal with the board of cards, or with the details of a session on it. Raises Problem if it cannot."""

    async def reveal(self, what: str, board: Board) -> None:
        match what:
            case "board":
                await self._board(board)
            case "doctor":
                await self._doctor()
            case "changes":
                await self._changes()
            case "about":
                instead = Message(ABOUT, f"Deskbell {VERSION}", "The bell on the desk for Claude Code. MIT licence.")
                await self._page(Surfaces.about, instead)
            case "settings":
                await asyncio.to_thread(self._settings)
            case "log":
                await asyncio.to_thread(self._log)

    async def details(self, session: Session, on_board: bool = True) -> None:
        """Show the details of SESSION. ON_BOARD: whether the board in the terminal knows the session."""
        why = await self._in_terminal(session) if on_board else ""
        if why is None:
            return
        lines = [
            f"{headline(session)}, since {clock(session.since, self.clock())}",
            f"Folder: {session.cwd}" if session.cwd else "",
            f"Branch: {session.branch}" if session.branch else "",
            session.last_line,
        ]
        text = "\n".join(short(line, LONGEST) for line in lines if line)
        instead = Message(DETAILS, title(session), text, session.status)
        await self._page(lambda surfaces: surfaces.details(session), instead, why)

    async def _in_terminal(self, session: Session | None = None) -> str | None:
        """Show the board, or the details of SESSION, in a terminal. Return None if one opened, else why it did not.

        The reason is empty if the settings say that pages are shown.
        """
        try:
            read = await asyncio.to_thread(policyfile.reread, self.home.config / "config.toml", policyfile.Reading())
            if read.policy.show_in == "browser":
                return ""
            await asyncio.to_thread(self.terminal, session, self.home)
        except (Problem, OSError) as problem:
            log.warning("no terminal for the board: %s", reason(problem))
            return with_tilde(reason(problem))
        return None

    async def _board(self, board: Board) -> None:
        why = await self._in_terminal()
        if why is None:
            return
        listed = (*board.needs_you, *board.running, *board.crashed, *board.new)
        if not listed:
            more = f"\n({why})" if why else ""
            self.say(BOARD, counts(board), f"Sessions of Claude Code are listed here as soon as they start.{more}")
            return
        text = "\n".join(short(f"{one.project}: {headline(one)}", LONGEST) for one in listed[:MANY])
        instead = Message(BOARD, counts(board), text, listed[0].status)
        await self._page(lambda surfaces: surfaces.board(board), instead, why)

    async def _doctor(self) -> None:
        await asyncio.to_thread(self.hooks.examine)
        checks = await asyncio.to_thread(self.checks)
        wrong = [check for check in checks if check.verdict != "ok"]
        text = "\n".join(short(f"{MARKS[one.verdict]} {one.sentence} {one.mend}", LONGEST) for one in wrong[:MANY])
        bad = any(check.verdict == "bad" for check in checks)
        message = Message(DOCTOR, doctor.title(checks), text, "error" if bad else "plain")
        await self._page(lambda surfaces: surfaces.doctor(checks), message)

    async def _changes(self) -> None:
        """Show what an install would change, and repeat the offer, which the click has closed."""
        planned = await asyncio.to_thread(self.hooks.planned)
        paths = ", ".join(with_tilde(str(change.path)) for change in planned if change.needed)
        text = f"{paths}. Run `deskbell install --dry-run` to read what." if paths else ""
        title = "An install changes" if paths else "An install would change nothing"
        await self._page(lambda surfaces: surfaces.changes(planned), Message(CHANGES, title, text, "install"))
        if paths:
            self.offer()

    async def _page(self, opened: Callable[[Surfaces], None], instead: Message, no_terminal: str = "") -> None:
        """Open a page, or show the message INSTEAD with the reason. NO_TERMINAL: why no terminal shows it."""
        surfaces = Surfaces(self.home, self.show, self.clock)
        try:
            await asyncio.to_thread(opened, surfaces)
        except (Problem, OSError) as problem:
            why = with_tilde(reason(problem))
            log.warning("no page of the %s: %s", instead.slot, why)
            whys = " ".join(one for one in (no_terminal, why) if one)
            self.say(instead.slot, instead.title, f"{instead.text}\n({whys})".lstrip(), sign=instead.sign)
        else:
            if no_terminal:
                self.say(instead.slot, "Opened in your browser", no_terminal)

    def _settings(self) -> None:
        path = self.home.config / "config.toml"
        if not path.exists():
            from deskbell.notices import policytext  # imported for this file only: tomlkit takes a megabyte

            policytext.write(path, policytext.document(Policy(), commented=True))
        self.show(path)

    def _log(self) -> None:
        path = log_path(self.home.state)
        if not path.exists():
            log.info("the log begins anew")  # its handler makes the file
        if not path.exists():
            raise Problem(f"There is no log: {path} could not be written.", NOT_WRITTEN)
        self.show(path)
