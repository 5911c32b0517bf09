"""What is a session doing, after one more event? Pure: (record, journal line) -> record.

The rules, of which TABLE is the whole:

* A client's main loop is in one TURN: idle, working, interrupted, error or ended. What it waits for stands beside the
  turn, as a list of REQUESTS, and so do the tool CALLS that run, the subagents and the background tasks. The status is
  never stored by a rule but derived from those, in `status_of`: ended, else the oldest request, else compacting, else
  the turn; and an idle turn with something still running is `background`.
* A row says what an event does: which turn begins, what the client is then said to be doing, which requests it
  SETTLES and what it ASKS. A column left empty changes nothing. An event that is not in the table changes nothing.
* SCOPE. An event of a subagent never changes the main loop's turn and settles only that subagent's own requests. What
  a subagent asks for does need the person, so it counts as a request of the session.
* SETTLES. "call": the request of that very tool call. "loop": every request of the same scope, because the loop went
  on. "all": every request of the session, because the person is at the prompt. "dialog": an MCP server's dialog.
  "guess": a request that only a Notification told of, whose tool is therefore unknown.
* ASKS. A kind with a question mark is only asked when nothing is waiting yet: a Notification comes 6 s after the
  request it speaks of, and names no tool. In a client that nobody attends (`claude -p`) nothing is ever asked.
* TIME. Hook processes overtake each other. An event older than the newest one of its scope counts and is remembered,
  but begins no turn; a request is not made when something newer has settled it; and nothing settles a request that
  was made after it. Older than five minutes means another boot's clock: then arrival decides.
* INTERRUPTS and denials fire no event at all, nor does `kill -9`. The record then says what was last known; the tray
  finds out from the client's own registry (`deskbell.truth`).
"""

from deskbell_hooks.notes import note
from deskbell_hooks.requests import ask, settle
from deskbell_hooks.runs import foremost, is_older, of_client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sized

    from deskbell_hooks.schema import Call, Line, Pending, Record, Run, Status, Turn

THINKING = "Thinking"

# event or event:variant      turn           doing      settles   asks
TABLE: "dict[str, tuple[Turn | dict[str, Turn] | None, str, str, str]]" = {
    "SessionStart":                         ("idle", "", "all", ""),
    "SessionStart:compact":                 (None, "", "", ""),
    "Setup":                                ("working", "Setup", "", ""),
    "UserPromptSubmit":                     ("working", THINKING, "all", ""),
    "UserPromptSubmit:machine":             ("working", THINKING, "loop", ""),
    "PreToolUse":                           ("working", THINKING, "guess", ""),
    "PreToolUse:AskUserQuestion":           ("working", THINKING, "guess", "question"),
    "PreToolUse:ExitPlanMode":              ("working", THINKING, "guess", "plan"),
    "PreToolUse:EnterPlanMode":             ("working", THINKING, "guess", "plan"),
    "PermissionRequest":                    ("working", THINKING, "guess", "permission"),
    "PermissionRequest:AskUserQuestion":    ("working", THINKING, "guess", "question"),
    "PermissionRequest:ExitPlanMode":       ("working", THINKING, "guess", "plan"),
    "PermissionRequest:EnterPlanMode":      ("working", THINKING, "guess", "plan"),
    "PermissionDenied":                     ("working", THINKING, "call", ""),
    "PostToolUse":                          ("working", THINKING, "call", ""),
    "PostToolUseFailure":                   ("working", THINKING, "call", ""),
    "PostToolUseFailure:interrupt":         ("interrupted", "", "loop", ""),
    "PostToolBatch":                        ({"": "working"}, THINKING, "loop", ""),
    "Elicitation":                          ("working", THINKING, "guess", "input"),
    "ElicitationResult":                    (None, "", "dialog", ""),
    "Stop":                                 ("idle", "", "loop", ""),
    "StopFailure":                          ("error", "", "loop", ""),
    "SubagentStop":                         (None, "", "loop", ""),
    "PreCompact:manual":                    ("idle", "", "all", ""),
    "SessionEnd":                           ("ended", "", "all", ""),
    "Notification:permission_prompt":       (None, "", "", "permission?"),
    "Notification:worker_permission_prompt": (None, "", "", "permission?"),
    "Notification:agent_needs_input":       (None, "", "", "input?"),
    "Notification:elicitation_dialog":      (None, "", "", "input?"),
    "Notification:elicitation_url_dialog":  (None, "", "", "input?"),
    "Notification:elicitation_complete":    (None, "", "dialog", ""),
    "Notification:elicitation_response":    (None, "", "dialog", ""),
    "Notification:idle_prompt":             ({"": "idle", "working": "idle"}, "", "all", ""),
}  # fmt: skip
NOTHING: "tuple[Turn | dict[str, Turn] | None, str, str, str]" = (None, "", "", "")

MACHINE = "<task-notification>"


def fold(record: "Record | None", line: "Line", session_id: str) -> "Record":
    new = of_client(record, line, session_id)
    late = _is_late(new, line)
    row = row_of(line)
    settled = settle(new, line, row[2])
    if not settled:
        ask(new, line, row[3], late)
    if not late and not line.get("agent"):
        _turn(new, line, row[0], row[1])
    note(new, line, late)
    _conclude(new, line, late)
    return foremost(new)


