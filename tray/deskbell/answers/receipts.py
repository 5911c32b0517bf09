"""Find out what came of each answer that was sent, and report it once.

The person may answer at the keyboard at the same moment. The client then drops the decision of the hook silently, so an
answer counts as taken if its dialog is gone and the transcript names the same decision of a hook. The client writes
that line only with the result of the tool. A tool that was allowed and still runs therefore counts as allowed: had the
person said No, the client would be idle or the tool would have failed. If the turn is cut before there is a result,
nobody can tell whether the tool began.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from deskbell.answers.outcome import Decision
from deskbell.answers.request import Request
from deskbell.answers.steps import Answer
from deskbell.answers.waiting import Seen
from deskbell.sessions.registry import AT_REST, Entry
from deskbell.text.times import span

TAKES_WITHIN = 2.0
"""Seconds within which the client takes an answer. It usually needs a tenth of a second."""


class Receipt(NamedTuple):
    """What came of an answer."""

    request: Request
    project: str
    taken: bool
    said: str
    """What came of it, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """An answer that the client has yet to take."""

    request: Request
    project: str
    answer: Answer
    at: float
    since: float | None
    """When the dialog that it answers opened."""
    begun: int
    """The length of the transcript before the answer, in bytes."""


@dataclass
class Receipts:
    """The answers that were sent, each until it is known what came of it."""

    seen: Callable[[Request], Seen]
    """Asks the registry and the system about the client of a request."""
    decided: Callable[[Request, int], Decision | None]
    """Reads in the transcript, from this length on, what a hook decided."""
    length: Callable[[Request], int]
    """The length of the transcript of a request."""
    tell: Callable[[Receipt], None]
    _sent: list[_Sent] = field(default_factory=list)

    @property
    def waits(self) -> bool:
        return bool(self._sent)

    def expect(self, request: Request, project: str, answer: Answer, since: float | None, now: float) -> None:
        """Follow ANSWER from NOW on. Call this before it is sent. SINCE: when the dialog of REQUEST opened."""
        self._sent.append(_Sent(request, project, answer, now, since, self.length(request)))

    def look(self, now: float) -> None:
        for sent in list(self._sent):
            self._settle(sent, now)

    def _settle(self, sent: _Sent, now: float) -> None:
        seen, after = self.seen(sent.request), now - sent.at
        waits, said = 0 <= after < TAKES_WITHIN, sent.answer.said
        if not seen.alive:
            self._close(sent, False, f"{said}, but its client ended")
        elif seen.entry is None:  # the client may be writing it
            if not waits:
                self._close(sent, False, f"{said}, but Claude Code does not report what came of it")
        elif seen.entry.status == "waiting" and seen.entry.status_since == sent.since:
            if not waits:
                self._close(sent, False, f"{said}, but its dialog is still open: answer it in the terminal")
        elif self._was_taken(sent, seen.entry):
            self._close(sent, True, f"{said}, and its dialog closed {_within(after)}")
        elif not waits:
            self._close(sent, *_without_a_line(sent, seen.entry, self.decided(sent.request, sent.begun) == "failed"))

    def _was_taken(self, sent: _Sent, entry: Entry) -> bool:
        """Return whether the client took the decision of the hook.

        It writes no line for a denial that stops the turn, but is idle then.
        """
        decision = sent.answer.output["hookSpecificOutput"]["decision"]
        if decision.get("interrupt"):
            return entry.status in AT_REST
        return bool(self.decided(sent.request, sent.begun) == decision["behavior"])

    def _close(self, sent: _Sent, taken: bool, came: str) -> None:
        self._sent.remove(sent)
        self.tell(Receipt(sent.request, sent.project, taken, came))


def _within(seconds: float) -> str:
    return "at once" if seconds < 1 else f"within {span(seconds)}"


def _without_a_line(sent: _Sent, entry: Entry, failed: bool) -> tuple[bool, str]:
    """Return whether an answer was taken, and what to say, if the dialog is gone and the transcript names no decision.

    FAILED: a tool has failed since. A tool that the person refused with words counts as failed, and the turn goes on.
    """
    said = sent.answer.said
    if entry.status in AT_REST or (sent.answer.allows and failed):
        why = "it was answered or stopped at the keyboard in the same moment, and its terminal shows what came of it"
        return False, f"{said}, but {why}"
    if sent.answer.allows and sent.request.kind == "permission" and entry.status != "waiting":
        return True, f"{said}, and it is at work"
    return False, f"not {said}: it was answered at the keyboard in the same moment"
