"""Hold the requests that wait for an answer. Each can be answered once, until its dialog or its client changes.

The program calls this in its loop. Each request has its own connection to the one asker that holds it, so an answer can
reach no other request. A request that ends without an answer has its connection closed and nothing sent: the dialog in
the terminal stays as it is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from secrets import token_hex
from typing import Protocol

from deskbell.answers.receipts import Receipts
from deskbell.answers.request import Request, request_of
from deskbell.answers.steps import NOTHING_YET, Answer, Output, Progress, Refusal, Rules, asking, pressed
from deskbell.answers.waiting import Open, Over, Seen, waiting
from deskbell.asking import Asking
from deskbell.session import Key, Session
from deskbell_hooks.codec import encode
from deskbell_hooks.decision import is_allowed

MOST = 100
"""Requests that are held at the same time."""
UNREAD, UNSURE = 0.3, 0.7
"""Seconds after a step is shown in which a click does not count, because it was meant for what was there before. UNSURE
is for the step that asks for confirmation: it appears under the pointer, where a double click would confirm it."""
REMEMBERED = 200
"""Requests whose end is remembered, so that a late answer is told why it is refused."""

HERE, AWAY = "from here", "from away (phone)"
"""Who answers, as the end of a sentence: somebody at this machine, or somebody with a phone."""

UNHEARD_OF = Refusal("This request is not open any more.")
TOO_SOON = Refusal("That came before anybody could have read the question. Answer again.")
NOT_OPEN_YET = Refusal("The dialog is not on the screen yet. Answer again in a moment.")
TYPING = Refusal("You are typing in its terminal. Answer there, or again in a few seconds.")
LEADS_ELSEWHERE = "What it names leads elsewhere than when it was shown. Look again, and answer again."
PASSED = Refusal("It asks something else now than it did there. Look again, and answer again.")
TAKES_TOO_LONG = Refusal("Its files cannot be looked up in time. Answer in the terminal.")
FORBIDDEN = Refusal("Claude Code would not take this answer as it was meant. Answer in the terminal.")


class Line(Protocol):
    """The connection to an asker."""

    def send(self, data: bytes) -> None:
        """Send DATA, the last that is sent, and close. Do nothing if the other end is gone."""

    def close(self) -> None: ...


class Kinds(Protocol):
    """What may be answered: the part `answers` of the policy."""

    @property
    def permission(self) -> bool: ...
    @property
    def question(self) -> bool: ...
    @property
    def plan(self) -> bool: ...
    @property
    def needs_asker(self) -> bool:
        """Whether any of them is on."""


@dataclass(slots=True)
class _Held:
    request: Request
    line: Line
    waiting: Open
    rules: Rules | None = None
    """What may be chosen; None until the risk is judged."""
    progress: Progress = NOTHING_YET
    offered: float = 0.0
    """When the step that is open now was first shown."""
    step: int = 0
    """How many steps came before it."""
    project: str = ""


@dataclass
class Desk:
    """The open requests of all sessions. All methods are called in the loop."""

    kinds: Callable[[], Kinds]
    seen: Callable[[Request], Seen]
    """Asks the registry and the system about the client of a request."""
    judge: Callable[[Request], None]
    """Works out the Rules of a request, and then calls `judged`. It may take long, because it follows links."""
    judge_again: Callable[[Request], Rules | None]
    """Returns the Rules of a request as they are now; None if they could not be worked out in time. It does not block:
    whoever presses has them worked out before, if `allows` returns the request."""
    typing: Callable[[Session], bool]
    """Whether the person may have typed into the terminal of a session within the last second."""
    clock: Callable[[], float]
    changed: Callable[[], None]
    """Called when there is something else to show."""
    ended: Callable[[Request], None]
    """Called when a request is over, whatever ended it."""
    receipts: Receipts
    _held: dict[str, _Held] = field(default_factory=dict)
    _over: dict[str, Refusal] = field(default_factory=dict)
    _sessions: Mapping[Key, Session] = field(default_factory=dict)

    @property
    def waits(self) -> bool:
        """Whether a request or a receipt is open, so that `look` has to be called."""
        return bool(self._held or self.receipts.waits)

    @property
    def requests(self) -> Sequence[tuple[Request, Asking]]:
        """Every open request with its step, the oldest first."""
        return [(held.request, _asking(held, held.rules)) for held in self._held.values() if held.rules]

    def take(self, message: object, line: Line) -> str | None:
        """Hold the request in MESSAGE, and return its code. Close LINE, and return None, if it cannot be answered."""
        request = request_of(message, token_hex(16))
        if request is None or len(self._held) >= MOST or not getattr(self.kinds(), request.kind):
            line.close()
            return None
        found = waiting(request, Open(), self.seen(request), self.clock())
        if isinstance(found, Over):
            line.close()
            return None
        self._held[request.code] = _Held(request, line, found)
        self.judge(request)
        return request.code

    def judged(self, code: str, rules: Rules) -> None:
        """Offer the choices that RULES allow for the request CODE, unless it is over."""
        if held := self._held.get(code):
            held.rules, held.offered = rules, self.clock()
            self.changed()

    def hung_up(self, code: str) -> None:
        """End the request CODE, whose asker is gone: the client stops it at a No, at Escape, and when it ends."""
        self._end(code, "it was refused or stopped at the keyboard")

    def dismissed(self, key: Key) -> None:
        """End the requests of a session: the person closed its notification, and so wants to answer in the terminal."""
        for held in self._of(key):
            self._end(held.request.code, "its notification was dismissed")

    def look(self) -> None:
        """Close every request that is over, and see what came of the answers."""
        now, kinds = self.clock(), self.kinds()
        for held in list(self._held.values()):
            found = waiting(held.request, held.waiting, self.seen(held.request), now)
            if not getattr(kinds, held.request.kind):
                found = Over("answers from here were switched off")
            if isinstance(found, Over):
                self._end(held.request.code, found.why)
            elif found != held.waiting:
                held.waiting = found
                self.changed()
        self.receipts.look(now)

    def attached(self, sessions: Iterable[Session]) -> list[Session]:
        """Return SESSIONS, and attach to each blocked one the request that it waits for, if that is open."""
        found = list(sessions)
        if not self._held and not self.kinds().needs_asker:
            return found
        open_now = {(held.request.session_id, held.request.pid): held for held in self._held.values() if _is_open(held)}
        self._sessions = {one.key: one for one in found if one.key in open_now}
        return [self._with(one, open_now.get((one.session_id, one.pid or 0))) if one.blocked else one for one in found]

    def press(
        self,
        code: str,
        choice: str,
        text: str | None = None,
        on: int | None = None,
        *,
        by_hand: bool = True,
        away: bool = False,
    ) -> Asking | Answer | Refusal:
        """Carry out CHOICE of the request CODE. Return its next step, or the answer that was sent.

        ON: the step that was shown, if the surface knows it. What is chosen on another one only denies.
        BY_HAND: it is a click, which may have been meant for what was on the screen before.
        AWAY: it comes from somebody who is not at this machine, and who may allow less.
        """
        held = self._held.get(code)
        if held is None:
            return self._over.get(code, UNHEARD_OF)
        found = waiting(held.request, held.waiting, self.seen(held.request), self.clock())
        if isinstance(found, Over):
            self._end(code, found.why)
            return self._over[code]
        held.waiting = found
        session = self._sessions.get((held.request.session_id, held.request.pid))
        if not found.is_sure or session is None or held.rules is None:
            return NOT_OPEN_YET
        if by_hand and 0 <= self.clock() - held.offered < (UNSURE if held.progress.sure else UNREAD):
            return TOO_SOON
        if self.typing(session):
            return TYPING
        step = pressed(held.request, held.progress, choice, text, replace(held.rules, away=away))
        denies = isinstance(step, Answer) and not step.allows
        if on not in (None, held.step) and not denies:
            return PASSED
        if isinstance(step, Progress):
            self._go_on(held, held.rules, step)
            return _asking(held, held.rules)
        if isinstance(step, Answer):
            return self._changed_since(held, step) or self._send(held, step, AWAY if away else HERE)
        return step

    def holds(self, code: str) -> bool:
        """Return whether the request CODE is not over."""
        return code in self._held

    def allows(self, code: str, choice: str) -> Request | None:
        """Return the request CODE if CHOICE would allow a tool, so that it has to be judged again; else None."""
        held = self._held.get(code)
        if held is None or held.rules is None or held.request.kind != "permission":
            return None
        step = pressed(held.request, held.progress, choice, None, held.rules)
        return held.request if isinstance(step, Answer) and step.allows else None

    def close(self) -> None:
        """Let every asker go. Its dialog stays."""
        for code in list(self._held):
            self._end(code, "Deskbell was ended")

    def _changed_since(self, held: _Held, answer: Answer) -> Asking | Refusal | None:
        """Return the first step again if the request is judged otherwise now than when it was shown, and is not plain.

        Return a Refusal if it cannot be judged in time, and None if ANSWER can be sent.
        """
        if held.rules is None or held.request.kind != "permission" or not answer.allows:
            return None
        now = self.judge_again(held.request)
        if now is None:
            return TAKES_TOO_LONG
        if now.risk == held.rules.risk or now.risk.verdict == "plain":
            return None
        self._go_on(held, now, NOTHING_YET)
        again = _asking(held, now)
        return replace(again, why_not=f"{LEADS_ELSEWHERE} {again.why_not}".rstrip())

    def _go_on(self, held: _Held, rules: Rules, progress: Progress) -> None:
        """Show another step of a request."""
        held.rules, held.progress = rules, progress
        held.step, held.offered = held.step + 1, self.clock()
        self.changed()

    def _send(self, held: _Held, answer: Answer, where: str) -> Answer | Refusal:
        request = held.request
        if not is_allowed(request.event, answer.output):
            return FORBIDDEN
        expected = replace(answer, said=f"{answer.said} {where}") if where == AWAY else answer
        self.receipts.expect(request, held.project, expected, held.waiting.since, self.clock())
        held.line.send(_line(answer.output))
        self._end(request.code, f"it was already {answer.said} {where}")
        return answer

    def _end(self, code: str, why: str) -> None:
        held = self._held.pop(code, None)
        if held is None:
            return
        held.line.close()
        self._over[code] = Refusal(f"This request is over: {why}.")
        while len(self._over) > REMEMBERED:
            del self._over[next(iter(self._over))]
        self.ended(held.request)
        self.changed()

    def _of(self, key: Key) -> list[_Held]:
        return [one for one in self._held.values() if (one.request.session_id, one.request.pid) == key]

    def _with(self, session: Session, held: _Held | None) -> Session:
        if held is None or held.rules is None:
            why = _why_never(session)
            return replace(session, asking=Asking("", session.detail, why_not=why)) if why else session
        held.project = session.project
        shown = _asking(held, held.rules)
        return replace(session, detail=shown.detail, asking=shown)


def _asking(held: _Held, rules: Rules) -> Asking:
    return replace(asking(held.request, held.progress, rules), step=held.step)


def _why_never(session: Session) -> str:
    """Return why the request of SESSION can never be answered from here; empty if it may be answered."""
    if session.ask is not None and session.ask[1]:
        return "A subagent asks, so it can be answered in the terminal only."
    return "This can be answered in the terminal only." if session.status == "input" else ""


def _is_open(held: _Held) -> bool:
    """Return whether choices may be offered: the dialog is on the screen, which it may never be, and it is judged."""
    return held.waiting.since is not None and held.rules is not None


def _line(output: Output) -> bytes:
    return encode(output) + b"\n"
