"""Read the lines of a transcript and return the state of the conversation. Pure.

The format is Claude Code's own and undocumented, so a line that is not understood changes nothing.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from deskbell.session import Spent
from deskbell.sessions.course import Course, Owners, Turn
from deskbell.sessions.limits import NO_REQUESTS, Limit, Retries, is_main_request, limit_of, said_in
from deskbell.sessions.lines import (
    blocks,
    is_by_client,
    is_echo,
    is_refused,
    is_refused_prompt,
    is_sent_on,
    parsed,
    part,
    result_of,
    text,
    time_of,
    words_of,
)
from deskbell.sessions.models import percent
from deskbell.sessions.numbers import count
from deskbell_hooks.notes import PROMPT
from deskbell_hooks.pasted import without_tags
from deskbell_hooks.trim import LIMITS, REACH, clean

INTERRUPTED = "[Request interrupted by user"
WIDE = "[1m]"
"""The end of a model's name in a request for its larger context. The answer leaves it out."""
LONGEST_LINE = 300
"""The most characters of the last line of an answer, and of a title."""
MOST_PROMPTS = 8
"""How many of the newest prompts have their times remembered."""
MOST_RESULTS = 64
"""How many of the newest results of tool calls are remembered."""
MOST_TURNS = 16
"""How many of the newest turns have their course remembered."""
QUEUED_BY = {"enqueue": 1, "dequeue": -1, "remove": -1}
"""How each operation of the client's queue changes the number of waiting prompts. Any other one empties the queue."""

_OTHER_KINDS = re.compile(
    rb'\{"type":"(?!user|assistant|system|summary|custom-title|ai-title|queue-operation|api-request")'
)
"""The beginning of a line whose kind is not read. Some of these lines are huge."""


@dataclass(frozen=True, slots=True)
class Tail:
    """What the end of a transcript says of the main conversation. What is unknown is None."""

    branch: str | None = None
    model: str | None = None
    context_tokens: int | None = None
    context_percent: float | None = None
    output_tokens: int | None = None
    """Tokens of the whole session, including its subagents."""
    cost_usd: float | None = None
    """Dollars at list price for the same."""
    spent: tuple[Spent, ...] = ()
    """The same for each of the newest days with an answer."""
    todo: tuple[int, int] | None = None
    """How many tasks are done, and how many there are."""
    last_line: str | None = None
    """The last line of the newest text of the assistant. Like title, prompt and error, it is without secrets."""
    interrupted_at: float | None = None
    """When the person interrupted the turn; None if anything came after that."""
    finished_at: float | None = None
    """When the answer was complete; None if anything came after that."""
    error: str | None = None
    """The error of the API with which the turn ended."""
    refused_at: float | None = None
    """When a hook of the person refused the newest prompt; None if anything came after that. No turn began then."""
    sent_on_at: float | None = None
    """When a Stop hook of the person last made the newest turn go on."""
    limit: Limit | None = None
    """The usage limit at which the turn ended; None if anything came after that."""
    requests: Retries = NO_REQUESTS
    """The requests to the API since the newest line."""
    title: str | None = None
    at: float | None = None
    """When the newest line was written."""
    prompts: tuple[float, ...] = ()
    """When the newest prompts were typed, or written by a background task, in the order in which their turns began."""
    prompt: str = ""
    """The newest prompt that the person wrote, without secrets."""
    prompted: float | None = None
    """When that prompt was typed."""
    own: tuple[float, ...] = ()
    """When the newest prompts came that Claude Code wrote itself: by a schedule, for a task, after a limit."""
    results: frozenset[str] = frozenset()
    """The ids of the newest tool calls that have a result: they ran, failed or were refused."""
    calls: frozenset[str] = frozenset()
    """The ids of the tool calls of the newest answer that have no result."""
    cut: frozenset[str] = frozenset()
    """The ids of the tool calls that the interrupt ended."""
    begins: bool = False
    """Whether a queued prompt begins now. An interrupt then only lets it begin, and stops nothing else."""
    turns: tuple[Turn, ...] = ()
    """The newest turns, in the order of their newest lines."""

    @property
    def is_blank(self) -> bool:
        """Whether the transcript holds no turn, of this client or another one: the session was never prompted."""
        ends = (self.finished_at, self.interrupted_at, self.error)
        return not self.prompts and self.model is None and all(end is None for end in ends)

    @property
    def in_turn(self) -> bool:
        """Whether the newest prompt still waits for its answer: no end, interrupt or error has come."""
        over = self.finished_at, self.interrupted_at, self.error, self.refused_at
        return bool(self.prompts) and all(one is None for one in over)


