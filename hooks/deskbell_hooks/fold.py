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
from deskbell_hooks.runs import foremost, of_client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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

ANOTHER_BOOT = 300_000
MOST_REQUESTS, MOST_CALLS, MOST_SETTLED = 8, 16, 8
MACHINE = "<task-notification>"


def fold(record: "Record | None", line: "Line", session_id: str) -> "Record":
    new = of_client(record, line, session_id)
    late = _is_late(new, line)
    row = row_of(line)
    settled = _settle(new, line, row[2])
    _ask(new, line, row[3], settled)
    if not late and not line.get("agent"):
        _turn(new, line, row[0], row[1])
    note(new, line, late)
    _conclude(new, line)
    return foremost(new)


def row_of(line: "Line") -> "tuple[Turn | dict[str, Turn] | None, str, str, str]":
    event = line["event"]
    variant = _variant(event, line)
    return TABLE.get(f"{event}:{variant}") or TABLE.get(event) or NOTHING


def _variant(event: str, line: "Line") -> str:
    facts = line.get("facts", {})
    if event == "SessionStart":
        return str(facts.get("source"))
    if event == "Notification":
        return str(facts.get("notification_type"))
    if event == "UserPromptSubmit":
        return "machine" if is_machine(facts.get("prompt")) else ""
    if event == "PostToolUseFailure":
        return "interrupt" if line.get("interrupt") and not line.get("agent") else ""
    return "" if line.get("agent") and event == "PreToolUse" else str(line.get("tool"))


def is_machine(prompt: object) -> bool:
    """A background task that reports, in the shape of a prompt: nobody typed it."""
    return isinstance(prompt, str) and prompt.lstrip().startswith(MACHINE)


def _is_late(run: "Record", line: "Line") -> bool:
    behind = run.get("order", 0) - line["order"]
    return not line.get("agent") and 0 < behind < ANOTHER_BOOT


# Requests and calls


def _settle(run: "Record", line: "Line", how: str) -> bool:
    """Takes away what the event settles, and says whether something newer has already settled what it speaks of."""
    scope, order = line.get("agent", ""), line["order"]
    settled = run.get("settled", [])
    overtaken = any(_overtakes(one, line) for one in settled)
    pending, calls = run.get("pending", []), run.get("calls", [])
    if how == "call":
        answered = next((p for p in pending if _is_same(p, line) and not _after(p, order)), None)
        pending = [p for p in pending if p is not answered and (p["tool"] or scope)]
        finished = next((c for c in calls if _is_same(c, line)), None)
        calls = [c for c in calls if c is not finished]
        settled = [*settled, [order, scope, line.get("use", ""), line.get("tool", ""), line.get("subject", "")[:80]]]
    elif how in ("loop", "all"):
        wide = how == "all" and not scope
        pending = [p for p in pending if _after(p, order) or not (wide or p["agent"] == scope)]
        calls = [c for c in calls if _after(c, order) or not (wide or c["agent"] == scope)]
        settled = [*settled, [order, "*" if wide else scope, "*", "", ""]]
    elif how == "dialog":
        server = line.get("facts", {}).get("mcp_server_name")
        pending = [p for p in pending if p["kind"] != "input" or (server and p["tool"] not in ("", server))]
    elif how == "guess" and not scope:
        pending = [p for p in pending if p["tool"]]
    run["pending"], run["calls"], run["settled"] = pending, calls, settled[-MOST_SETTLED:]
    return overtaken


def _after(one: "Pending | Call", order: int) -> bool:
    return 0 < one["order"] - order < ANOTHER_BOOT


def _is_same(one: "Pending | Call", line: "Line") -> bool:
    if one["agent"] != line.get("agent", ""):
        return False
    if one["use"] and line.get("use"):
        return one["use"] == line["use"]
    return one["tool"] == line.get("tool") and one["subject"] == line.get("subject")


def _overtakes(settled: "list[Any]", line: "Line") -> bool:
    order, scope, use, tool, subject = settled
    if not 0 < order - line["order"] < ANOTHER_BOOT or scope not in ("*", line.get("agent", "")):
        return False
    same = (
        use == line["use"]
        if use and "use" in line
        else (tool, subject) == (line.get("tool"), line.get("subject", "")[:80])
    )
    return use == "*" or same


def _ask(run: "Record", line: "Line", kind: str, settled: bool) -> None:
    if line["event"] == "PreToolUse" and not settled:
        run["calls"] = [*run["calls"], _call(line)][-MOST_CALLS:]
    if not kind or settled or run.get("where", {}).get("attended") is False:
        return
    if kind.endswith("?"):
        if run["pending"]:
            return
        kind = _guessed(kind[:-1], line)
    call = next((c for c in run["calls"] if _is_same(c, line)), None)
    request: Pending = {**_call(line), "kind": kind, "at": line["at"]}  # type: ignore[typeddict-item]  # a kind of TABLE
    request["use"] = request["use"] or (call["use"] if call else "")
    if not any(_is_same(p, line) and p["use"] == request["use"] for p in run["pending"]):
        run["pending"] = [*run["pending"], request][-MOST_REQUESTS:]


def _call(line: "Line") -> "Call":
    facts = line.get("facts", {})
    return {
        "use": line.get("use", ""),
        "tool": line.get("tool", "") or str(facts.get("mcp_server_name", ""))[:100],
        "subject": line.get("subject", "") or str(facts.get("message", ""))[:300],
        "agent": line.get("agent", ""),
        "order": line["order"],
    }


def _guessed(kind: str, line: "Line") -> str:
    """The type permission_prompt is that of every dialog without its own: only the words tell a plan."""
    return "plan" if "the plan" in str(line.get("facts", {}).get("message")) else kind


# The turn, and what follows from everything


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


def _conclude(run: "Record", line: "Line") -> None:
    run.setdefault("turn", "idle")
    status, detail, since = status_of(run)
    if run.get("status") != status or since is not None:
        run["since"] = since if since is not None else line["at"]
    run["status"], run["detail"] = status, detail
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


def _counted(things: "Any", noun: str) -> str:
    return f"{len(things)} {noun}{'s' if len(things) != 1 else ''}"
