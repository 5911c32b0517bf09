"""What is to be shown, replaced and withdrawn now, and why, and why not? Pure: everything known is an argument.

`news` may be called at any moment: a call without a change and before `wake_at` changes nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from deskbell.board import Board
from deskbell.notices import notice as say
from deskbell.notices.decisions import Decision, Outcome
from deskbell.notices.judge import Senses, focused, hold, judge, muted, next_step, snoozed
from deskbell.notices.notice import Notice
from deskbell.notices.policy import Policy
from deskbell.notices.wants import CRASHED_FOR, WANTING, Memory, RingState, Want, wants
from deskbell.session import Session
from deskbell.text.times import duration


class Send(NamedTuple):
    channel: str
    notice: Notice


class Withdrawal(NamedTuple):
    slot: str
    reason: str


@dataclass(frozen=True, slots=True)
class News:
    memory: Memory
    """To be given to the next call."""
    show: tuple[Notice, ...]
    replace: tuple[Notice, ...]
    withdraw: tuple[Withdrawal, ...]
    sends: tuple[Send, ...]
    """What goes to the other channels."""
    decisions: tuple[Decision, ...]
    wake_at: float | None
    """When `news` is to be called again though nothing may have changed."""


def news(before: Board, after: Board, policy: Policy, now: float, memory: Memory, senses: Senses) -> News:
    found = wants(before, after, policy, now, memory)
    desk = _Desk(policy, now, senses, {w.slot: w for w in found.now.values()}, memory.digest)
    desk.conclude(found.over)
    desk.unattended(before, after)
    desk.take_back()
    desk.call([*desk.decided(), *desk.escalated()])
    desk.refresh()
    desk.clear()
    return News(
        memory=Memory(
            first=now if memory.first is None else memory.first,
            runs=found.runs,
            wants={w.session.key: w for w in desk.wants.values()},
            latest=found.latest,
            digest=desk.digest,
        ),
        show=tuple(desk.show),
        replace=tuple(desk.replace),
        withdraw=tuple(desk.withdraw),
        sends=tuple(desk.sends),
        decisions=tuple(desk.decisions),
        wake_at=desk.wake_at(),
    )


def closed(memory: Memory, slot: str) -> Memory:
    """The notice in this slot was clicked, dismissed or has expired: only a new call brings one back."""
    if slot == say.DIGEST:
        return replace(memory, digest=None)
    wants = {key: replace(w, shown=None) if w.slot == slot else w for key, w in memory.wants.items()}
    return replace(memory, wants=wants)


class _Call(NamedTuple):
    """One want that calls its person now."""

    want: Want
    reason: str
    sound: str | None = None


@dataclass(slots=True)
class _Desk:
    """One pass over all wants; it lives as long as one call of `news`."""

    policy: Policy
    now: float
    senses: Senses
    wants: dict[str, Want]
    digest: Notice | None
    show: list[Notice] = field(default_factory=list)
    replace: list[Notice] = field(default_factory=list)
    withdraw: list[Withdrawal] = field(default_factory=list)
    sends: list[Send] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)

    def conclude(self, over: Iterable[tuple[Want, str]]) -> None:
        for want, how in over:
            if want.shown:
                self._take_off(want, how)
            elif want.state == "new":
                self._note(want.session, "not shown", f"{how} before its time had come")
            elif want.state == "held":
                self._note(want.session, "not shown", f"{how} while it was held back")

    def unattended(self, before: Board, after: Board) -> None:
        earlier = {s.key: s.status for s in before.hidden}
        for session in after.hidden:
            if session.status in WANTING and earlier.get(session.key, session.status) != session.status:
                self._note(session, "not shown", "nobody sits at it (claude -p)")

    def take_back(self) -> None:
        """A mute or a snooze that begins clears the screen of what it means."""
        for want in self._in("shown", "digest"):
            if mute := muted(want.session, self.policy, self.now, self.senses):
                self._set(want, state="silent")
                self._note(want.session, "withdrawn", mute)
            elif snooze := snoozed(self.now, self.senses):
                self._set(want, state="held")
                self._note(want.session, "held", snooze.reason)

    def decided(self) -> list[_Call]:
        """The wants whose time has come and that nothing keeps from ringing."""
        calls = []
        for want in self._in("new", "held"):
            if want.due > self.now:
                continue
            said = judge(want, self.policy, self.now, self.senses)
            if said.state == "shown":
                calls.append(_Call(want, said.reason))
            elif said.state != want.state:
                self._set(want, state=said.state, rung=self.now if said.state == "seen" else None)
                self._note(want.session, said.verdict, said.reason)
        return calls

    def escalated(self) -> list[_Call]:
        """The wants that have been unanswered for so long that the next step is due."""
        ladder = self.policy.escalation
        calls, phone = [], []
        for want in self._in("shown", "digest", "seen"):
            due = next_step(want, self.policy)
            if due is None or due > self.now or hold(self.policy, self.now, self.senses):
                continue
            step, reason = ladder.steps[want.steps], f"unanswered for {duration(self.now - want.asked)}"
            want = self._set(want, steps=want.steps + 1, rung=self.now)
            if step == "phone":
                phone.append(want)
            elif focused(want.session, self.policy, self.senses):
                self._note(want.session, "not shown", f"{reason}, but its pane was focused")
            else:
                calls.append(_Call(want, reason, ladder.sound if step == "sound" else ""))
        self._send(phone, "unanswered")
        return calls

    def call(self, calls: Sequence[_Call]) -> None:
        """Each by itself, or all as one where there are too many at the same time."""
        if not calls:
            return
        calling = {c.want.slot for c in calls}
        lately = [w for w in self._in("shown", "digest") if self._called_lately(w) and w.slot not in calling]
        burst = any(w.state == "digest" for w in lately) or len(lately) + len(calls) > self.policy.burst.more_than
        held = sum(c.want.state == "held" for c in calls) > 1
        if burst or held:
            self._ring_together(calls, lately if burst else (), "Meanwhile" if held else "")
        else:
            for call in calls:
                self._ring(call)
        self._send([c.want for c in calls if not c.want.steps], "ring")

    def refresh(self) -> None:
        """What is on the screen follows what it speaks of, without a sound."""
        for want in self._in("shown"):
            if want.shown is None:
                continue
            made = replace(self._notice(want, want.shown.reason, ""), quiet=True)
            if (made.title, made.body) != (want.shown.title, want.shown.body):
                self.replace.append(made)
                self._note(want.session, "replaced", "more is known of it")
                self._set(want, shown=made)
        if self.digest:
            self._refresh_digest(self.digest)

    def clear(self) -> None:
        """A want that is not shown by itself has nothing of its own on the screen."""
        for want in list(self.wants.values()):
            if not want.shown or want.state == "shown":
                continue
            if want.state in ("silent", "held", "seen"):  # noted when that was decided
                self.withdraw.append(Withdrawal(want.slot, f"it is {want.state}"))
            else:
                self._take_off(want, "it is one of many" if want.state == "digest" else "it went on")
            self._set(want, shown=None)

    def wake_at(self) -> float | None:
        times = [w.due for w in self._in("new")]
        times += [w.asked + CRASHED_FOR for w in self.wants.values() if w.session.status == "crashed"]
        steps = [step for w in self._in("shown", "digest", "seen") if (step := next_step(w, self.policy)) is not None]
        if held := hold(self.policy, self.now, self.senses):
            steps = [max(step, held.until) for step in steps]
            times += [held.until] if self._in("held") else []
        return min(times + steps, default=None)

    def _ring(self, call: _Call) -> None:
        want, made = call.want, self._notice(call.want, call.reason, call.sound)
        if want.again and not want.steps:
            made = replace(made, sound="", quiet=True)
        (self.replace if want.shown else self.show).append(made)
        self._note(want.session, "replaced" if want.shown else "shown", call.reason)
        self._set(want, state="shown", shown=made, rung=self.now, called=self.now)

    def _ring_together(self, calls: Sequence[_Call], lately: Sequence[Want], lead: str) -> None:
        for want in lately:
            self._set(want, state="digest")
        for call in calls:
            self._set(call.want, state="digest", rung=self.now, called=self.now)
            self._note(call.want.session, "shown", f"{call.reason}, together with others")
        made = say.digest([w.session for w in self._in("digest")], self.policy, "many at once", lead)
        made = replace(made, sound=next((c.sound for c in calls if c.sound), made.sound))
        (self.replace if self.digest else self.show).append(made)
        self.digest = made

    def _refresh_digest(self, digest: Notice) -> None:
        left = self._in("digest")
        if len(left) <= 1:
            self.withdraw.append(Withdrawal(say.DIGEST, "only one is left" if left else "all were answered"))
            self.digest = None
            for want in left:
                made = replace(self._notice(want, "the last of many", ""), quiet=True)
                self.show.append(made)
                self._note(want.session, "shown", made.reason)
                self._set(want, state="shown", shown=made)
        elif {w.session.key for w in left} != set(digest.sessions):
            lead = digest.title.rpartition(": ")[0]
            made = say.digest([w.session for w in left], self.policy, digest.reason, lead)
            self.digest = replace(made, sound="", quiet=True)
            self.replace.append(self.digest)

    def _send(self, found: Sequence[Want], when: str) -> None:
        for channel in self.policy.channels:
            meant = [w.session for w in found if w.session.status in channel.statuses]
            if channel.when == when and meant:
                shown = self.policy.notification.model_copy(update={"details": channel.details})
                policy = self.policy.model_copy(update={"notification": shown})
                one = len(meant) == 1
                made = say.notice(meant[0], policy, when, self.now) if one else say.digest(meant, policy, when)
                self.sends.append(Send(channel.name, made))
                for session in meant:
                    self._note(session, "sent", f"to {channel.name}")

    def _called_lately(self, want: Want) -> bool:
        return want.called is not None and self.now - want.called < self.policy.burst.within

    def _notice(self, want: Want, reason: str, sound: str | None) -> Notice:
        return replace(say.notice(want.session, self.policy, reason, self.now, sound), slot=want.slot)

    def _take_off(self, want: Want, how: str) -> None:
        self.withdraw.append(Withdrawal(want.slot, how))
        self._note(want.session, "withdrawn", how)

    def _note(self, session: Session, verdict: Outcome, reason: str) -> None:
        self.decisions.append(
            Decision(self.now, session.session_id, session.pid, session.project, session.status, verdict, reason)
        )

    def _in(self, *states: RingState) -> list[Want]:
        """The oldest first."""
        return sorted((w for w in self.wants.values() if w.state in states), key=lambda w: (w.asked, w.slot))

    def _set(self, want: Want, **changes: object) -> Want:
        changed = replace(want, **changes)  # type: ignore[arg-type]  # the fields of Want
        self.wants[want.slot] = changed
        return changed
