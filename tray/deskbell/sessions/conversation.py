"""Read the lines of a transcript and say how the conversation stands. Pure.

The format is Claude Code's own and undocumented, so a line that is not understood changes nothing.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from deskbell.files.read import json_value
from deskbell.sessions.models import percent
from deskbell.sessions.numbers import count
from deskbell_hooks.notes import PROMPT
from deskbell_hooks.trim import LIMITS, REACH, clean

INTERRUPTED = "[Request interrupted by user"
ECHOES = ("<command-name>", "<local-command", "<bash-")
"""How a command of the client itself, one of the shell after "!", and their output begin. They look like prompts."""
NOT_PROMPTS = ("isMeta", "isCompactSummary")
"""Flags of lines of the kind "user" that the person did not write."""
WIDE = "[1m]"
"""The end of a model's name in a request for its larger context. The answer leaves it out."""
LONGEST_LINE = 300
"""Characters of the last line of an answer, and of a title."""
MOST_PROMPTS = 8
"""Prompts whose times are remembered, the newest ones."""
MOST_RESULTS = 64
"""Results of tool calls that are remembered, the newest ones."""
BEGINS_WITHIN = 0.5
"""Seconds. An interrupt that is recorded this soon after a prompt did not stop it: it let the queued prompt begin."""
QUEUED_BY = {"enqueue": 1, "dequeue": -1, "remove": -1}
"""The change in the number of waiting prompts by each operation of the client's queue. Any other one empties it."""

_OTHER_KINDS = re.compile(rb'\{"type":"(?!user|assistant|system|summary|custom-title|ai-title|queue-operation)')
"""Lines that begin with a kind that is not read. Some of them are huge."""


@dataclass(frozen=True, slots=True)
class Tail:
    """What the end of a transcript says of the main conversation. What is unknown is None."""

    branch: str | None = None
    model: str | None = None
    context_tokens: int | None = None
    context_percent: float | None = None
    output_tokens: int | None = None
    """Tokens of the whole session, without its subagents."""
    cost_usd: float | None = None
    """Dollars at list price, for the whole session without its subagents."""
    todo: tuple[int, int] | None = None
    """How many tasks are done, and how many there are."""
    last_line: str | None = None
    """The last line of the newest text that the assistant wrote, without secrets, as title, prompt and error are."""
    interrupted_at: float | None = None
    """When the person interrupted the turn; None if anything came after that."""
    finished_at: float | None = None
    """When the answer was complete; None if anything came after that."""
    error: str | None = None
    """The error of the API with which the turn ended."""
    title: str | None = None
    at: float | None = None
    """When the newest line was written."""
    prompts: tuple[float, ...] = ()
    """When the newest prompts were typed, or reported by a background task, in the order in which they began."""
    prompt: str = ""
    """The newest prompt that the person wrote, without secrets."""
    prompted: float | None = None
    """When that was typed."""
    results: frozenset[str] = frozenset()
    """The ids of the newest tool calls that have a result: they ran, failed or were refused."""

    @property
    def in_turn(self) -> bool:
        """True if the newest prompt has been neither answered, nor interrupted, nor ended by an error."""
        over = self.finished_at is not None or self.interrupted_at is not None or self.error is not None
        return bool(self.prompts) and not over