def row_of(line: "Line") -> "tuple[Turn | dict[str, Turn] | None, str, str, str]":
    event = line["event"]
    variant = _variant(event, line)
    return TABLE.get(f"{event}:{variant}") or TABLE.get(event) or NOTHING


def _variant(event: str, line: "Line") -> str:
    facts = line.get("facts", {})
    if event == "SessionStart":
        return str(facts.get("source"))
    if event == "PreCompact":
        return str(facts.get("trigger"))
    if event == "Notification":
        return str(facts.get("notification_type") or _type_by_words(facts.get("message")))
    if event == "UserPromptSubmit":
        return "machine" if is_machine(facts.get("prompt")) else ""
    if event == "PostToolUseFailure":
        return "interrupt" if line.get("interrupt") and not line.get("agent") else ""
    return "" if line.get("agent") and event == "PreToolUse" else str(line.get("tool"))


def _type_by_words(message: object) -> str:
    """Clients before 2.0.37 give their notifications no type."""
    if "your permission" in str(message):
        return "permission_prompt"
    return "idle_prompt" if "waiting for your input" in str(message) else ""


def is_machine(prompt: object) -> bool:
    """A background task that reports, in the shape of a prompt: nobody typed it."""
    return isinstance(prompt, str) and prompt.lstrip().startswith(MACHINE)


def _is_late(run: "Record", line: "Line") -> bool:
    """Also when it was started in the same hundredth of a second as the end: nothing comes after that but a start."""
    if line.get("agent"):
        return False
    newest = run.get("order", 0)
    last_word = run.get("turn") == "ended" and line["order"] == newest and line["event"] != "SessionStart"
    return last_word or is_older(line, newest)


def _turn(run: "Record", line: "Line", turn: "Turn | dict[str, Turn] | None", doing: str) -> None:
    run["order"], run["turn_at"] = line["order"], line["at"]
    to = turn.get(run.get("turn", "")) if isinstance(turn, dict) else turn
    if doing:
        run["doing"] = doing
    if to is None:
        return
    if to == "working" != run.get("turn"):
        run["turn_started"] = line["at"]
    elif run.get("turn") == "working" != to and (started := run.get("turn_started")):
        run["last_turn_seconds"] = round(max(0.0, line["at"] - started), 3)
    run["turn"] = to


def _conclude(run: "Record", line: "Line", late: bool) -> None:
    run.setdefault("turn", "idle")
    status, detail, since = status_of(run)
    if run.get("status") != status or since is not None:
        run["since"] = since if since is not None else line["at"]
    run["status"], run["detail"] = status, detail
    if not late:
        run["last_event"], run["last_at"] = line["event"], line["at"]


def status_of(run: "Run") -> "tuple[Status, str, float | None]":
    if run["turn"] == "ended":
        return "ended", run.get("error", ""), None
    if run["pending"]:
        first = min(run["pending"], key=_asked)
        return first["kind"], words(first), first["at"]
    if run.get("compacting"):
        return "working", "Compacting", None
    if run["turn"] == "working":
        return "working", doing(run), None
    if run["turn"] != "idle":
        return run["turn"], run.get("error", ""), None
    unfinished = _unfinished(run)
    return ("background", unfinished, None) if unfinished else ("idle", "", None)


def _asked(pending: "Pending") -> int:
    return pending["order"]


def words(call: "Pending | Call") -> str:
    if call["tool"] in ("AskUserQuestion", "ExitPlanMode", "EnterPlanMode"):
        return call["subject"] or ("Question" if call["tool"] == "AskUserQuestion" else "Plan approval")
    return f"{call['tool']}: {call['subject']}" if call["tool"] and call["subject"] else call["tool"] or call["subject"]


def doing(run: "Run") -> str:
    mine = [c for c in run["calls"] if not c["agent"]]
    if not mine:
        return run.get("doing") or THINKING
    agents = _running(run)
    return _counted(agents, "subagent") if agents and mine[-1]["tool"] in ("Agent", "Task") else words(mine[-1])


def _running(run: "Run") -> list[str]:
    return [agent["id"] for agent in run.get("agents", []) if agent["status"] == "running"]


def _unfinished(run: "Run") -> str:
    agents = {*_running(run), *(task["id"] for task in run.get("tasks", []) if task["type"] == "subagent")}
    others = [task for task in run.get("tasks", []) if task["type"] != "subagent"]
    if len(agents) + len(others) == 1 and (text := "".join(t["description"] for t in run.get("tasks", [])[:1])):
        return text
    kinds = {kind: [task for task in others if task["type"] == kind] for kind in {task["type"] for task in others}}
    parts = [_counted(agents, "subagent")] if agents else []
    return ", ".join([*parts, *(_counted(kinds[kind], kind) for kind in sorted(kinds))])


def _counted(things: "Sized", noun: str) -> str:
    return f"{len(things)} {noun}{'s' if len(things) != 1 else ''}"
