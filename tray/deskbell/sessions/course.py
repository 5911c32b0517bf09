"""Follow the course of a turn, line by line of a transcript, and say which turn a line belongs to. Pure.

`conversation` calls this for all lines together, and for the lines of each prompt. Two clients of one session write
into one transcript, but each line belongs to one prompt and each prompt to one client.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from deskbell.sessions.limits import NO_REQUESTS, Limit, Retries
from deskbell_hooks.trim import PROMPT_ID

BEGINS_WITHIN = 0.5
"""Seconds. An interrupt that is recorded this soon after a prompt did not stop it: it let the queued prompt begin."""
CUT_WITHIN = 0.3
"""Seconds. The results of the tool calls that an interrupt ended are written within this time before it."""
MOST_LINES = 32
"""How many lines have their prompt remembered. Lines of another client may come between a line and its parent."""


class Course(NamedTuple):
    """The state of a turn after its newest line. What is unknown is None."""

    at: float | None = None
    """When the newest line was written."""
    interrupted_at: float | None = None
    """When the person interrupted the turn; None if anything came after that."""
    finished_at: float | None = None
    """When the answer was complete; None if anything came after that."""
    error: str | None = None
    """The error of the API with which the turn ended."""
    begun: float = 0.0
    """When the line of the newest prompt was written."""
    is_unanswered: bool = False
    """Whether no answer to the newest prompt has begun."""
    calls: frozenset[str] = frozenset()
    """The ids of the tool calls of the newest answer that have no result."""
    results: tuple[tuple[str, float | None], ...] = ()
    """The ids of those that have a result, and when it came."""
    cut: frozenset[str] = frozenset()
    """The ids of the tool calls that the interrupt ended: they get their results just before it."""
    refused_at: float | None = None
    """When a hook refused the prompt that came after this turn; None if another turn has begun since."""
    sent_on_at: float | None = None
    """When a Stop hook of the person last made the turn go on."""
    earlier: "Course | None" = None
    """The course before the newest prompt, until something else comes."""
    limit: Limit | None = None
    """The usage limit at which the turn ended."""
    requests: Retries = NO_REQUESTS
    """The requests to the API since the newest line."""

    def interrupted(self, at: float | None) -> "Course":
        """Return the course after an interrupt. If it lets a queued prompt begin, it comes just after that prompt."""
        if at is not None and self.is_unanswered and at - self.begun < BEGINS_WITHIN:
            return self._replace(at=at, interrupted_at=None)
        cut = (use for use, ended in self.results if at is None or ended is None or ended > at - CUT_WITHIN)
        return self._in_turn(at)._replace(interrupted_at=at, cut=self.calls.union(cut))

    def prompted(self, at: float) -> "Course":
        """Return the course after a prompt. The line of its first request may come before its own."""
        requests = self.requests if self.requests.at >= at else NO_REQUESTS
        return Course(at, begun=at, is_unanswered=True, requests=requests, earlier=self._replace(earlier=None))

    def refused(self, at: float | None) -> "Course":
        """Return the course after a hook refused a prompt that has no line of its own: everything stays as it was."""
        return self._replace(at=at, refused_at=at)

    def went_on(self, at: float | None, ended: Iterable[str]) -> "Course":
        """Return the course after the results of the tool calls ENDED, or a line of kind "user" that is no prompt."""
        results = (*self.results, *((use, at) for use in ended))
        is_open = self.calls.difference(ended)
        return self._in_turn(at)._replace(is_unanswered=self.is_unanswered, calls=is_open, results=results)

    def sent_on(self, at: float | None) -> "Course":
        """Return the course after a Stop hook of the person made the turn go on."""
        return self.went_on(at, ())._replace(sent_on_at=at)

    def answered(
        self, at: float | None, over: bool, error: str | None, calls: Iterable[str], limit: Limit | None = None
    ) -> "Course":
        """Return the course after a line of an answer. Each of its tool calls comes in a line of its own."""
        finished = at if over and error is None else None
        is_same = bool(self.calls) and not over and error is None
        made = self.calls.union(calls) if is_same else frozenset(calls)
        results = self.results if is_same else ()
        return self._in_turn(at)._replace(finished_at=finished, error=error, calls=made, results=results, limit=limit)

    def announced(self, at: float | None, words: str) -> "Course":
        """Return the course after the client told the person WORDS."""
        limit = self.limit.announced(at, words) if self.limit and at is not None else self.limit
        return self._replace(at=at, limit=limit)

    def requested(self, at: float) -> "Course":
        """Return the course after a request to the API. A line that was written after it has answered it."""
        before = self.requests if self.requests.at > (self.at or 0.0) else NO_REQUESTS
        return self._replace(requests=before.requested(at) if at > (self.at or 0.0) else NO_REQUESTS)

    def compacted(self, at: float | None) -> "Course":
        return self._in_turn(at)._replace(finished_at=at)

    def closed(self, at: float | None) -> "Course":
        """Return the course after the line that says how long the turn took."""
        return self._replace(at=at, finished_at=self.finished_at or (at if self.interrupted_at is None else None))

    def stopped(self, at: float | None) -> "Course":
        """Return the course after a hook of the person ended the turn. If it did so at the prompt, no turn began."""
        if self.is_unanswered and self.earlier is not None:
            return self.earlier.refused(at)
        return self.closed(at)

    def _in_turn(self, at: float | None) -> "Course":
        """Return what stays true of the turn after its next line."""
        return Course(at, begun=self.begun, sent_on_at=self.sent_on_at)


class Turn(NamedTuple):
    """What the transcript says of the turn of one prompt."""

    id: str
    """The id of the prompt, shortened as in records; "" for lines without a known prompt."""
    course: Course = Course()
    prompted: float | None = None
    """When the prompt was typed; None for a command of the client."""
    prompt: str = ""
    """The prompt, without secrets, if a person wrote it."""
    queued_in: str = ""
    """If it waited in the queue, the id of the prompt in whose turn it was typed. Its hook named that prompt."""


class Owners:
    """Say which prompt each line belongs to: the one that it names, else that of its parent line."""

    def __init__(self) -> None:
        self._of: dict[str, str] = {}

    def before(self, line: Mapping[str, Any]) -> str:
        """Return the prompt of the parent of LINE; "" if it is not known."""
        return self._of.get(str(line.get("parentUuid"))[:PROMPT_ID], "")

    def owner(self, line: Mapping[str, Any]) -> str:
        """Return the prompt of LINE; "" if it is not known. Call this for every line of the main conversation."""
        named, own = line.get("promptId"), line.get("uuid")
        found = named[:PROMPT_ID] if isinstance(named, str) else self.before(line)
        if found and isinstance(own, str):
            self._of[own[:PROMPT_ID]] = found
            if len(self._of) > MOST_LINES:
                del self._of[next(iter(self._of))]
        return found