class Conversation:
    """The state of a conversation while its lines are read, the oldest first."""

    def __init__(self) -> None:
        self._branch: str | None = None
        self._model: str | None = None
        self._is_wide = False
        self._context: int | None = None
        self._todo: dict[str, bool] | None = None
        self._last_line: str | None = None
        self._course = Course()
        self._turns: dict[str, Turn] = {}
        self._owners = Owners()
        self._turn = Turn("")
        """The turn of the line that is being taken."""
        self._titles: dict[str, str] = {}
        self._prompts: tuple[float, ...] = ()
        self._own: tuple[float, ...] = ()
        self._said: tuple[str, float | None] = "", None
        self._queued: dict[str, float] = {}
        """For each prompt in the client's queue: when it was typed."""
        self._waiting = 0
        """Prompts in the client's queue."""
        self._is_beginning = False
        """Whether a prompt has left the queue, and its own line has not come yet."""
        self._results: dict[str, None] = {}

    def take(self, line: bytes) -> None:
        if _OTHER_KINDS.match(line):
            return
        read = parsed(line)
        if read is None or read.get("isSidechain") is True:
            return
        if "gitBranch" in read:
            branch = text(read["gitBranch"])
            self._branch = None if branch == "HEAD" else branch  # HEAD: no branch, or no repository
        owner = self._owners.owner(read)
        self._turn = self._turns.get(owner, Turn(owner))
        kind = read.get("type")
        if isinstance(kind, str) and kind in TAKEN:
            TAKEN[kind](self, read)

    def tail(self) -> Tail:
        name = f"{self._model}{WIDE if self._is_wide else ''}"
        full = percent(self._context, name) if self._context else None
        course = self._course
        return Tail(
            branch=self._branch,
            model=self._model,
            context_tokens=self._context,
            context_percent=full,
            todo=(sum(self._todo.values()), len(self._todo)) if self._todo else None,
            last_line=clean(self._last_line, LONGEST_LINE) if self._last_line else None,
            interrupted_at=None if self._waiting or self._is_beginning else course.interrupted_at,
            finished_at=course.finished_at,
            error=course.error,
            refused_at=course.refused_at,
            sent_on_at=course.sent_on_at,
            limit=course.limit,
            requests=course.requests,
            title=next((clean(self._titles[kind], LONGEST_LINE) for kind in TITLES if kind in self._titles), None),
            at=course.at,
            prompts=self._prompts,
            prompt=self._said[0],
            prompted=self._said[1],
            own=self._own,
            results=frozenset(self._results),
            calls=course.calls,
            cut=course.cut,
            begins=self._is_beginning,
            turns=tuple(self._turns.values()),
        )

    def user(self, line: dict[str, Any]) -> None:
        texts = [words for block in blocks(line) for words in words_of(block)]
        if is_echo(line, texts):
            return
        at = self._time(line)
        results = [use for block in blocks(line) if (use := result_of(block))]
        self._results = dict.fromkeys([*self._results, *results][-MOST_RESULTS:])
        if any(words.startswith(INTERRUPTED) for words in texts):
            self._follow(lambda course: course.interrupted(at))
        elif is_sent_on(texts):
            self._follow(lambda course: course.sent_on(at))
        elif results or at is None:
            self._follow(lambda course: course.went_on(at, results))
        else:
            self._prompt(line, "".join(texts), at)
        task = part(line.get("toolUseResult"), "task")
        if identity := text(task.get("id")):
            self._todo = {**(self._todo or {}), identity: False}

    def _prompt(self, line: dict[str, Any], given: str, at: float) -> None:
        said = without_tags(given)
        if said in self._queued:
            self._turn = self._turn._replace(queued_in=self._owners.before(line))
        typed = self._queued.pop(said, at)
        self._prompts = (*self._prompts, typed)[-MOST_PROMPTS:]
        self._turn = self._turn._replace(prompted=typed)
        if is_by_client(line, given):
            self._own = (*self._own, typed)[-MOST_PROMPTS:]
        else:
            self._said = clean(said.strip(), PROMPT), typed
            self._turn = self._turn._replace(prompt=self._said[0])
        self._follow(lambda course: course.prompted(at))
        self._waiting, self._is_beginning = (self._waiting if self._is_beginning else 0), False

    def queue(self, line: dict[str, Any]) -> None:
        """Follow a prompt that was typed during a turn. Its hook fires when it is typed.

        If an interrupt lets the prompt begin, it is dequeued and gets a line of its own. If the running turn answers it
        too, or the person takes it back, it is removed. The person can take back all queued prompts at once.
        """
        operation, content, at = line.get("operation"), without_tags(text(line.get("content")) or ""), time_of(line)
        self._is_beginning = operation == "dequeue"
        self._waiting = max(0, self._waiting + QUEUED_BY.get(str(operation), -self._waiting))
        if operation == "enqueue" and content and at is not None:
            self._queued = dict([*self._queued.items(), (content, at)][-MOST_PROMPTS:])

    def assistant(self, line: dict[str, Any]) -> None:
        message = part(line, "message")
        texts = [block["text"] for block in blocks(line) if block.get("type") == "text" and text(block.get("text"))]
        failed = line.get("isApiErrorMessage") is True
        if message.get("model") == "<synthetic>" and not failed:
            return
        at, over = self._time(line), message.get("stop_reason") not in (None, "tool_use", "pause_turn")
        error = clean(texts[-1] if texts else "API error", LIMITS["error"]) if failed else None
        uses = [use for block in blocks(line) if block.get("type") == "tool_use" and (use := text(block.get("id")))]
        limit = limit_of(line, at, error) if error else None
        self._follow(lambda course: course.answered(at, over, error, uses, limit))
        if failed:
            return
        self._model = text(message.get("model")) or self._model
        self._is_wide = WIDE in (text(line.get("requestedModel")) or "").lower()
        self._used(part(message, "usage"))
        self._last_line = _last_line(texts) or self._last_line
        for block in blocks(line):
            if block.get("type") == "tool_use":
                self._plan(block.get("name"), part(block, "input"))

    def system(self, line: dict[str, Any]) -> None:
        at = self._time(line)
        if line.get("subtype") == "compact_boundary":
            self._context = count(part(line, "compactMetadata").get("postTokens")) or None
            self._follow(lambda course: course.compacted(at))
        elif is_refused_prompt(line):
            self._follow(lambda course: course.refused(at))
        elif is_refused(line):
            self._follow(lambda course: course.stopped(at))
        elif line.get("subtype") == "turn_duration":
            self._follow(lambda course: course.closed(at))
        else:
            words = said_in(line)
            self._follow(lambda course: course.announced(at, words))

    def request(self, line: dict[str, Any]) -> None:
        """Note a request to the API. It belongs to the newest prompt, and its line may come late."""
        at = time_of(line)
        if at is not None and is_main_request(line):
            self._course = self._course.requested(at)

    def title(self, line: dict[str, Any]) -> None:
        kind = str(line["type"])
        if title := without_tags(text(line.get(TITLES[kind])) or ""):
            self._titles[kind] = title

    def _time(self, line: dict[str, Any]) -> float | None:
        """Return when the line was written, else when the line before it was."""
        return time_of(line) or self._course.at

    def _follow(self, step: Callable[[Course], Course]) -> None:
        """Apply STEP to the course of the whole conversation, and to that of the turn of this line."""
        self._course = step(self._course)
        self._turn = self._turn._replace(course=step(self._turn.course))
        self._turns.pop(self._turn.id, None)
        self._turns[self._turn.id] = self._turn
        if len(self._turns) > MOST_TURNS:
            del self._turns[next(iter(self._turns))]

    def _used(self, usage: dict[str, Any]) -> None:
        names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        self._context = sum(count(usage.get(name)) for name in names) or self._context

    def _plan(self, tool: object, given: dict[str, Any]) -> None:
        """Take over the tasks of a TodoWrite, which has the whole list, or of a TaskUpdate, which has one task."""
        if tool == "TodoWrite" and isinstance(given.get("todos"), list):
            todos = [todo for todo in given["todos"] if isinstance(todo, dict)]
            self._todo = {str(place): todo.get("status") == "completed" for place, todo in enumerate(todos)}
        elif tool == "TaskUpdate" and self._todo and (task := str(given.get("taskId"))) in self._todo:
            rest = {name: done for name, done in self._todo.items() if name != task}
            is_done = self._todo[task] if given.get("status") is None else given["status"] == "completed"
            self._todo = rest if given.get("status") == "deleted" else {**rest, task: is_done}


TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
"""The kinds of lines that hold a title, the person's own first, and the field that holds it."""

TAKEN: dict[str, Callable[[Conversation, dict[str, Any]], None]] = {
    "user": Conversation.user,
    "assistant": Conversation.assistant,
    "system": Conversation.system,
    "queue-operation": Conversation.queue,
    "api-request": Conversation.request,
    **dict.fromkeys(TITLES, Conversation.title),
}


def _last_line(texts: list[str]) -> str | None:
    lines = [line for line in "\n".join(texts[-1:]).splitlines() if line.strip()]
    return lines[-1].strip()[: LONGEST_LINE + REACH] if lines else None
