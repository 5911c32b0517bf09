"""Decide what to show, replace, withdraw and send now, and record why. Pure: everything known is an argument.

The bell calls `news` at every turn of the loop. A call without a change and before `wake_at` changes nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from deskbell.board import Board
from deskbell.notices.adopt import adoption
from deskbell.notices.decisions import Decision, Outcome
from deskbell.notices.elsewhere import in_terminals, notice_of, sends, summary_of
from deskbell.notices.judge import Senses, focused, held_back, judge_due, lead, muted, next_call, next_step, put_off
from deskbell.notices.notice import SUMMARY, Notice, Request
from deskbell.notices.orders import InTerminal, News, Send, Withdrawal
from deskbell.notices.policy import Policy
from deskbell.notices.screen import Left
from deskbell.notices.wants import ON_SCREEN, UNANSWERED, WANTING, HeldBy, Memory, RingState, Want, by_the_clock, wants
from deskbell.session import Session
from deskbell.text.times import duration

EARLIER, LAST = "from an earlier run", "as the last of a summary"


def news(before: Board, after: Board, policy: Policy, now: float, memory: Memory, senses: Senses) -> News:
    """Return what follows from the change of the board from BEFORE to AFTER. Each step builds on the steps above it:

    1. Wants that are over leave first, so that their slots are free and no summary counts them.
    2. What an earlier run left on the screen is adopted, so that it does not ring again, or withdrawn. A mute, snooze
       or Later that has just begun takes its notifications off the screen, so that they do not ring again in this pass.
    3. New wants, requests whose pane was left, and unanswered wants ring together: all of them count for a burst. A
       want that rings now starts to wait for its next step, so it cannot ring again as unanswered.
    4. Texts and the summary follow the rest; the last want of a summary gets a notification of its own here.
    5. Every want that is not shown by itself loses its own notification: one that was silenced, held back or put into a
       summary above, and a new want that has not rung. This comes last because a new want inherits the notification
       of the want before it, and a ring replaces it in place.
    """
    memory = by_the_clock(memory, now, senses.elapsed)
    found = wants(before, after, policy, now, memory)
    one = _Pass(policy, now, senses, {w.slot: w for w in found.now.values()}, memory.summary)
    one.withdraw_over(found.over)
    one.note_unattended(before, after)
    if senses.left is not None and not memory.adopted:
        one.adopt(senses.left, after)
    one.take_back()
    one.ring([*one.due(), *one.unanswered()])
    one.update()
    one.withdraw_others()
    return News(
        memory=Memory(
            first=now if memory.first is None else memory.first,
            runs=found.runs,
            wants={w.session.key: w for w in one.wants.values()},
            latest=found.latest,
            summary=one.summary,
            adopted=memory.adopted or senses.left is not None,
            at=now,
            elapsed=senses.elapsed,
            aged=found.aged,
        ),
        show=tuple(one.show),
        replace=tuple(one.replace),
        withdraw=tuple(one.withdraw),
        sends=tuple(one.sends),
        in_terminals=tuple(one.in_terminals),
        decisions=tuple(one.decisions),
        wake_at=next_call(one.wants.values(), policy, now, senses),
    )


def closed(memory: Memory, slot: str) -> Memory:
    """Return MEMORY after the notification in SLOT was clicked, dismissed or expired. Only a new ring shows another."""
    if slot == SUMMARY:
        return replace(memory, summary=None)
    wants = {key: replace(w, shown=None) if w.slot == slot else w for key, w in memory.wants.items()}
    return replace(memory, wants=wants)


class _Call(NamedTuple):
    """A want that rings now."""

    want: Want
    reason: str
    sound: str | None = None
    """None: the sound of its status."""


@dataclass(slots=True)
class _Pass:
    """One pass over all wants. It lives as long as one call of `news`."""

    policy: Policy
    now: float
    senses: Senses
    wants: dict[str, Want]
    summary: Notice | None
    adopted: set[str] = field(default_factory=set)
    """The slots whose notification an earlier run has shown."""
    show: list[Notice] = field(default_factory=list)
    replace: list[Notice] = field(default_factory=list)
    withdraw: list[Withdrawal] = field(default_factory=list)
    sends: list[Send] = field(default_factory=list)
    in_terminals: list[InTerminal] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)

    def withdraw_over(self, over: Iterable[tuple[Want, str]]) -> None:
        for want, how in over:
            if want.shown:
                self._take_off(want, how)
            elif want.state == "new":
                self._note(want.session, "not shown", f"{how} before its delay was over")
            elif want.state == "held":
                self._note(want.session, "not shown", f"{how} while it was held back")

    def note_unattended(self, before: Board, after: Board) -> None:
        earlier = {s.key: s.status for s in before.hidden}
        for session in after.hidden:
            if session.status in WANTING and earlier.get(session.key, session.status) != session.status:
                self._note(session, "not shown", "it runs unattended (claude -p)")

    def take_back(self) -> None:
        """Withdraw what is on the screen when a mute, a snooze or Later begins."""
        for want in self._in(*ON_SCREEN):
            if mute := muted(want.session, self.policy, self.now, self.senses):
                self._set(want, state="silent")
                self._note(want.session, "withdrawn", mute)
            elif held := put_off(want.session, self.now, self.senses):
                self._hold(want, held.by, held.reason)

    def adopt(self, left: Sequence[Left], after: Board) -> None:
        """Take over what an earlier run left on the screen: a click on it works only once it is shown anew."""
        found = adoption(left, after, self.wants.values(), self.now)
        self.withdraw += found.withdraw
        for request, how in found.over:
            self._note(request, "withdrawn", how)
        for want in found.wants:
            self.wants = {slot: w for slot, w in self.wants.items() if w.session.key != want.session.key}
            self._set(want, shown=self._notice(want, EARLIER, "") if want.state == "shown" else None)
            self._note(want.session, "adopted", EARLIER)
        self.adopted = {want.slot for want in found.wants}
        if together := [want for want in found.wants if want.state == "summary"]:
            self.summary = replace(self._summary(together, EARLIER), body="")  # `update` makes it anew

    def due(self) -> list[_Call]:
        """Return the wants that ring now: their delay is over or their pane was left, and nothing holds them back."""
        calls = []
        for want, judged in judge_due(self._in("new", "held", "seen"), self.policy, self.now, self.senses):
            if judged.state == "shown":
                calls.append(_Call(self._set(want, rung=self.now), judged.reason))
            elif judged.state == want.state:
                self._set(want, looked=self.now, held_by=judged.held_by)
            elif judged.held_by:
                self._hold(want, judged.held_by, judged.reason)
            else:
                seen = self.now if judged.state == "seen" else None
                self._set(want, state=judged.state, rung=seen, seen=seen, looked=self.now)
                self._note(want.session, judged.verdict, judged.reason)
        return calls

    def unanswered(self) -> list[_Call]:
        """Return the wants whose next step of the escalation is a ring. Send those whose step is the phone."""
        calls, phone = [], []
        for want in self._in(*UNANSWERED):
            due = next_step(want, self.policy)
            if due is None or due > self.now or held_back(want.session, self.policy, self.now, self.senses):
                continue
            step, reason = self.policy.escalation.steps[want.steps], f"unanswered for {duration(self.now - want.asked)}"
            seen = step != "phone" and focused(want.session, self.policy, self.senses)
            if step != "phone" and self.senses.awaits_focus(want.session):
                continue
            want = self._set(want, steps=want.steps + 1, rung=self.now)
            if step == "phone":
                phone.append(want)
            elif seen:
                self._note(want.session, "not shown", f"{reason}, but its pane was focused")
            else:
                calls.append(_Call(want, reason, self.policy.escalation.sound if step == "sound" else ""))
        self._send(phone, "unanswered")
        return calls

    def ring(self, calls: Sequence[_Call]) -> None:
        """Ring for each call by itself, or once for all if there are too many at the same time."""
        if not calls:
            return
        calling = {c.want.slot for c in calls}
        lately = [w for w in self._in(*ON_SCREEN) if self._rang_lately(w) and w.slot not in calling]
        burst = any(w.state == "summary" for w in lately) or len(lately) + len(calls) > self.policy.burst.more_than
        held = [c.want for c in calls if c.want.state == "held"]
        found = sum(c.want.found is not None for c in calls) > 1
        if burst or found or len(held) > 1:
            self._ring_together(calls, lately if burst else (), lead(held) if len(held) > 1 else "")
        else:
            for call in calls:
                self._ring_alone(call)
        self._send([c.want for c in calls if not c.want.steps], "ring")
        self._ring_in_terminals([c.want for c in calls if c.want.steps or not c.want.again])

    def update(self) -> None:
        """Bring the texts on the screen up to date, without a sound."""
        for want in self._in("shown"):
            if want.shown is None:
                continue
            made = replace(self._notice(want, want.shown.reason, ""), quiet=True)
            if changed := made.differs_from(want.shown):
                self.replace.append(made)
                self._note(want.session, "replaced", f"its {changed} changed")
                self._set(want, shown=made)
            elif want.slot in self.adopted:
                self.replace.append(made)
        if self.summary:
            self._update_summary(self.summary)

    def withdraw_others(self) -> None:
        """Withdraw the notification of every want that is no longer shown by itself."""
        for want in list(self.wants.values()):
            if not want.shown or want.state == "shown":
                continue
            if want.state in ("silent", "held", "seen"):  # noted when that was decided
                self.withdraw.append(Withdrawal(want.slot, f"it is {want.state}"))
            else:
                self._take_off(want, "it is part of a summary" if want.state == "summary" else "it went on")
            self._set(want, shown=None)

    def _ring_alone(self, call: _Call) -> None:
        want, made = call.want, self._notice(call.want, call.reason, call.sound)
        if want.again and not want.steps:
            made = replace(made, sound="", quiet=True)
        (self.replace if want.shown else self.show).append(made)
        self._note(want.session, "replaced" if want.shown else "shown", call.reason)
        self._set(want, state="shown", shown=made, rung=self.now, called=self.now)

    def _ring_together(self, calls: Sequence[_Call], lately: Sequence[Want], lead: str) -> None:
        """Ring once for CALLS, and put what rang just before into the same summary."""
        for want in lately:
            self._set(want, state="summary")
        for call in calls:
            self._set(call.want, state="summary", rung=self.now, called=self.now)
        together = self._in("summary")
        for call in calls:
            self._note(call.want.session, "shown", f"{call.reason}, in a summary of {len(together)}")
        made = self._summary(together, "many at once", lead)
        made = replace(made, sound=next((c.sound for c in calls if c.sound), made.sound))
        (self.replace if self.summary else self.show).append(made)
        self.summary = made

    def _update_summary(self, on_screen: Notice) -> None:
        left = self._in("summary")
        if len(left) <= 1:
            self.withdraw.append(Withdrawal(SUMMARY, "only one is left" if left else "all were answered"))
            self.summary = None
            for want in left:
                made = replace(self._notice(want, LAST, None), quiet=True)
                self.show.append(made)
                self._note(want.session, "shown", made.reason)
                self._set(want, state="shown", shown=made)
            return
        made = self._summary(left, on_screen.reason, on_screen.lead)
        if (made.title, made.body) != (on_screen.title, on_screen.body):
            self.summary = replace(made, sound="", quiet=True)
            self.replace.append(self.summary)

    def _send(self, found: Sequence[Want], when: str) -> None:
        for send, about in sends(found, when, self.policy, self.now):
            self.sends.append(send)
            for want in about:
                self._note(want.session, "sent", f"to {send.channel}")

    def _ring_in_terminals(self, found: Sequence[Want]) -> None:
        for one in in_terminals(found, self.policy, self.now):
            self.in_terminals.append(one)
            self._note(one.session, "sent", "to its terminal")

    def _rang_lately(self, want: Want) -> bool:
        return want.called is not None and self.now - want.called < self.policy.burst.within

    def _notice(self, want: Want, reason: str, sound: str | None) -> Notice:
        return notice_of(want, self.policy, reason, self.now, sound)

    def _summary(self, wants: Sequence[Want], reason: str, lead: str = "") -> Notice:
        return summary_of(wants, self.policy, reason, self.now, lead)

    def _hold(self, want: Want, by: HeldBy, reason: str) -> None:
        """Hold WANT back. It rings afterwards, also if it rang before."""
        self._set(want, state="held", held_by=by, again=False)
        self._note(want.session, "held", reason)

    def _take_off(self, want: Want, how: str) -> None:
        self.withdraw.append(Withdrawal(want.slot, how))
        self._note(want.session, "withdrawn", how)

    def _note(self, about: Session | Request, verdict: Outcome, reason: str) -> None:
        self.decisions.append(
            Decision(self.now, about.session_id, about.pid, about.project, about.status, verdict, reason)
        )

    def _in(self, *states: RingState) -> list[Want]:
        """Return the wants in one of STATES, the oldest first."""
        return sorted((w for w in self.wants.values() if w.state in states), key=lambda w: (w.asked, w.slot))

    def _set(self, want: Want, **changes: object) -> Want:
        changed = replace(want, **changes)  # type: ignore[arg-type]  # the fields of Want
        self.wants[want.slot] = changed
        return changed
