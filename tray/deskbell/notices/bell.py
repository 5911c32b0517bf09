"""Carry out what `news` decides: show, replace, withdraw and send notices, and write every decision down.

The loop calls every method, in its own thread. The bell keeps the memory of `news` and the settings in force. The
screen tells it what the person does with a notification.
"""

import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from deskbell.asking import purpose
from deskbell.board import Board
from deskbell.face.actions import (
    Action,
    Answer,
    Attach,
    CopyResume,
    Details,
    Dismiss,
    Hooks,
    Jump,
    Later,
    Mute,
    Open,
    Reply,
    Resume,
    Snooze,
    with_token,
)
from deskbell.home import Home
from deskbell.notices import decisions, policyfile
from deskbell.notices.channels.exposed import STEP, exposed
from deskbell.notices.decisions import Decision, Outcome
from deskbell.notices.guard import Guard
from deskbell.notices.judge import Senses
from deskbell.notices.news import LAST, closed, news
from deskbell.notices.notice import SUMMARY, Button, Notice
from deskbell.notices.orders import InTerminal, Send
from deskbell.notices.policy import Policy
from deskbell.notices.policyfile import Reading
from deskbell.notices.quiet import Quiet
from deskbell.notices.screen import Left, Listener, Notifier, ScreenEvent
from deskbell.notices.showing import Showing
from deskbell.notices.wants import WANTING, Memory
from deskbell.session import Session

SETTINGS = "settings"
"""The slot of the notice about a mistake in the settings."""
OPENS_SETTINGS = Button("settings", "Open the settings", Open("settings"))

log = logging.getLogger(__name__)


class Outbox(Protocol):
    """The channels: a phone, a webhook, a command."""

    def start(self, policy: Policy) -> None: ...
    def put(self, sends: Iterable[Send], policy: Policy) -> None: ...
    def check(self) -> None: ...
    def withdraw(self, slot: str) -> None: ...
    def stop(self) -> None: ...


