"""Make the screen of any system show the wanted notices, through a backend of desktop-notifier.

The caller says what it wants (`show`, `withdraw`), and one task sends and clears until the screen agrees. So a slow
system gets only the newest notice of each slot, and a system that fails or starts late misses nothing. A notice that is
withdrawn while it is being sent is cleared once it is shown.

What failed is tried again at the next change, and after pauses that grow. Only a notice that was surely not displayed
is sent again: one that the system has not answered waits for the answer, however late. Times are in seconds.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from desktop_notifier import Capability
from desktop_notifier.backends.base import DesktopNotifierBackend

from deskbell.desktop.notify.display import Display
from deskbell.desktop.notify.notification import Answers, extra, notification
from deskbell.desktop.notify.reasons import LIBRARY, Reasons
from deskbell.desktop.notify.retries import Retries
from deskbell.face.actions import Action, Details
from deskbell.notices.notice import Notice, as_drawn
from deskbell.notices.screen import Left, Listener, ScreenEvent
from deskbell.notices.wants import ASKS
from deskbell.supervision import Supervisor
from deskbell.text.wording import safe

DISPLAY, DELIVERY = "display of notifications", "delivery of notifications"
"""Names of parts for the supervisor: a call of the backend, and the task that makes these calls."""
CONNECTION, CLICKS = "notification daemon", "clicks on notifications"
ENDS_WITHIN = 2.0
"""How long `stop` waits for each of these: the sending, the clearing, and the end of the connection."""

log = logging.getLogger(__name__)


async def allowed(backend: DesktopNotifierBackend) -> bool:
    """Return whether notifications can be displayed. The system may ask the person, or start a daemon."""
    return await backend.request_authorisation() and Capability.TITLE in await backend.get_capabilities()


class LibraryNotifier:
    """The Notifier of every system. Its methods are called in the loop; the backend may answer in any thread."""

    def __init__(self, display: Display, listener: Listener, supervisor: Supervisor) -> None:
        self._display = display
        self._listener = listener
        self._supervisor = supervisor
        self._wanted: dict[str, Notice] = {}
        self._sent: dict[str, Notice | None] = {}
        """What may be on the screen, by slot; None for what an earlier run has left there."""
        self._rung: dict[str, Notice] = {}
        """What has been displayed last, by slot, on this screen or on one before it."""
        self._unsure: dict[str, str] = {}
        """The sounds of what was sent without an answer and has been replaced since, by slot. They may have rung."""
        self._changed: dict[str, None] = {}
        """The slots that differ from what is wanted, the oldest change first."""
        self._failed: dict[str, None] = {}
        """The slots that could not be brought up to date. The next round tries again."""
        self._retries = Retries()
        self._due: float | None = None
        """When the next round is due, if nothing changes before; None if nothing is to be tried again."""
        self._work = asyncio.Event()
        self._ready = False
        self._takes_text = False
        self._screens = 0
        """How often the screen was renewed. A failure because of that does not count."""
        self._lost: ScreenEvent | None = None
        """What the listener was told about notices that are not displayed; None if all are."""
        self._told_left = False
        self._ending = False
        self._reasons = Reasons()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._delivery: asyncio.Task[None] | None = None
        self._connection: asyncio.Task[None] | None = None

    @property
    def daemon(self) -> str | None:
        return self._display.name if self._ready else None

    @property
    def takes_text(self) -> bool:
        return self._ready and self._takes_text

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        LIBRARY.addFilter(self._reasons)
        self._delivery = self._supervisor.keep(DELIVERY, self._deliver)
        serve = partial(self._display.serve, self._renewed, self._gone, self._found)
        self._connection = self._supervisor.keep(CONNECTION, serve)

    def show(self, notice: Notice) -> None:
        before = self._wanted.get(notice.slot)
        if not notice.quiet:
            self._unsure.pop(notice.slot, None)
        elif before and not before.quiet and self._rung.get(notice.slot) is not before:
            self._unsure[notice.slot] = before.sound
            notice = self._ringing(notice, self._sent.get(notice.slot) is before)
        self._wanted[notice.slot] = notice
        self._touch(notice.slot)

    def _ringing(self, notice: Notice, was_sent: bool = True) -> Notice:
        """Return NOTICE, which rings if the one that should ring in its slot was surely not displayed."""
        if notice.slot not in self._unsure or (was_sent and self._display.unanswered(notice.slot)):
            return notice
        return replace(notice, quiet=False, sound=self._unsure.pop(notice.slot))

    def withdraw(self, slot: str) -> None:
        self._rung.pop(slot, None)
        self._unsure.pop(slot, None)
        if self._wanted.pop(slot, None) or slot in self._sent:
            self._touch(slot)

    async def stop(self) -> None:
        self._ending = True
        self._work.set()
        if self._delivery:
            await _ended(self._delivery)
        if self._sent:
            await _ended(self._supervisor.once(DISPLAY, self._clear_all()))
        if self._connection:
            self._connection.cancel()
            await _ended(self._connection)
        LIBRARY.removeFilter(self._reasons)

    def _touch(self, *slots: str) -> None:
        self._changed.update(dict.fromkeys(slots))
        self._retries.forget(slots)
        self._work.set()

    def _renewed(self) -> None:
        """Show everything again. Only what was never displayed rings."""
        self._screens += 1
        self._ready = False
        self._sent.clear()
        for slot, notice in self._wanted.items():
            if self._rung.get(slot) is notice:
                self._wanted[slot] = self._rung[slot] = replace(notice, quiet=True)
        self._touch(*self._wanted)

    def _found(self, left: Sequence[Left]) -> None:
        """Take over what is on the screen. What an earlier run left is passed to the listener, which may adopt it."""
        self._sent.update(dict.fromkeys(one.slot for one in left))
        for one in left:
            wanted = self._wanted.get(one.slot)
            if wanted is None:
                self._touch(*([one.slot] if self._told_left or not one.about else []))
            elif wanted.about and wanted.about == one.about:  # it has rung already
                self._wanted[one.slot] = replace(wanted, quiet=True)
        if not self._told_left:
            self._told_left = True
            self._tell(ScreenEvent("left", left=tuple(one for one in left if one.about)))

    def _gone(self, why: str) -> None:
        self._renewed()
        self._tell_lost(why, why)

    async def _deliver(self) -> None:
        while not self._ending:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(self._due):
                    await self._work.wait()
            self._work.clear()
            if self._changed or self._failed or self._lost:
                try:
                    await self._round()
                finally:
                    self._due = self._retries.due(self._unfinished(), asyncio.get_running_loop().time())

    def _unfinished(self) -> list[str]:
        """Return the slots that are to be brought up to date once something displays."""
        return [slot for slot in self._failed | self._changed if slot in self._wanted or slot in self._sent]

    async def _round(self) -> None:
        """Bring every changed slot up to date while something displays."""
        screen = self._screens
        self._changed = self._failed | self._changed
        self._failed = {}
        self._reasons.error = None
        if not self._ready:
            await self._supervisor.once(DISPLAY, self._ask())
        while self._ready and self._changed and not self._ending:
            await self._try(next(iter(self._changed)))
        if screen == self._screens and not self._ending:
            slot = next(iter(self._failed), "") if self._ready else ""
            if self._ready and not slot:
                self._tell_back()
            else:
                cause = self._reasons.text or "nothing displays them"
                self._tell_lost(cause, cause if slot else "", slot)

    async def _try(self, slot: str) -> None:
        """Bring SLOT up to date. If that fails, find out whether anything displays at all."""
        del self._changed[slot]
        self._failed[slot] = None
        await self._supervisor.once(DISPLAY, self._reasons.noted(self._bring_up(slot)))
        if slot in self._failed and self._ready:
            await self._supervisor.once(DISPLAY, self._ask())

    async def _ask(self) -> None:
        self._ready = False
        backend = self._display.backend
        backend.on_clicked = partial(self._soon, self._clicked_nowhere)
        if await allowed(backend):
            self._takes_text = Capability.REPLY_FIELD in await backend.get_capabilities()
            self._ready = True

    async def _bring_up(self, slot: str) -> None:
        if notice := self._wanted.get(slot):
            if self._sent.get(slot) is notice and self._display.unanswered(slot):
                self._reasons.error = TimeoutError()  # as when it was sent
            else:
                self._wanted[slot] = notice = self._ringing(notice)
                await self._send(notice)
        elif slot in self._sent:
            await self._display.backend.clear(slot)
            self._sent.pop(slot, None)
            self._failed.pop(slot, None)
        else:
            self._failed.pop(slot, None)

    async def _send(self, notice: Notice) -> None:
        """Send NOTICE. The base class of the backends swallows their errors, so only `_displayed` means success."""
        answers = Answers(
            displayed=partial(self._displayed, notice),
            clicked=partial(self._soon, self._clicked, notice),
            closed=partial(self._soon, self._closed, notice),
        )
        expired = partial(self._soon, self._closed, notice, by_person=False)
        self._display.attach(notice.slot, replace(extra(notice), expired=expired))
        drawn = as_drawn(notice, safe(notice.title), self._display.drawn(safe(notice.body)))
        made = notification(drawn, answers)
        self._sent[notice.slot] = notice
        await self._display.backend.send(made)

    def _displayed(self, notice: Notice) -> None:
        """Take note that NOTICE is on the screen. A slow system may say so long after it was sent."""
        self._sent[notice.slot] = self._rung[notice.slot] = notice
        self._unsure.pop(notice.slot, None)
        self._failed.pop(notice.slot, None)
        if self._wanted.get(notice.slot) is not notice:
            self._changed[notice.slot] = None
        self._work.set()
        self._tell(ScreenEvent("displayed", notice.slot, self.daemon or ""))

    async def _clear_all(self) -> None:
        await self._display.backend.clear_all()
        self._sent.clear()

    async def _clicked(self, notice: Notice, action: Action) -> None:
        """Withdraw what was clicked, because some daemons leave it on the screen. A newer notice in its slot stays.

        A request whose details are only looked at is still open. Its notice comes back, because most daemons close what
        is clicked.
        """
        token = self._display.token(notice.slot)
        if self._wanted.get(notice.slot) is notice:
            self.withdraw(notice.slot)
            if isinstance(action, Details) and (notice.sign or notice.status) in ASKS:
                self.show(replace(notice, quiet=True))
        stays = notice.slot in self._wanted
        self._tell(ScreenEvent("clicked", notice.slot, self.daemon or "", action, token, stays=stays))

    async def _clicked_nowhere(self, slot: str) -> None:
        """Take a click on the notice in SLOT that the library no longer knows, as Windows reports a late one.

        A click on a notice without an action closes it.
        """
        notice = self._wanted.get(slot)
        if notice and notice.click:
            await self._clicked(notice, notice.click)
        elif notice:
            await self._closed(notice)

    async def _closed(self, notice: Notice, by_person: bool = True) -> None:
        """Report that NOTICE was closed, unless another notice has taken its slot meanwhile."""
        if self._wanted.get(notice.slot) is notice:
            self.withdraw(notice.slot)
            self._tell(ScreenEvent("closed", notice.slot, self.daemon or "", by_person=by_person))

    def _soon(self, effect: Callable[..., Coroutine[Any, Any, None]], *arguments: object, **named: object) -> None:
        """Run EFFECT in the loop. Any thread may call this."""
        assert self._loop
        with contextlib.suppress(RuntimeError):  # the loop is closed: the program has ended
            self._loop.call_soon_threadsafe(lambda: self._supervisor.once(CLICKS, effect(*arguments, **named)))

    def _tell_lost(self, cause: str, why: str = "", slot: str = "") -> None:
        """Log the CAUSE, and tell the listener WHY. SLOT: a notice that is not displayed although others may be."""
        if self._lost is None or bool(self._lost.slot) != bool(slot):
            log.warning("notifications are not displayed: %s", cause)
            self._lost = ScreenEvent("lost", slot, why=why)
            self._tell(self._lost)

    def _tell_back(self) -> None:
        if self._lost:
            log.info("notifications are displayed again, by %s", self.daemon)
            self._lost = None
            self._tell(ScreenEvent("back", by=self.daemon or ""))

    def _tell(self, event: ScreenEvent) -> None:
        if not self._ending:
            self._listener(event)


async def _ended(task: asyncio.Task[None]) -> None:
    """Wait until TASK has ended; cancel it if it takes longer than ENDS_WITHIN."""
    await asyncio.wait({task}, timeout=ENDS_WITHIN)
    if task.cancel():
        await asyncio.wait({task}, timeout=ENDS_WITHIN)
