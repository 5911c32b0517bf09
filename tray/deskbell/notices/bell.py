"""How does what is new come to the person? What `news` decides is done here: shown, sent, written down.

A part of the loop; it holds the memory of `news`, the settings in force and what is told by the desktop.
"""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from deskbell.board import Board
from deskbell.face.actions import Action, Open
from deskbell.home import Home
from deskbell.notices import decisions, policyfile
from deskbell.notices.decisions import Decision, Outcome
from deskbell.notices.judge import Senses
from deskbell.notices.news import Send, closed, news
from deskbell.notices.notice import Notice
from deskbell.notices.policy import Policy
from deskbell.notices.policyfile import Reading
from deskbell.notices.quiet import Quiet
from deskbell.notices.screen import Listener, Notifier, Told
from deskbell.notices.wants import Memory
from deskbell.session import Session

SETTINGS = "settings"


class Outbox(Protocol):
    """The other ways out: a phone, a webhook, a command."""

    def start(self, policy: Policy) -> None: ...
    def put(self, sends: Iterable[Send], policy: Policy) -> None: ...
    def withdraw(self, slot: str) -> None: ...
    def stop(self) -> None: ...


class Desktop(Protocol):
    """What is known of the person's desktop."""

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def focused(self, session: Session) -> bool | None:
        """Whether the person looks at it; None where that cannot be known."""

    def dnd(self) -> str | None:
        """What holds notifications back, in words."""


@dataclass
class NewsBell:
    home: Home
    notifier: Callable[[Listener], Notifier]
    desktop: Desktop
    outbox: Outbox
    quiet: Callable[[], Quiet]
    clicked: Callable[[Action, str | None], None]
    """With the activation token of the click, where there is one."""
    clock: Callable[[], float]
    memory: Memory = field(default_factory=Memory)
    settings: Reading = field(default_factory=Reading)
    lost: bool = False

    def __post_init__(self) -> None:
        self._screen = self.notifier(self._hear)

    def start(self) -> None:
        self._read_settings()
        self._screen.start()
        self.desktop.start()
        self.outbox.start(self.settings.policy)

    @property
    def problem(self) -> str | None:
        """What keeps it from ringing as it should, in one sentence."""
        if self.settings.problem:
            return self.settings.problem
        return "No notification daemon is running; the icon carries on." if self.lost else None

    def ring(self, before: Board, after: Board, now: float) -> float | None:
        self._read_settings()
        senses = Senses(self.desktop.focused, self.desktop.dnd(), self.quiet())
        told = news(before, after, self.settings.policy, now, self.memory, senses)
        self.memory = told.memory
        for slot, _ in told.withdraw:
            self._screen.withdraw(slot)
            self.outbox.withdraw(slot)
        for notice in (*told.show, *told.replace):
            self._screen.show(notice)
        self._write(told.decisions)
        self.outbox.put(told.sends, self.settings.policy)
        return told.wake_at

    async def stop(self) -> None:
        """Leave nothing of ours on the screen."""
        await self._screen.stop()
        self.desktop.stop()
        self.outbox.stop()

    def _read_settings(self) -> None:
        """What is wrong with the file is told once, and taken back when it is mended."""
        before = self.settings
        self.settings = policyfile.reread(self.home.config / "config.toml", before)
        if self.settings.problem and self.settings.problem != before.problem:
            self._screen.show(_broken(self.settings.problem))
        elif before.problem and not self.settings.problem:
            self._screen.withdraw(SETTINGS)

    def _hear(self, told: Told) -> None:
        if told.what in ("lost", "back"):
            self.lost = told.what == "lost"
        elif told.what == "clicked":
            self._note(told.slot, "clicked", type(told.action).__name__.lower())
        elif told.what == "closed":
            self._note(told.slot, "closed", "dismissed or expired")
        if told.what in ("clicked", "closed"):
            self.memory = closed(self.memory, told.slot)
        if told.action:
            self.clicked(told.action, told.token)

    def not_sent(self, slot: str, channel: str, reason: str) -> None:
        """A channel gave up."""
        self._note(slot, "not sent", f"to {channel}: {reason}")

    def _note(self, slot: str, verdict: Outcome, reason: str) -> None:
        about = [w.session for w in self.memory.wants.values() if w.slot == slot]
        decided = [Decision(self.clock(), s.session_id, s.pid, s.project, s.status, verdict, reason) for s in about]
        self._write(decided or [Decision(self.clock(), "", None, "", None, verdict, reason)])

    def _write(self, made: Sequence[Decision]) -> None:
        """A full disk silences the log and not the bell; the doctor tells of such a disk."""
        with contextlib.suppress(OSError):
            decisions.write(self.home.state, made)


def _broken(problem: str) -> Notice:
    return Notice(
        slot=SETTINGS,
        sessions=(),
        status="error",
        title="Deskbell: the settings cannot be read",
        body=f"{problem}\nThe settings from before stay in force.",
        urgency="normal",
        click=Open("settings"),
    )