class Desktop(Protocol):
    """What the program knows about the desktop of the person."""

    def start(self) -> None: ...
    def stop(self) -> None: ...

    @property
    def known(self) -> bool:
        """Whether the desktop has answered for the first time; that takes a moment after the start."""

    def focused(self, session: Session) -> bool | None:
        """Return whether the person looks at SESSION; None if unknown."""

    def awaits_focus(self, session: Session) -> bool:
        """Return whether `focused` is None only because the answer is still on its way. Its arrival wakes the loop."""

    def dnd(self) -> str | None:
        """Return what holds notifications back, in words; None if nothing does."""


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
    steady: Callable[[], float] | None = None
    """A clock that nobody sets."""
    in_terminals: Callable[[Sequence[InTerminal]], None] = lambda _: None
    """Rings in the terminals of sessions."""
    dismissed: Callable[[str], None] = lambda slot: None
    """Called with the slot of each notification that the person closed."""
    wake: Callable[[], None] = lambda: None
    """Called in the loop if something may ring, or does not work, although the board is the same."""
    memory: Memory = field(default_factory=Memory)
    settings: Reading = field(default_factory=Reading)
    lost: ScreenEvent | None = None
    """What the screen has last said about notices that it does not display; None if it displays all."""
    left: tuple[Left, ...] | None = None
    """What an earlier run left on the screen; None until the screen has reported it."""

    def __post_init__(self) -> None:
        self._screen = self.notifier(self._hear)
        self._guard = Guard()
        self._showing = Showing(self._screen, self._guard)
        self._quiet = Quiet.nothing()
        """What was silenced when the file was last readable."""
        self._pending: dict[str, bool] = {}
        """The slots of the rings that nothing has displayed yet, and whether that has been written down."""
        self._knows_channels = False
        self._board = Board()
        """The board at the last ring."""
        self._warned: set[str] = set()
        """The warnings about the settings that are in the log."""

    @property
    def screen(self) -> Notifier:
        """The screen on which the bell shows its notices. Others show messages about Deskbell itself there."""
        return self._screen

    def start(self) -> None:
        self._read_settings(self.clock())
        self._screen.start()
        self.desktop.start()
        self.outbox.start(self.settings.policy)

    @property
    def problem(self) -> str | None:
        """What keeps the bell from ringing as it should, in one sentence."""
        return self.settings.problem or self._guard.problem or (_lost(self.lost) if self.lost else None)

    def ring(self, before: Board, after: Board, now: float) -> float | None:
        """Carry out what follows from the change from BEFORE to AFTER. Return when to call again without a change."""
        self._guard.works("The settings cannot be read", partial(self._read_settings, now))
        self._showing.try_again(now)
        decided = news(before, after, self.settings.policy, now, self.memory, self._senses(after))
        self.memory, self._board = decided.memory, after
        unheard = False
        for slot, _ in decided.withdraw:
            unheard |= self._pending.pop(slot, None) is not None and slot == SUMMARY
            self._showing.withdraw(slot, now)
            self._guard.works("A message that is out of date cannot be taken back", partial(self.outbox.withdraw, slot))
        for notice in (*decided.show, *decided.replace):
            if unheard and notice.reason == LAST:
                notice = replace(notice, quiet=False)  # the summary has never rung
            if not notice.quiet:
                self._pending[notice.slot] = False
            self._showing.show(notice, now)
        self._write(decided.decisions)
        self._note_pending()
        self._send(decided.sends)
        if decided.in_terminals:
            self._guard.works("Terminals cannot be rung in", partial(self.in_terminals, decided.in_terminals))
        return min((at for at in (decided.wake_at, self._showing.again) if at is not None), default=None)

    def _senses(self, after: Board) -> Senses:
        """Return what is known of the person. What cannot be found out holds no ring back; the last quiet stays."""
        call, desktop = self._guard.call, self.desktop
        self._quiet = call("The snooze and the mutes cannot be read", self.quiet, self._quiet)
        return Senses(
            lambda one: call("The focused window cannot be found out", partial(desktop.focused, one), None),
            call("Do-not-disturb cannot be read", desktop.dnd, None),
            self._quiet,
            call("Hooks of your own that answer cannot be found out", partial(self.patience, after), 0.0),
            self.left if call("The desktop cannot be asked", lambda: desktop.known, True) else None,
            lambda one: call("The desktop cannot be asked for the focus", partial(desktop.awaits_focus, one), False),
            self.steady() if self.steady else None,
        )

    def _send(self, sends: Sequence[Send]) -> None:
        """Give each message to the outbox on its own. Without one, still let the outbox try again what waits in it.

        Before the settings could be read for the first time, no channel is known, and what waits would be given up.
        """
        policy = self.settings.policy
        if not self._knows_channels:
            return
        for one in sends:
            what = f"A message to {one.channel} cannot be sent"
            if not self._guard.works(what, partial(self.outbox.put, [one], policy)):
                self._note(one.notice.slot, "not sent", f"to {one.channel}: {self._guard.why(what)}")
        if not sends:
            self._guard.works("Messages cannot be sent", partial(self.outbox.put, (), policy))
        self._guard.works("A channel hangs", self.outbox.check)

    def standing(self) -> list[tuple[str, float]]:
        """Return the id of each session that waits for its person, and since when."""
        return [(one.session_id, one.since) for one in self._board.sessions if one.status in WANTING]

    async def stop(self) -> None:
        """Take our notifications from the screen, and stop the desktop and the outbox."""
        await self._screen.stop()
        self.desktop.stop()
        self.outbox.stop()

    def _read_settings(self, now: float) -> None:
        """Read the settings if they changed. Show a mistake once, and withdraw the notice when it is corrected."""
        before = self.settings
        self.settings = policyfile.reread(self.home.config / "config.toml", before)
        if self.settings.problem and self.settings.problem != before.problem:
            log.warning("%s", self.settings.problem)
            self._showing.show(_mistake(self.settings.problem), now)
        elif before.problem and not self.settings.problem:
            self._showing.withdraw(SETTINGS, now)
        self._knows_channels = self._knows_channels or not self.settings.problem
        if self.settings.policy is not before.policy:
            self.wake()  # the decisions before this one were made with the old settings
        if self.settings is not before:
            for warning in exposed(self.settings.policy):
                self._warn_once(warning)

    def _warn_once(self, warning: str) -> None:
        if warning not in self._warned:
            self._warned.add(warning)
            log.warning("%s %s", warning, STEP)

    def _hear(self, event: ScreenEvent) -> None:
        """Note what happened to a notification, and carry out a click on it."""
        if event.what in ("lost", "back"):
            self.lost = event if event.what == "lost" else None
            self._note_pending()
            self.wake()
        elif event.what == "displayed":
            if self._pending.pop(event.slot, False):
                self._note_each(event.slot, "displayed", f"by {event.by}" if event.by else "")
        elif event.what == "left":
            self.left = event.left
            self.wake()
        elif event.what == "clicked":
            self._note(event.slot, "clicked", _purpose(event.action))
        elif event.what == "closed":
            self._note(event.slot, "closed", "it was dismissed" if event.by_person else "it expired")
            if event.by_person:
                self.dismissed(event.slot)
        if event.what in ("clicked", "closed") and not event.stays:
            self.memory = closed(self.memory, event.slot)
        if event.action:
            self.clicked(with_token(event.action, event.token))

    def _note_pending(self) -> None:
        """Write down, once for each ring, that nothing displays it. `deskbell why` then does not say that it was."""
        if self.lost is None:
            return
        for slot in [slot for slot, noted in self._pending.items() if not noted and self.lost.slot in ("", slot)]:
            self._pending[slot] = True
            self._note_each(slot, "not displayed", self.lost.why or "no notification daemon is running")

    def _note_each(self, slot: str, verdict: Outcome, reason: str) -> None:
        """Write down a decision about each session that the notice in SLOT is about."""
        wants = self.memory.wants.values()
        about = [w.session for w in wants if w.slot == slot or (slot == SUMMARY and w.state == "summary")]
        self._write([Decision(self.clock(), s.session_id, s.pid, s.project, s.status, verdict, reason) for s in about])

    def not_sent(self, slot: str, channel: str, reason: str) -> None:
        """Write down that CHANNEL gave up a message. Must be called in the loop."""
        self._note(slot, "not sent", f"to {channel}: {reason}")

    def _note(self, slot: str, verdict: Outcome, reason: str) -> None:
        about = [w.session for w in self.memory.wants.values() if w.slot == slot]
        decided = [Decision(self.clock(), s.session_id, s.pid, s.project, s.status, verdict, reason) for s in about]
        self._write(decided or [Decision(self.clock(), "", None, "", None, verdict, reason)])

    def _write(self, made: Sequence[Decision]) -> None:
        """Write decisions. A full disk must not silence the bell; `deskbell doctor` reports it."""

        def write() -> None:
            with contextlib.suppress(OSError):
                decisions.write(self.home.state, made)

        self._guard.works("Decisions cannot be written down", write)


