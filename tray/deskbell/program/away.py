"""Add buttons to the messages of a channel that may answer, and hand the answers that come back to the desk.

The bell calls it in place of the outbox. Messages to a channel without `answers` pass unchanged. Every method but
`send` is called in the loop.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from deskbell.asking import Asking, Choice
from deskbell.notices import channels
from deskbell.notices.channels import Message
from deskbell.notices.channels.offers import Offer, Offers
from deskbell.notices.channels.outbox import Outbox
from deskbell.notices.elsewhere import notice_for
from deskbell.notices.notice import Notice
from deskbell.notices.orders import Send
from deskbell.notices.policy import Channel, Policy
from deskbell.session import Key, Session
from deskbell.supervision import Supervisor

if TYPE_CHECKING:
    from deskbell.answers.steps import Answer, Refusal
    from deskbell.notices.channels.listener import Listener

PART, JUDGES = "answers from away", "answers"
OPENS_WITHIN = 1.5
"""Seconds that a message waits for its request: the hook may report a dialog before it is on the screen."""
PAUSE = 10.0
"""Seconds until a thread that ended is started again."""
SAID_AGAIN = 60.0
"""Seconds between two lines in the log about messages that were not answers."""
NOT_ANSWERED, UNCERTAIN = "not answered", "unknown whether answered"
AT_THE_MACHINE = "It has to be answered at the machine."
DESK_FAILED = "Deskbell failed while it passed on your answer: check at the machine."

log = logging.getLogger(__name__)


class Press(Protocol):
    """Carries out a choice of an open request, as `Desk.press` does."""

    def __call__(self, code: str, choice: str, *, by_hand: bool, away: bool) -> "Asking | Answer | Refusal": ...


@dataclass
class _Waiting:
    """A message whose request may open in a moment."""

    send: Send
    channel: Channel
    key: Key
    timer: asyncio.TimerHandle


@dataclass
class Away:
    """The channels with their buttons, and the answers that come back from there."""

    outbox: Outbox
    supervisor: Supervisor
    clock: Callable[[], float]
    press: Press | None = None
    """Carries out an answer; None until the desk is made."""
    prepare: Callable[[str, str], Awaitable[None]] | None = None
    """Awaited before `press`, with the request and the choice."""
    patience: float = OPENS_WITHIN
    pause: float = PAUSE
    _offers: Offers = field(default_factory=Offers)
    _listeners: "list[Listener]" = field(default_factory=list)
    _waiting: list[_Waiting] = field(default_factory=list)
    _open: frozenset[Key] = frozenset()
    """The sessions whose requests are open."""
    _ignored: int = 0
    _logged: float = float("-inf")
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.outbox.send = self.send
        self._loop: asyncio.AbstractEventLoop

    @classmethod
    def over(
        cls,
        folder: Path,
        steady: Callable[[], float],
        failed: Callable[[str, str, str], None],
        supervisor: Supervisor,
        clock: Callable[[], float],
    ) -> "Away":
        """Return an Away with an outbox in FOLDER. FAILED reports a message that was not sent."""
        return cls(Outbox(folder, steady, failed, supervisor, wall=clock), supervisor, clock)

    def start(self, policy: Policy) -> None:
        self._loop = asyncio.get_running_loop()
        self.outbox.start(policy)

    def put(self, sends: Iterable[Send], policy: Policy) -> None:
        """Take SENDS. Take back what was offered through a channel whose configuration has changed since."""
        offering = [one for one in policy.channels if one.answers]
        self._take_back(self._offers.keep(offering))
        ready = []
        for one in sends:
            channel = next((found for found in offering if found.name == one.channel), None)
            if channel is None:
                ready.append(one)
            elif not self._waits(one, channel, policy):
                ready.append(self._offered(one, channel))
        self.outbox.put(ready, policy)
        self._listen()

    def check(self) -> None:
        self.outbox.check()

    def withdraw(self, slot: str) -> None:
        for one in [one for one in self._waiting if one.send.notice.slot == slot]:
            self._no_longer(one)
        self.outbox.withdraw(slot)

    def stop(self) -> None:
        """Take back every offer, and stop listening and sending."""
        for one in list(self._waiting):
            self._no_longer(one)
        self._take_back(self._offers.keep(()))
        self._listen()
        self.outbox.stop()

    def see(self, sessions: Iterable[Session], requests: Collection[str]) -> None:
        """Send the messages whose request is open now, and take back offers for requests that are not among REQUESTS.

        The loop calls this at every turn.
        """
        self._take_back(self._offers.only(requests))
        asking = {one.key: one for one in sessions if one.asking and one.asking.code}
        self._open = frozenset(asking)
        for one in [one for one in self._waiting if one.key in asking]:
            # If this raises, the message still waits, and is sent later without buttons.
            made = notice_for(asking[one.key], one.channel, self.outbox.policy, self.clock())
            made = replace(made, slot=one.send.notice.slot, reason=one.send.notice.reason)
            self._no_longer(one)
            self.put([one.send._replace(notice=made)], self.outbox.policy)

    def ended(self, request: str) -> None:
        """Take back the offers for the request with the code REQUEST, which is over."""
        self._take_back(self._offers.drop(request))
        self._listen()

    def send(self, message: Message, channel: Channel) -> None:
        """Send MESSAGE with the answers that are open now. The threads of the outbox call this."""
        channels.send(message, channel, self._offers.replies(message.tag) if message.tag else ())

    def _waits(self, send: Send, channel: Channel, policy: Policy) -> bool:
        """Return whether SEND has to wait, because its request may open in a moment. Begin to wait if so."""
        notice = send.notice
        if notice.away or len(notice.sessions) != 1 or notice.sessions[0] in self._open:
            return False
        if not getattr(policy.answers, notice.status, False):
            return False
        timer = self._loop.call_later(self.patience, self._send_late, send)
        self._waiting.append(_Waiting(send, channel, notice.sessions[0], timer))
        return True

    def _send_late(self, send: Send) -> None:
        """Send without answers, because the request did not open."""
        self._waiting = [one for one in self._waiting if one.send is not send]
        self.outbox.put([send], self.outbox.policy)

    def _no_longer(self, one: _Waiting) -> None:
        one.timer.cancel()
        self._waiting.remove(one)

    def _offered(self, send: Send, channel: Channel) -> Send:
        if send.notice.away is None:
            return send
        offer = self._offers.put(channel, send.notice.away, send.notice.about[0].project)
        return send._replace(notice=replace(send.notice, tag=offer.tag))

    def _take_back(self, gone: Sequence[Offer]) -> None:
        for one in gone:
            if one.sent:
                self.outbox.take_back(one.channel.name, one.tag)

    def _listen(self) -> None:
        """Listen to the channels from which an answer may come, and to no others."""
        wanted = self._offers.channels()
        for one in [one for one in self._listeners if one.channel not in wanted]:
            one.end()
            self._listeners.remove(one)
        heard = [one.channel for one in self._listeners]
        for channel in [channel for channel in wanted if channel not in heard]:
            self._begin(channel)

    def _begin(self, channel: Channel) -> None:
        from deskbell.notices.channels.listener import Listener  # imported only now: it needs HTTP

        listener = Listener(channel, lambda said: self._hear(channel.name, said), self.clock)

        def run() -> None:
            try:
                listener.run()
            finally:
                with suppress(RuntimeError):  # the loop is closed: the program has ended
                    self._loop.call_soon_threadsafe(self._loop.call_later, self.pause, self._begin_again, listener)

        self._listeners.append(listener)
        if not self.supervisor.thread(PART, run):
            self._loop.call_later(self.pause, self._begin_again, listener)

    def _begin_again(self, listener: "Listener") -> None:
        """Start another thread for a listener whose thread ended or could not be started."""
        if listener in self._listeners:
            self._listeners.remove(listener)
            self._listen()

    def _hear(self, channel: str, said: str) -> bool:
        """Take a message from CHANNEL, in the thread of its listener. Return whether it is an open code."""
        found = self._offers.take(channel, said)
        if found is None:
            self._count(channel)
            return False
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._answer_soon, *found)
        return True

    def _answer_soon(self, offer: Offer, choice: Choice) -> None:
        self.supervisor.once(JUDGES, self._prepared(offer, choice))

    async def _prepared(self, offer: Offer, choice: Choice) -> None:
        if self.prepare:
            await self.prepare(offer.request, choice.id)
        self._answer(offer, choice)

    def _count(self, channel: str) -> None:
        with self._lock:
            self._ignored += 1
            if abs(self.clock() - self._logged) < SAID_AGAIN:
                return
            self._logged, count, self._ignored = self.clock(), self._ignored, 0
        log.info("%s: %d messages to its topic of answers were no open answers", channel, count)

    def _answer(self, offer: Offer, choice: Choice) -> None:
        """Carry out CHOICE. If that fails, send the reason to the phone."""
        from deskbell.answers.steps import Answer, Refusal  # loaded with the desk, which most people never need

        if self.press is None:
            self._tell(offer, NOT_ANSWERED, AT_THE_MACHINE)
            return
        press = self.supervisor.guarded(PART, self.press)
        step = press(offer.request, choice.id, by_hand=False, away=True)
        if isinstance(step, Answer):
            log.info("%s: an answer came from away", offer.channel.name)
        elif step is None:  # the desk raised, perhaps after it had passed on the answer
            self._tell(offer, UNCERTAIN, DESK_FAILED)
        else:
            self._tell(offer, NOT_ANSWERED, step.why if isinstance(step, Refusal) else AT_THE_MACHINE)

    def _tell(self, offer: Offer, what: str, why: str) -> None:
        self.outbox.put([Send(offer.channel.name, _told(offer, what, why))], self.outbox.policy)


def _told(offer: Offer, what: str, why: str) -> Notice:
    return Notice(
        slot=f"answer {offer.tag}",
        sessions=(),
        status="permission",
        title=f"{offer.project}: {what}",
        body=why,
        urgency="normal",
        click=None,
    )
