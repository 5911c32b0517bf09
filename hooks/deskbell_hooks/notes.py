"""Note what a record remembers of an event besides the status: titles, prompts, counts, folders and errors.

`fold` calls `note` with its own copy of the record, which these functions change. Nothing here changes the status.
"""

from deskbell_hooks.runs import fact, is_older

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from deskbell_hooks.schema import Line, Record

    Note = Callable[[Record, Line, bool], None]

TITLE, PROMPT, PATH, MESSAGE = 120, 500, 512, 300
"""Characters that a record keeps of each."""
MACHINE = (
    "<task-notification>",
    "Your claude.ai usage limit has reset. Continue the task you were working on",
    "Your claude.ai usage is available again before the usage-limit reset. Continue the task you were working on",
)
"""How the prompts begin that Claude Code writes for a task, and after a usage limit. Read in 2.1.326."""
OWN_SOURCES = ("system", "loop_wakeup", "schedule_wakeup")
"""The sources of the prompts that Claude Code writes itself. Read in 2.1.326; not every prompt names its source."""
MOST_PROMPTS = 16
"""The most prompts whose client is remembered."""
MOST_TOOLS = 40
"""Tools that are counted by name; further ones are counted together as "other"."""
SETS_ID = ("SessionStart", "Stop", "UserPromptSubmit", "SessionEnd", "SubagentStop")
"""The events that say which session a client runs, for the options of its tmux pane (`deskbell_hooks.panes`)."""


def note(record: "Record", line: "Line", late: bool) -> None:
    """Add LINE to the record. Every event is counted; only one that is not late changes the present state."""
    record["counters"] = {**record["counters"], "events": record["counters"]["events"] + 1}
    if "config_dir" in line:
        record["config_dir"] = line["config_dir"][:PATH]
    if "transcript" in line and not (late and "transcript" in record):
        record["transcript"] = line["transcript"][:PATH]
    if not late and not line.get("agent"):
        _situation(record, line)
    _whose(record, line)
    if line["event"] in SETS_ID and not late:
        record["id_set_on"] = line["event"]
    if handler := NOTES.get(line["event"]):
        handler(record, line, late)


def is_machine(prompt: object) -> bool:
    """Return True for a prompt with the words of Claude Code: a background task reports, or a usage limit is over."""
    return isinstance(prompt, str) and prompt.lstrip().startswith(MACHINE)


def is_by_client(line: "Line") -> bool:
    """Return True for a prompt that Claude Code wrote, not the person: it says so, or a schedule is due."""
    return fact(line, "source") in OWN_SOURCES or is_machine(fact(line, "prompt"))


def call_text(line: "Line") -> str:
    """Name the tool of a call and its subject, as error texts do."""
    return f"{line.get('tool', '?')[:60]}: {line.get('subject', '')[:100]}"


def _situation(record: "Record", line: "Line") -> None:
    if "mode" in line:
        record["mode"] = line["mode"][:40]
    if cwd := line.get("cwd"):
        record["cwd"] = cwd[:PATH]
        if "start_cwd" not in record:
            _started_in(record, cwd)


def _whose(record: "Record", line: "Line") -> None:
    """Remember which client works on this prompt. Two clients of a session write into one transcript."""
    prompt, client = line.get("prompt"), line.get("client")
    known = record.get("prompts", {})
    if prompt and client and prompt not in known:
        record["prompts"] = dict([*known.items(), (prompt, client["pid"])][-MOST_PROMPTS:])


def _started_in(record: "Record", cwd: str) -> None:
    record["start_cwd"] = cwd[:PATH]
    path = cwd if cwd.startswith("/") else cwd.replace("\\", "/")  # a path of Windows begins with its drive or share
    record["project"] = path.rstrip("/").rpartition("/")[2][:100] or cwd[:100]


def _count(record: "Record", name: str) -> None:
    record["counters"] = {**record["counters"], name: record["counters"][name] + 1}  # type: ignore[misc]  # a counter


def _session_start(record: "Record", line: "Line", late: bool) -> None:
    if (model := fact(line, "model")) and not (late and record.get("model")):
        record["model"] = model[:100]
    if (title := fact(line, "session_title")) and not (late and record["title"]):
        record["title"] = title[:TITLE]
    if fact(line, "source") != "compact" and (cwd := line.get("cwd")):
        _started_in(record, cwd)
        if not late:
            record["session_dir"] = cwd[:PATH]


def _prompt(record: "Record", line: "Line", late: bool) -> None:
    prompt = fact(line, "prompt").strip()
    if is_by_client(line):
        return
    if title := fact(line, "session_title"):
        record["title"] = title[:TITLE]
    record["turns"] += 1
    _count(record, "prompts")
    if not is_older(line, record.get("prompt_order", 0)):
        record["prompt"] = prompt[:PROMPT]
        record["prompt_order"] = line["order"]
        record["turn_started"] = line["at"]
        record["person_at"] = max(line["at"], record.get("person_at", 0.0))


def _asks(record: "Record", line: "Line", late: bool) -> None:
    record["asked_at"] = max(line["at"], record.get("asked_at", 0.0))


def _tool_over(record: "Record", line: "Line", late: bool) -> None:
    tools = record["counters"]["tools"]
    tool = line.get("tool", "?")[:60]
    if tool not in tools and len(tools) >= MOST_TOOLS:
        tool = "other"
    record["counters"] = {**record["counters"], "tools": {**tools, tool: tools.get(tool, 0) + 1}}
    if (kind := line.get("file_kind")) and line["event"] == "PostToolUse":
        _count(record, kind)
    if "error" in line and not line.get("interrupt"):
        _error(record, line, call_text(line), line["error"], late)


def _error(record: "Record", line: "Line", kind: str, message: str, late: bool) -> None:
    _count(record, "errors")
    if not late or "last_error" not in record:
        record["last_error"] = {"at": line["at"], "kind": kind[:160], "message": message[:PROMPT]}


def _stop_failure(record: "Record", line: "Line", late: bool) -> None:
    message = fact(line, "last_assistant_message") or fact(line, "error_details")
    _error(record, line, fact(line, "error") or "unknown", message, late)


def _notification(record: "Record", line: "Line", late: bool) -> None:
    _count(record, "notifications")
    if not late:
        record["notified"] = fact(line, "notification_type")[:60]


def _stop(record: "Record", line: "Line", late: bool) -> None:
    if not late and (message := fact(line, "last_assistant_message")):
        record["last_message"] = message[:MESSAGE]


def _model(record: "Record", line: "Line", late: bool) -> None:
    if not late:
        record["model"] = fact(line, "to_model")[:100] or record.get("model", "")


def _cwd(record: "Record", line: "Line", late: bool) -> None:
    if not late:
        record["cwd"] = fact(line, "new_cwd")[:PATH] or record.get("cwd", "")


def _task_created(record: "Record", line: "Line", late: bool) -> None:
    done, created = record.get("todo", [0, 0])
    record["todo"] = [done, created + 1]


def _task_completed(record: "Record", line: "Line", late: bool) -> None:
    done, created = record.get("todo", [0, 0])
    record["todo"] = [done + 1, created]


NOTES: "dict[str, Note]" = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "PermissionRequest": _asks,
    "Elicitation": _asks,
    "PostToolUse": _tool_over,
    "PostToolUseFailure": _tool_over,
    "Notification": _notification,
    "Stop": _stop,
    "StopFailure": _stop_failure,
    "PostModelSwitch": _model,
    "CwdChanged": _cwd,
    "TaskCreated": _task_created,
    "TaskCompleted": _task_completed,
}