def _lost(event: ScreenEvent) -> str:
    if event.slot:
        return f"A notification cannot be displayed: {event.why}"
    if event.why:
        return f"Notifications are not displayed: {event.why}."
    return "No notification daemon is running. Only the tray icon will alert you."


def _purpose(action: Action | None) -> str:
    """Return what a click is for, as the end of a sentence; empty if it has no action."""
    match action:
        case Jump():
            return "to jump to it"
        case Attach():
            return "to open it in a terminal"
        case Resume():
            return "to resume it in a terminal"
        case CopyResume():
            return "to copy its resume command"
        case Details():
            return "to show its details"
        case Answer(choice=choice):
            return f"to {purpose(choice)}"
        case Reply():
            return "to reply to it"
        case Dismiss():
            return "to dismiss it"
        case Snooze():
            return "to snooze all sessions"
        case Later():
            return "to hear of it later"
        case Mute():
            return "to mute it"
        case Hooks(wish):
            return f"to {wish} the hooks"
        case Open("board"):
            return "to show all sessions"
        case Open("doctor"):
            return "to open the doctor's report"
        case Open(what):
            return f"to open the {what}"
        case _:
            return ""


def _mistake(problem: str) -> Notice:
    return Notice(
        slot=SETTINGS,
        sessions=(),
        status="error",
        title="Deskbell: a mistake in the settings",
        body=f"{problem}\nStill using the previous settings.",
        urgency="normal",
        click=OPENS_SETTINGS.action,
        buttons=(OPENS_SETTINGS,),
    )
