"""Summarise the lines of a journal as a Summary. Pure.

It reads the lines once, and its memory does not grow with their number.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable

from deskbell.history.journal import BEGINS, fact, parsed
from deskbell.history.phrases import SILENT, phrase
from deskbell.history.summary import AgentRun, Failure, Files, Notification, Prompt, Summary, ToolUse
from deskbell_hooks.codec import decode, encode
from deskbell_hooks.notes import is_by_client
from deskbell_hooks.runs import ANOTHER_BOOT
from deskbell_hooks.schema import Line

KEPT = 1000
"""How many of the newest prompts, errors, notifications and agents are kept. All are counted."""
TIMELINE = 200
"""How many of the newest events that say something are kept."""
MOST_FILES = 10_000
"""How many files are kept: the first ones."""
LONGEST_PROMPT = 2000
"""Characters."""


def summarise(batches: Iterable[list[bytes]]) -> Summary:
    reading = _Reading()
    for lines in batches:
        reading.take(lines)
    return reading.summary()


class _Reading:
    def __init__(self) -> None:
        self._events: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._unreadable = 0
        self._first: float | None = None
        self._last = b""
        self._latest: float | None = None
        self._latest_of: dict[str, str] = {}
        self._clients: dict[int, tuple[int, bool]] = {}
        self._prompts: deque[Prompt] = deque(maxlen=KEPT)
        self._tools: dict[str, ToolUse] = {}
        self._files: dict[tuple[str, bytes], None] = {}
        self._agents: dict[str, AgentRun] = {}
        self._errors: deque[Failure] = deque(maxlen=KEPT)
        self._notifications: deque[Notification] = deque(maxlen=KEPT)
        self._timeline: deque[bytes] = deque(maxlen=TIMELINE)

    def take(self, lines: list[bytes]) -> None:
        """Add LINES. Silent events are only counted, by their first bytes, so that a million take about a second."""
        beginnings = [line[:_ENOUGH] for line in lines]
        for begins, count in Counter(beginnings).items():
            if begins in _SILENT:
                self._events[_SILENT[begins]] += count
        if self._first is None:
            self._first = next((read["at"] for line in lines if (read := parsed(line))), None)
        self._last = next((line for line in reversed(lines) if line), self._last)
        for line in [line for line, begins in zip(lines, beginnings, strict=True) if line and begins not in _SILENT]:
            fields = _fields_of_tool(line) if line.startswith(_TOOL) else None
            if fields is None:
                self._read(line)
            else:
                self._timeline.append(line)
                self._events["PostToolUse"] += 1
                self._add_use(*fields)

    def _read(self, line: bytes) -> None:
        read = parsed(line)
        if read is None:
            self._unreadable += 1
            return
        self._latest = read["at"]
        self._events[read["event"]] += 1
        if read["event"] not in SILENT:
            self._timeline.append(line)
        if "cwd" in read:
            self._latest_of["cwd"] = read["cwd"]
        if take := TAKEN.get(read["event"]):
            take(self, read)

    def summary(self) -> Summary:
        last = parsed(self._last)
        phrases = [phrase(read) for line in self._timeline if (read := parsed(line))]
        files = {kind: tuple(_path(raw) for k, raw in self._files if k == kind) for kind in ("new", "edited", "read")}
        return Summary(
            created=self._first,
            updated=last["at"] if last else self._latest,
            active=self._first is not None and any(running for _, running in self._clients.values() or [(0, True)]),
            title=self._latest_of.get("title", ""),
            cwd=(last or {}).get("cwd") or self._latest_of.get("cwd"),
            model=self._latest_of.get("model"),
            events=dict(self._events.most_common()),
            unreadable=self._unreadable,
            prompts=tuple(self._prompts),
            tools=dict(sorted(self._tools.items(), key=lambda item: (-item[1].count, item[0]))),
            files=Files(**files),
            agents=tuple(self._agents.values()),
            errors=tuple(self._errors),
            notifications=tuple(self._notifications),
            timeline=tuple(sorted(phrases, key=lambda one: one.at)),
            counts={name: self._counts[name] for name in COUNTED},
        )

    def start(self, line: Line) -> None:
        self._set_running(line, True)
        self._set("model", fact(line, "model"))
        self._set("title", fact(line, "session_title"))

    def end(self, line: Line) -> None:
        self._set_running(line, False)

    def _set_running(self, line: Line, is_running: bool) -> None:
        """Note whether the event's client runs, unless a newer event of that client has been read."""
        for gone in line.get("gone", []):
            self._clients.pop(_pid(gone), None)
        pid, order = _pid(line.get("client")), line.get("order", 0)
        if not 0 < self._clients.get(pid, (order, False))[0] - order < ANOTHER_BOOT:
            self._clients[pid] = order, is_running

    def _set(self, name: str, value: str) -> None:
        if value:
            self._latest_of[name] = value

    def prompt(self, line: Line) -> None:
        self._set_running(line, True)
        said = fact(line, "prompt").strip()
        if is_by_client(line):
            return
        self._set("title", fact(line, "session_title") or self._latest_of.get("title") or said.partition("\n")[0][:120])
        self._counts["prompts"] += 1
        self._prompts.append(Prompt(line["at"], said[:LONGEST_PROMPT]))

    def tool(self, line: Line) -> None:
        failed = line["event"] == "PostToolUseFailure" or "error" in line
        path = encode(line["file"])[1:-1] if line.get("file") and not failed else b""
        tool = line.get("tool", "?")
        self._add_use(tool, line.get("ms", 0), path, line.get("file_kind", ""))
        if failed:
            self._tools[tool].failed += 1
        if failed and not line.get("interrupt"):
            self._add_failure(line, tool, line.get("error", "failed"), {"subject": line.get("subject", "")})

    def _add_use(self, tool: str, milliseconds: int, path: bytes, kind: str) -> None:
        used = self._tools.get(tool) or self._tools.setdefault(tool, ToolUse())
        used.count += 1
        used.seconds += milliseconds / 1000
        if path and len(self._files) < MOST_FILES:
            self._files[kind, path] = None

    def _add_failure(self, line: Line, kind: str, message: str, context: dict[str, str]) -> None:
        self._counts["errors"] += 1
        more = {"agent": line.get("agent", ""), "cwd": line.get("cwd", "")}
        context = {name: value for name, value in (context | more).items() if value}
        self._errors.append(Failure(line["at"], kind, message, context))

    def failure(self, line: Line) -> None:
        message = fact(line, "last_assistant_message") or fact(line, "error_details")
        self._add_failure(line, fact(line, "error") or "unknown", message, {"details": fact(line, "error_details")})

    def notification(self, line: Line) -> None:
        self._counts["notifications"] += 1
        self._notifications.append(Notification(line["at"], fact(line, "notification_type"), fact(line, "message")))

    def agent_start(self, line: Line) -> None:
        if name := line.get("agent"):
            self._counts["agents"] += name not in self._agents
            self._agents[name] = AgentRun(name, line.get("agent_type", ""), line["at"], None)
            if len(self._agents) > KEPT:
                del self._agents[next(iter(self._agents))]

    def agent_stop(self, line: Line) -> None:
        """Note the end. Skip one without a type that never started: a compaction reports it."""
        name = line.get("agent", "")
        known = self._agents.get(name)
        if known or (name and line.get("agent_type")):
            self._counts["agents"] += known is None
            kind = line.get("agent_type") or (known.type if known else "")
            self._agents[name] = AgentRun(name, kind, known.started if known else None, line["at"])

    def model(self, line: Line) -> None:
        self._set("model", fact(line, "to_model"))