def parsed(line: bytes) -> dict[str, Any] | None:
    """None if the line is not a JSON object."""
    try:
        value = json_value(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def part(value: object, name: str) -> dict[str, Any]:
    """The object in the field NAME; an empty one if there is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def blocks(line: dict[str, Any]) -> list[dict[str, Any]]:
    content = part(line, "message").get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


class Conversation:
    """What is remembered of a conversation while its lines are read, the oldest first."""

    def __init__(self) -> None:
        self._branch: str | None = None
        self._model: str | None = None
        self._is_wide = False
        self._context: int | None = None
        self._todo: dict[str, bool] | None = None
        self._last_line: str | None = None
        self._interrupted_at: float | None = None
        self._finished_at: float | None = None
        self._error: str | None = None
        self._titles: dict[str, str] = {}
        self._at: float | None = None
        self._prompts: tuple[float, ...] = ()
        self._said: tuple[str, float | None] = "", None
        self._begun = 0.0
        """When the line of the newest prompt was written."""
        self._is_unanswered = False
        """Whether no answer to the newest prompt has begun."""
        self._queued: dict[str, float] = {}
        """For each prompt in the client's queue: when it was typed."""
        self._waiting = 0
        """Prompts in the client's queue."""
        self._is_beginning = False
        """Whether a prompt has left the queue and its own line has not come."""
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
        kind = read.get("type")
        if isinstance(kind, str) and kind in TAKEN:
            TAKEN[kind](self, read)

    def tail(self) -> Tail:
        name = f"{self._model}{WIDE if self._is_wide else ''}"
        full = percent(self._context, name) if self._context else None
        return Tail(
            branch=self._branch,
            model=self._model,
            context_tokens=self._context,
            context_percent=full,
            todo=(sum(self._todo.values()), len(self._todo)) if self._todo else None,
            last_line=clean(self._last_line, LONGEST_LINE) if self._last_line else None,
            interrupted_at=None if self._waiting or self._is_beginning else self._interrupted_at,
            finished_at=self._finished_at,
            error=clean(self._error, LIMITS["error"]) if self._error else self._error,
            title=next((clean(self._titles[kind], LONGEST_LINE) for kind in TITLES if kind in self._titles), None),
            at=self._at,
            prompts=self._prompts,
            prompt=self._said[0],
            prompted=self._said[1],
            results=frozenset(self._results),
        )

    def user(self, line: dict[str, Any]) -> None:
        texts = [words for block in blocks(line) for words in _words(block)]
        if any(line.get(name) is True for name in NOT_PROMPTS) or (texts and texts[0].lstrip().startswith(ECHOES)):
            return
        at = self._stamp(line)
        self._finished_at = self._error = None
        results = [use for block in blocks(line) if (use := _result_of(block))]
        self._results = dict.fromkeys([*self._results, *results][-MOST_RESULTS:])
        if any(words.startswith(INTERRUPTED) for words in texts):
            self._interrupted_at = None if self._lets_queued_begin(at) else at
        else:
            self._interrupted_at = None
            if not results and at is not None:
                said = "".join(texts)
                typed = self._queued.pop(said, at)
                self._prompts = (*self._prompts, typed)[-MOST_PROMPTS:]
                if not said.lstrip().startswith("<"):  # not the person's: a task reports, or a command was run
                    self._said = clean(said.strip(), PROMPT), typed
                self._begun, self._is_unanswered = at, True
                self._waiting, self._is_beginning = (self._waiting if self._is_beginning else 0), False
        task = part(line.get("toolUseResult"), "task")
        if identity := text(task.get("id")):
            self._todo = {**(self._todo or {}), identity: False}

    def queue(self, line: dict[str, Any]) -> None:
        """Follow a prompt that was typed during a turn. Its hook fires at once.

        If an interrupt lets the prompt begin, it is dequeued and gets a line of its own. If the running turn answers it
        too, or the person takes it back, it is removed. The person can take back all queued prompts at once.
        """
        operation, content, at = line.get("operation"), text(line.get("content")), _time(line)
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
        at = self._stamp(line)
        over = message.get("stop_reason") not in (None, "tool_use", "pause_turn")
        self._interrupted_at, self._is_unanswered = None, False
        self._finished_at = at if over and not failed else None
        self._error = (texts[-1] if texts else "API error") if failed else None
        if failed:
            return
        self._model = text(message.get("model")) or self._model
        self._is_wide = WIDE in (text(line.get("requestedModel")) or "").lower()
        self._used(part(message, "usage"))
        self._last_line = _last_line(texts) or self._last_line
        for block in blocks(line):
            if block.get("type") == "tool_use":
                self._plan(block.get("name"), part(block, "input"))

    def _lets_queued_begin(self, at: float | None) -> bool:
        """True if the interrupt at AT let a queued prompt begin. The client writes that prompt first."""
        return at is not None and self._is_unanswered and at - self._begun < BEGINS_WITHIN

    def system(self, line: dict[str, Any]) -> None:
        at = self._stamp(line)
        if line.get("subtype") == "compact_boundary":
            self._context = count(part(line, "compactMetadata").get("postTokens")) or None
            self._interrupted_at, self._error, self._finished_at = None, None, at
        elif self._interrupted_at is None and (line.get("subtype") == "turn_duration" or _is_refused(line)):
            self._finished_at = at

    def title(self, line: dict[str, Any]) -> None:
        kind = str(line["type"])
        if title := text(line.get(TITLES[kind])):
            self._titles[kind] = title

    def _stamp(self, line: dict[str, Any]) -> float | None:
        self._at = _time(line) or self._at
        return self._at

    def _used(self, usage: dict[str, Any]) -> None:
        names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        self._context = sum(count(usage.get(name)) for name in names) or self._context

    def _plan(self, tool: object, given: dict[str, Any]) -> None:
        """Take the tasks of a TodoWrite, which gives the whole list, or of a TaskUpdate, which gives one task."""
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
    **dict.fromkeys(TITLES, Conversation.title),
}


def _time(line: dict[str, Any]) -> float | None:
    with suppress(KeyError, TypeError, ValueError, OverflowError):
        return datetime.fromisoformat(line["timestamp"]).timestamp()
    return None


def _words(block: dict[str, Any]) -> list[str]:
    """The text of a block of a user's line; that of a tool's result only if it is one plain text."""
    value = block.get("text") if block.get("type") == "text" else block.get("content")
    return [value] if isinstance(value, str) else []


def _result_of(block: dict[str, Any]) -> str | None:
    """The id of the tool call that this block is the result of."""
    return text(block.get("tool_use_id")) if block.get("type") == "tool_result" else None


def _is_refused(line: dict[str, Any]) -> bool:
    """True if a hook of the person ended the turn. No Stop follows, and it is not an interrupt."""
    return line.get("preventContinuation") is True


def _last_line(texts: list[str]) -> str | None:
    lines = [line for line in "\n".join(texts[-1:]).splitlines() if line.strip()]
    return lines[-1].strip()[: LONGEST_LINE + REACH] if lines else None
