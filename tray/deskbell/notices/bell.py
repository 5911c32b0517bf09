"""Carry out what `news` decides: show, replace, withdraw, send, and write every decision down.

A part of the loop: every method is called in the loop's thread. The bell keeps the memory of `news` and the settings in
force, and hears from the screen what the person does.
"""

import contextlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from deskbell.board import Board
from deskbell.face.actions import Action, CopyResume, Jump, Mute, Open, Snooze
from deskbell.home import Home
from deskbell.notices import decisions, policyfile
from deskbell.notices.channels.exposed import STEP, exposed
from deskbell.notices.decisions import Decision, Outcome
from deskbell.notices.judge import Senses
from deskbell.notices.news import closed, news
from deskbell.notices.notice import Notice
from deskbell.notices.orders import Send
from deskbell.notices.policy import Policy
from deskbell.notices.policyfile import Reading
from deskbell.notices.quiet import Quiet
from deskbell.notices.screen import Left, Listener, Notifier, ScreenEvent
from deskbell.notices.wants import Memory
from deskbell.session import Session

SETTINGS = "settings"
"""The slot of the notice about a mistake in the settings."""

log = logging.getLogger(__name__)


class Outbox(Protocol):
    """The channels: a phone, a webhook, a command."""

    def start(self, policy: Policy) -> None: ...
    def put(self, sends: Iterable[Send], policy: Policy) -> None: ...
    def withdraw(self, slot: str) -> None: ...
    def stop(self) -> None: ...


class Desktop(Protocol):
    """What the program knows about the desktop of the person."""

    def start(self) -> None: ...
    def stop(self) -> None: ...

    @property
    def known(self) -> bool:
        """Whether it has been asked; at the start that takes a moment."""

    def focused(self, session: Session) -> bool | None:
        """Whether the person looks at SESSION; None if unknown."""

    def asking(self, session: Session) -> bool:
        """Whether that is unknown only because the answer is still to come. The loop is woken by it."""

    def dnd(self) -> str | None:
        """What holds notifications back, in words; None if nothing does."""


@dataclass
class NewsBell:
    home: Home
    notifier: Callable[[Listener], Notifier]
    desktop: Desktop
    outbox: Outbox
    quiet: Callable[[], Quiet]
    clicked: Callable[[Action], None]
    clock: Callable[[], float]
    patience: Callable[[Board], float] = lambda _: 0.0
    """Seconds that the requests of a board wait for the answer of a hook before they ring."""
    wake: Callable[[], None] = lambda: None
    """Called in the loop when there may be something to ring for though the board is the same."""
    memory: Memory = field(default_factory=Memory)
    settings: Reading = field(default_factory=Reading)
    lost: bool = False
    """Whether no notification daemon runs."""
    left: tuple[Left, ...] | None = None
    """What an earlier run left on the screen; None until the screen has said."""

    def __post_init__(self) -> None:
        self._screen = self.notifier(self._hear)
        self._warned: set[str] = set()
        """The warnings about the settings that are in the log."""

    @property
    def screen(self) -> Notifier:
        """The screen of its notices, also for messages about Deskbell itself."""
        return self._screen

    def start(self) -> None:
        self._read_settings()
        self._screen.start()
        self.desktop.start()
        self.outbox.start(self.settings.policy)

    @property
    def problem(self) -> str | None:
        """What keeps the bell from ringing as it should, in one sentence."""
        if self.settings.problem:
            return self.settings.problem
        return "No notification daemon is running. Only the tray icon will alert you." if self.lost else None

    def ring(self, before: Board, after: Board, now: float) -> float | None:
        """Carry out what follows from the change from BEFORE to AFTER. Return when to call again without a change."""
        self._read_settings()
        left = self.left if self.desktop.known else None
        senses = Senses(
            self.desktop.focused, self.desktop.dnd(), self.quiet(), self.patience(after), left, self.desktop.asking
        )
        decided = news(before, after, self.settings.policy, now, self.memory, senses)
        self.memory = decided.memory
        for slot, _ in decided.withdraw:
            self._screen.withdraw(slot)
            self.outbox.withdraw(slot)
        for notice in (*decided.show, *decided.replace):
            self._screen.show(notice)
        self._write(decided.decisions)
        self.outbox.put(decided.sends, self.settings.policy)
        return decided.wake_at

    async def stop(self) -> None:
        """Leave nothing of ours on the screen."""
        await self._screen.stop()
        self.desktop.stop()
        self.outbox.stop()

    def _read_settings(self) -> None:
        """Read the settings if they changed. Show a mistake once, and withdraw the notice when it is corrected."""
        before = self.settings
        self.settings = policyfile.reread(self.home.config / "config.toml", before)
        if self.settings.problem and self.settings.problem != before.problem:
            log.warning("%s", self.settings.problem)
            self._screen.show(_mistake(self.settings.problem))
        elif before.problem and not self.settings.problem:
            self._screen.withdraw(SETTINGS)
        if self.settings is not before:
            for warning in exposed(self.settings.policy):
                self._warn_once(warning)

    def _warn_once(self, warning: str) -> None:
        if warning not in self._warned:
            self._warned.add(warning)
            log.warning("%s %s", warning, STEP)

    def _hear(self, event: ScreenEvent) -> None:
        """Take in what happened to a notification."""
        if event.what in ("lost", "back"):
            self.lost = event.what == "lost"
        elif event.what == "left":
            self.left = event.left
            self.wake()
        elif event.what == "clicked":
            self._note(event.slot, "clicked", _purpose(event.action))
        elif event.what == "closed":
            self._note(event.slot, "closed", "it was dismissed or it expired")
        if event.what in ("clicked", "closed"):
            self.memory = closed(self.memory, event.slot)
        if event.action:
            self.clicked(event.action)

    def not_sent(self, slot: str, channel: str, reason: str) -> None:
        """Write down that CHANNEL gave up a message. Must be called in the loop."""
        self._note(slot, "not sent", f"to {channel}: {reason}")

    def _note(self, slot: str, verdict: Outcome, reason: str) -> None:
        about = [w.session for w in self.memory.wants.values() if w.slot == slot]
        decided = [Decision(self.clock(), s.session_id, s.pid, s.project, s.status, verdict, reason) for s in about]
        self._write(decided or [Decision(self.clock(), "", None, "", None, verdict, reason)])

    def _write(self, made: Sequence[Decision]) -> None:
        """Write decisions. A full disk must not silence the bell; `deskbell doctor` reports it."""
        with contextlib.suppress(OSError):
            decisions.write(self.home.state, made)


_PURPOSES: Mapping[type, str] = {
    Jump: "to show where it runs",
    CopyResume: "to copy its resume command",
    Snooze: "to snooze all sessions",
    Mute: "to mute it",
}


def _purpose(action: Action | None) -> str:
    return _PURPOSES.get(type(action), "")


def _mistake(problem: str) -> Notice:
    return Notice(
        slot=SETTINGS,
        sessions=(),
        status="error",
        title="Deskbell: a mistake in the settings",
        body=f"{problem}\nStill using the previous settings.",
        urgency="normal",
        click=Open("settings"),
    )
