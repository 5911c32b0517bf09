"""Gather what a page shows, write the page and open it in the person's browser.

Every method blocks, and raises Problem or OSError if no page can be written or opened. Imported only for a click that
opens a page.
"""

import hashlib
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from deskbell import VERSION
from deskbell.board import Board
from deskbell.desktop.browser import readable
from deskbell.doctor import Check
from deskbell.history.whole import summary_of, with_asked, with_sums
from deskbell.home import Home, claude_dir
from deskbell.notices.decisions import sentences
from deskbell.pages import about, board, changes, details, doctor
from deskbell.pages.markup import Page, document
from deskbell.program import shelf
from deskbell.session import Session
from deskbell.settings.settings_file import Change
from deskbell.terminal.resume import resumption
from deskbell.text.times import exact


@dataclass(frozen=True)
class Surfaces:
    """The pages that a click can open."""

    home: Home
    show: Callable[[Path], None]
    clock: Callable[[], float]
    place: Callable[[Path], Path] = readable
    """Returns the folder for pages that the browser can read, given the usual one."""

    def board(self, sessions: Board) -> None:
        resume = {session.key: _resume(session) for session in sessions.sessions if session.over}
        self._open(board.page(sessions, resume, self.clock()))

    def details(self, session: Session) -> None:
        whole = session if session.cost_usd is not None else with_sums(session)
        past = details.Past(
            summary_of(self.home, session.session_id),
            sentences(self.home.state, session.session_id, details.DECISIONS),
            _resume(session) if session.over else None,
        )
        self._open(details.page(with_asked(whole), past, self.clock(), f"details-{_mark(session)}"))

    def doctor(self, checks: Sequence[Check]) -> None:
        self._open(doctor.page(checks))

    def changes(self, planned: Iterable[Change]) -> None:
        from deskbell.settings.diff import diff  # imported for this page only: difflib takes a megabyte

        self._open(changes.page([(str(change.path), diff(change)) for change in planned if change.needed]))

    def about(self) -> None:
        facts = [
            ("python", f"{sys.version.split()[0]}, {sys.executable}"),
            ("settings", str(self.home.config / "config.toml")),
            ("state", str(self.home.state)),
            ("hook", str(self.home.data)),
            ("Claude Code", str(claude_dir())),
        ]
        self._open(about.page(VERSION, facts))

    def _open(self, page: Page) -> None:
        html = document(page, exact(self.clock()), VERSION)
        self.show(shelf.put(self.place(self.home.pages), page.name, html))


def _resume(session: Session) -> str:
    return resumption(session, claude_dir(), sys.platform == "win32")


def _mark(session: Session) -> str:
    """Return a part of a file name that stands for SESSION. The id itself may hold any character."""
    return hashlib.sha256(repr(session.key).encode()).hexdigest()[:16]
