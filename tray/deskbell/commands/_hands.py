"""Carry out the orders that keys give on the board in the terminal, as `program.clicks` does for the menu."""

import os
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import RenderableType

from deskbell.asking import Asking
from deskbell.cards.keys import CopyId, Order, ResumeHere
from deskbell.commands._around import facts, replies, wrong
from deskbell.errors import Problem
from deskbell.face.actions import Answer, Jump, Mute, Reply, Resume, Snooze
from deskbell.face.facts import Facts
from deskbell.home import Home, claude_dir
from deskbell.session import Key, Session
from deskbell.sessions.crashes import CrashFile
from deskbell.terminal.resume import resumption
from deskbell.text.times import clock
from deskbell.text.wording import short

if TYPE_CHECKING:
    from deskbell.desktop.clipboard import Clipboard
    from deskbell.notices.quiet import QuietFile


ANOTHER = Problem("It asks something else now.", "Read it, and answer again.")


class RealHands:
    """The Hands of the board. `look`, `do` and `details` may take seconds, so the board calls them in a thread."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._quiet: QuietFile | None = None
        self._wrong: Sequence[str] = ()
        self._replies = False
        self._is_shown = False
        self._clipboard: Clipboard | None = None

    def facts(self, now: float) -> Facts:
        there = facts(self._home, self._quiet.quiet() if self._quiet else None, self._wrong, now)
        return replace(there, replies=True) if self._replies else there

    def look(self) -> None:
        self._quiet_file()
        self._wrong, self._replies = wrong(self._home), replies(self._home)

    def requests(self) -> Mapping[Key, Asking]:
        from deskbell.commands._requests import (
            open_requests,  # imported here, because most of the time no session waits
        )

        return open_requests(self._home.state)

    def do(self, order: Order, session: Session | None) -> str:
        match order:
            case Snooze():
                self._quiet_file().snooze(order)
                until = self._quiet_file().quiet().snooze(time.time())
                return f"Snoozed until {clock(until, time.time())}." if until else "Notifications ring again."
            case Jump() if session:
                return self._jump(session)
            case Resume() | ResumeHere() if session:
                return self._resume(order, session)
            case Answer(_, code, choice, text) if session:
                return self._answer(session, code, choice, text)
            case Reply(_, text) if session and text is not None:
                return self._reply(session, text)
            case Mute(key, muted) if session:
                self._quiet_file().mute(key[0], muted)
                return f"{'Muted' if muted else 'Unmuted'} {_called(session)}."
            case CopyId(key):
                return self._copy(key[0])
        raise Problem("This session no longer exists.", "Run `deskbell list --all` to see those that do.")

    def is_shown(self) -> bool:
        return self._is_shown

    def details(self, session: Session, now: float) -> RenderableType:
        from deskbell.history.page import DECISIONS, page  # imported here, because few people open a page
        from deskbell.history.whole import summary_of, with_asked, with_sums
        from deskbell.notices.decisions import sentences

        self._see(session)
        whole = session if session.cost_usd is not None else with_sums(session)
        resume = resumption(session, claude_dir(), sys.platform == "win32") if session.over else None
        summary, why = (
            summary_of(self._home, session.session_id),
            sentences(self._home.state, session.session_id, DECISIONS),
        )
        return page(session.session_id, [with_asked(whole)], summary, now, resume, why)

    def _quiet_file(self) -> "QuietFile":
        """Return what reads and writes the silenced sessions. Before the first call, the board marks none."""
        if self._quiet is None:
            from deskbell.notices.quiet import QuietFile  # imported here, because it takes as long as the first reading

            self._quiet = QuietFile(self._home.state, time.time)
        return self._quiet

    def _jump(self, session: Session) -> str:
        if session.over:
            raise Problem(f"{_called(session)} is over.", "Press r to go on with it.")
        from deskbell.program.jumping import go_to  # imported here, because it imports every way to a window

        came = go_to(session, None, self._home)
        self._is_shown = came.reached is not None
        offer = f" Run this in a terminal: {shlex.join(came.offer)}" if came.offer else ""
        return f"{came.sentence}{offer}" if came.complete is False else came.sentence

    def _resume(self, order: Resume | ResumeHere, session: Session) -> str:
        if not session.over:
            from deskbell.program.clicks import running_there  # imported here, as above

            raise running_there(session)
        self._see(session)
        if isinstance(order, ResumeHere):
            return ""
        from deskbell.program.resuming import resume_in_terminal

        try:
            resume_in_terminal(session, self._home)
        except Problem as problem:
            raise Problem(problem.what, "Press R to leave the board and resume it here.") from None
        return f"{_called(session)} goes on in a new terminal."

    def _answer(self, session: Session, code: str, choice: str, text: str | None) -> str:
        """Answer what was on the screen. The request may have gone on to another step, which nobody has read here."""
        from deskbell.answers.call import answer, sentence, shown  # imported here, as above
        from deskbell.answers.views import view

        if (asks := self.requests().get(session.key)) and asks.code == code and asks != session.asking:
            raise ANOTHER
        there = view(session.asking) if session.asking else ""
        shown(self._home.state, [there])
        report = answer(self._home.state, code, choice, text, confirmed=False, view=there)
        if report.get("unshown"):
            raise ANOTHER
        return sentence(report)

    def _reply(self, session: Session, text: str) -> str:
        from deskbell.program.replying import refuse_off, reply  # imported here, as above

        refuse_off(self._home)
        return reply(session, text, self._home, self._keep).sentence

    def _keep(self, text: str) -> str:
        """Put a reply that was not delivered on the clipboard of the desktop."""
        return self._board().copy(text, lines=True)

    def _board(self) -> "Clipboard":
        from deskbell.desktop.clipboard import Clipboard  # imported here, because few copy anything
        from deskbell.program.boundary import Boundary

        self._clipboard = self._clipboard or Clipboard(Boundary())
        return self._clipboard

    def _copy(self, session_id: str) -> str:
        """Put the id on the clipboard of the desktop, if there is one. The board also asks the terminal to copy it."""
        from deskbell.desktop.clipboard import way  # imported here, because few copy an id

        said = short(session_id, 80)
        sent = f"Sent to the clipboard of the terminal: {said}"
        if way(os.environ) is None or os.environ.get("SSH_CONNECTION"):
            return sent
        try:
            unsure = self._board().copy(session_id)
        except Problem:
            return sent
        return f"Copied {said}. {unsure}".rstrip()

    def close(self) -> None:
        """Hand what was copied over to the clipboard manager of the desktop."""
        if self._clipboard:
            self._clipboard.close()

    def _see(self, session: Session) -> None:
        """Note that the person has seen that SESSION crashed. A crash that cannot be noted only stays longer."""
        if session.status == "crashed":
            with suppress(Problem, OSError):
                CrashFile(self._home.state).see([session], time.time())


def _called(session: Session) -> str:
    return f"{short(session.project, 30)}: {short(session.name, 40)}"
