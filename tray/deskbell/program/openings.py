"""Open what a click asks to see: a page in the browser, the settings or the log in a program of the person's.

Where no page can be opened, a message says the most important of it, and why. Imported for such a click only.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from deskbell import VERSION
from deskbell.board import Board
from deskbell.doctor import MARKS, Check
from deskbell.errors import NOT_WRITTEN, Problem, reason
from deskbell.home import Home, with_tilde
from deskbell.notices.policy import Policy
from deskbell.pages import doctor
from deskbell.program.log import path as log_path
from deskbell.program.surfaces import Surfaces
from deskbell.session import Session
from deskbell.settings.settings_file import Change
from deskbell.text.times import clock
from deskbell.text.wording import counts, headline, short
from deskbell_icons import Sign

LONGEST = 300
"""Characters of a line of a message."""
MANY = 8
"""Lines that fit into a message."""
DETAILS, BOARD, DOCTOR, CHANGES, ABOUT = "details", "board", "doctor", "changes", "about"
"""Slots. A message takes the place of the last one about the same, and of nothing else."""

log = logging.getLogger(__name__)


class Hooks(Protocol):
    def examine(self) -> None:
        """Find out again what hooks this machine needs."""

    def planned(self) -> Sequence[Change]:
        """Return what an install would change. Raise Problem if it would be refused."""


class Say(Protocol):
    def __call__(self, slot: str, title: str, text: str, *, sign: Sign = "plain") -> None:
        """Show a message to the person, in place of what is in SLOT."""


def _board_in_terminal(home: Home) -> None:
    from deskbell.program.carding import board_in_terminal  # imported for this click only

    board_in_terminal(home)


class Message(NamedTuple):
    slot: str
    title: str
    text: str
    sign: Sign = "plain"


@dataclass(frozen=True)
class Openings:
    home: Home
    hooks: Hooks
    checks: Callable[[], Sequence[Check]]
    """Returns every check of the doctor."""
    say: Say
    offer: Callable[[], None]
    """Offers to install the hooks."""
    clock: Callable[[], float]
    show: Callable[[Path], None]
    """Opens a file with the person's own program."""
    terminal: Callable[[Home], None] = _board_in_terminal
    """Opens a terminal with the board of cards. Raises Problem if it cannot."""

    async def reveal(self, what: str, board: Board) -> None:
        match what:
            case "board":
                await self._board(board)
            case "terminal":
                await asyncio.to_thread(self.terminal, self.home)
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

    async def details(self, session: Session) -> None:
        lines = [
            f"{headline(session)}, since {clock(session.since, self.clock())}",
            f"Folder: {session.cwd}" if session.cwd else "",
            f"Branch: {session.branch}" if session.branch else "",
            session.last_line,
        ]
        text = "\n".join(short(line, LONGEST) for line in lines if line)
        instead = Message(DETAILS, short(f"{session.project}: {session.name}", 100), text, session.status)
        await self._page(lambda surfaces: surfaces.details(session), instead)

    async def _board(self, board: Board) -> None:
        listed = (*board.needs_you, *board.running, *board.crashed)
        if not listed:
            self.say(BOARD, counts(board), "Sessions of Claude Code are listed here as soon as they start.")
            return
        text = "\n".join(short(f"{one.project}: {headline(one)}", LONGEST) for one in listed[:MANY])
        await self._page(lambda surfaces: surfaces.board(board), Message(BOARD, counts(board), text, listed[0].status))

    async def _doctor(self) -> None:
        await asyncio.to_thread(self.hooks.examine)
        checks = await asyncio.to_thread(self.checks)
        wrong = [check for check in checks if check.verdict != "ok"]
        text = "\n".join(short(f"{MARKS[one.verdict]} {one.sentence} {one.mend}", LONGEST) for one in wrong[:MANY])
        bad = any(check.verdict == "bad" for check in checks)
        message = Message(DOCTOR, doctor.title(checks), text, "error" if bad else "plain")
        await self._page(lambda surfaces: surfaces.doctor(checks), message)

    async def _changes(self) -> None:
        """Show what an install would change, and offer it again: the click has closed the offer."""
        planned = await asyncio.to_thread(self.hooks.planned)
        paths = ", ".join(with_tilde(str(change.path)) for change in planned if change.needed)
        text = f"{paths}. Run `deskbell install --dry-run` to read what." if paths else ""
        title = "An install changes" if paths else "An install would change nothing"
        await self._page(lambda surfaces: surfaces.changes(planned), Message(CHANGES, title, text, "install"))
        if paths:
            self.offer()

    async def _page(self, opened: Callable[[Surfaces], None], instead: Message) -> None:
        """Open a page, or say INSTEAD and why there is no page."""
        surfaces = Surfaces(self.home, self.show, self.clock)
        try:
            await asyncio.to_thread(opened, surfaces)
        except (Problem, OSError) as problem:
            why = with_tilde(reason(problem))
            log.warning("no page of the %s: %s", instead.slot, why)
            self.say(instead.slot, instead.title, f"{instead.text}\n({why})".lstrip(), sign=instead.sign)

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