COUNTED = ("prompts", "errors", "notifications", "agents")

TAKEN: dict[str, Callable[[_Reading, Line], None]] = {
    "SessionStart": _Reading.start,
    "SessionEnd": _Reading.end,
    "UserPromptSubmit": _Reading.prompt,
    "PostToolUse": _Reading.tool,
    "PostToolUseFailure": _Reading.tool,
    "StopFailure": _Reading.failure,
    "Notification": _Reading.notification,
    "SubagentStart": _Reading.agent_start,
    "SubagentStop": _Reading.agent_stop,
    "PostModelSwitch": _Reading.model,
}


_TOOL = BEGINS + b'PostToolUse",'
_ENOUGH = len(BEGINS) + 12
"""Bytes of a line that tell which of the silent events it is."""
_SILENT = {(BEGINS + name.encode() + b'",')[:_ENOUGH]: name for name in SILENT}


def _fields_of_tool(line: bytes) -> tuple[str, int, bytes, str] | None:
    """Return tool, milliseconds, file and kind of file from the line of a tool that succeeded; None for any other line.

    Most lines of a long journal are of this kind, so they are read without parsing. The name of a field cannot be
    part of a text, because the quotes in a text are escaped.
    """
    if b',"error":"' in line or not line.endswith(b"}"):
        return None
    tool, end = _after(line, b',"tool":"', b'"', 0)
    duration, end = _after(line, b',"ms":', b",", end)
    path, end = _after(line, b',"file":"', b'"', end)
    kind, _ = _after(line, b',"file_kind":"', b'"', end) if path else (b"", 0)
    if not tool or b"\\" in tool or path.endswith(b"\\") or len(duration) > 12:
        return None
    return (
        tool.decode("utf-8", "replace"),
        int(duration) if duration.isdigit() else 0,
        path,
        kind.decode("ascii", "replace"),
    )


def _after(line: bytes, name: bytes, until: bytes, start: int) -> tuple[bytes, int]:
    """Return the bytes between NAME and UNTIL, and the offset of their end; empty and START if NAME is missing."""
    found = line.find(name, start)
    if found < 0:
        return b"", start
    begin = found + len(name)
    end = line.find(until, begin)
    return line[begin:end], end


def _path(raw: bytes) -> str:
    """Decode a path from the bytes between its quotes in the journal."""
    try:
        return str(decode(b'"' + raw + b'"'))
    except ValueError:
        return raw.decode("utf-8", "replace")


def _pid(client: object) -> int:
    pid = client.get("pid") if isinstance(client, dict) else None
    return pid if isinstance(pid, int) else 0
