"""Say what a session is doing after one more event. Pure: (record, journal line) -> record.

These are the rules. TABLE holds those that depend on the kind of the event; the code below and in `runs`, `requests`
and `work` holds the others.

* A client's main loop is in one TURN: new, idle, working, interrupted, error or ended. It is new until its first turn
  begins. Beside the turn the run holds the REQUESTS that wait, the tool CALLS that run, compaction, the subagents, the
  background tasks and the text of the error. No rule stores the status: `status_of` derives it from these. It is ended,
  else the oldest request, else compacting, else the turn; and an idle or new turn with something still running is
  `background`.
* A row says what an event does: which turn begins, what the client does from then on, which requests the event SETTLES,
  what it ASKS and which WORK begins or ends. An empty column changes nothing. An event that is not in the table changes
  nothing. `requests` carries out SETTLES and ASKS, `work` carries out WORK; `notes` keeps what is remembered besides
  the status, and reads no row.
* CLIENTS. Every client of a session has a run of its own, and a row changes the run of the event's client. When a
  client ends and another one lives on, the run of the other one is the session: see `runs`.
* SCOPE. An event of a subagent never changes the main loop's turn and settles only that subagent's own requests. What
  a subagent asks for needs the person, so it counts as a request of the session. Every event of a subagent except its
  last also says that the subagent runs. This is no column, because it holds for events that are not in the table, too.
* SETTLES. "call": the request of the same tool call. "loop": every request of the same scope, because the loop went
  on. "all": every request of the session, because the person is at the prompt. "dialog": an MCP server's dialog.
  "guess": a request known only from a Notification, whose tool is therefore unknown.
* ASKS. A kind with a question mark is asked only if no request waits yet: a Notification comes 6 s after its request,
  and names no tool. In an unattended client (`claude -p`) nothing is ever asked.
* WORK. One or more words. "call": the tool call runs, until SETTLES removes it. "compacts", "compacted": compaction
  begins, is over. The error text becomes empty ("no-error"), the call that was cut short ("cut"), the error of the API
  ("failed") or the reason of the end ("left"). "tasks": the background tasks are those that the event lists, and every
  other subagent is over. "no-tasks": no task is left. "task-over": the task that the prompt names is over.
  "agent-runs", "agent-over", "agent-failed": this subagent runs, is over, has failed; its StopFailure is then its last
  event. "agents-over": every subagent that started before the event is over; "all-over": also those of the same moment.
  "teammate-idle", "teammate-done": the teammate that the event names is idle, is done.
* TIME. Hook processes overtake each other. An event older than the newest one of its scope counts and is remembered,
  but begins no turn; it asks nothing that something newer has settled; and it settles no request that was made after
  it. Of the WORK of such an event only calls, subagents, teammates and "task-over" count. An event that is more than
  five minutes older was stamped by the clock of another boot: then the order of arrival decides. If somebody has set
  the clock, the times of the run move with it: they are always by the clock of its newest event. A Notification that
  begins no turn repeats what is known: it does not count as the newest event of the main loop.
* STOP. The newest one dates the end of a turn: a Stop hook of the person may have made the turn go on after another.
* Interrupts, denials and `kill -9` fire no event. The record then says what was last known; the tray finds out the rest
  from Claude Code's own registry (`deskbell.sessions.truth`).
"""

from deskbell_hooks.notes import is_by_client, note
from deskbell_hooks.requests import ask, begin, settle
from deskbell_hooks.runs import foremost, is_older, of_client, set_clock

SETTLES = ("", "call", "loop", "all", "dialog", "guess")
ASKS = ("", "permission", "permission?", "question", "plan", "input", "input?")
WORK = frozenset(
    (
        *("call", "compacts", "compacted", "no-error", "cut", "failed", "left", "tasks", "no-tasks", "task-over"),
        *("agent-runs", "agent-over", "agent-failed", "agents-over", "all-over", "teammate-idle", "teammate-done"),
    )
)
"""The words of each column. A row with any other word is refused at import, not ignored at the event."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sized
    from typing import NamedTuple

    from deskbell_hooks.schema import Call, Line, Pending, Record, Run, Status, Turn

    class Row(NamedTuple):
        turn: Turn | dict[str, Turn] | None
        doing: str
        settles: str
        asks: str
        work: str

else:

    class Row(tuple):
        """One row of TABLE. Importing `typing.NamedTuple` would double the time of the hook."""

        __slots__ = ()
        turn = property(lambda self: self[0])
        doing = property(lambda self: self[1])
        settles = property(lambda self: self[2])
        asks = property(lambda self: self[3])
        work = property(lambda self: self[4])

        def __new__(cls, turn, doing, settles, asks, work):
            if settles not in SETTLES or asks not in ASKS or not WORK.issuperset(work.split()):
                raise ValueError(f"unknown word in a row: {settles!r}, {asks!r}, {work!r}")
            return tuple.__new__(cls, (turn, doing, settles, asks, work))


THINKING = "Thinking"
NOTHING = Row(None, "", "", "", "")

WHERE_UNKNOWN: "dict[str, Turn]" = {"": "working"}
WHERE_WORKING: "dict[str, Turn]" = {"": "idle", "working": "idle"}
"""The turn that begins, by the turn before; no turn begins after any other."""

# event or event:variant                        turn           doing     settles   asks          work
TABLE = {
    "SessionStart":                         Row("idle",        "",       "all",    "",
                                                "compacted no-error no-tasks agents-over"),
    "SessionStart:startup":                 Row("new",         "",       "all",    "",
                                                "compacted no-error no-tasks agents-over"),
    "SessionStart:clear":                   Row("new",         "",       "all",    "",
                                                "compacted no-error no-tasks agents-over"),
    "SessionStart:compact":                 Row(None,          "",       "",       "",           "compacted"),
    "Setup":                                Row("working",     "Setup",  "",       "",           ""),
    "UserPromptSubmit":                     Row("working",     THINKING, "all",    "",           "compacted no-error"),
    "UserPromptSubmit:machine":             Row("working",     THINKING, "loop",   "",
                                                "compacted no-error task-over"),
    "PreToolUse":                           Row("working",     THINKING, "guess",  "",           "call compacted"),
    "PreToolUse:AskUserQuestion":           Row("working",     THINKING, "guess",  "question",   "call compacted"),
    "PreToolUse:ExitPlanMode":              Row("working",     THINKING, "guess",  "plan",       "call compacted"),
    "PreToolUse:EnterPlanMode":             Row("working",     THINKING, "guess",  "plan",       "call compacted"),
    "PreToolUse:subagent":                  Row(None,          "",       "",       "",           "call"),
    "PermissionRequest":                    Row("working",     THINKING, "guess",  "permission", ""),
    "PermissionRequest:AskUserQuestion":    Row("working",     THINKING, "guess",  "question",   ""),
    "PermissionRequest:ExitPlanMode":       Row("working",     THINKING, "guess",  "plan",       ""),
    "PermissionRequest:EnterPlanMode":      Row("working",     THINKING, "guess",  "plan",       ""),
    "PermissionDenied":                     Row("working",     THINKING, "call",   "",           ""),
    "PostToolUse":                          Row("working",     THINKING, "call",   "",           ""),
    "PostToolUseFailure":                   Row("working",     THINKING, "call",   "",           ""),
    "PostToolUseFailure:interrupt":         Row("interrupted", "",       "loop",   "",           "cut"),
    "PostToolBatch":                        Row(WHERE_UNKNOWN, THINKING, "loop",   "",           ""),
    "Elicitation":                          Row("working",     THINKING, "guess",  "input",      ""),
    "ElicitationResult":                    Row("working",     THINKING, "dialog", "",           ""),
    "Stop":                                 Row("idle",        "",       "loop",   "",
                                                "compacted no-error tasks"),
    "StopFailure":                          Row("error",       "",       "loop",   "",           "compacted failed"),
    "StopFailure:subagent":                 Row(None,          "",       "loop",   "",           "agent-failed"),
    "SubagentStart":                        Row(None,          "",       "",       "",           "agent-runs"),
    "SubagentStop":                         Row(None,          "",       "loop",   "",           "agent-over"),
    "TeammateIdle":                         Row(None,          "",       "",       "",           "teammate-idle"),
    "TaskCompleted":                        Row(None,          "",       "",       "",           "teammate-done"),
    "PreCompact":                           Row(None,          "",       "",       "",           "compacts"),
    "PreCompact:manual":                    Row("idle",        "",       "all",    "",           "compacts"),
    "PostCompact":                          Row(None,          "",       "",       "",           "compacted"),
    "PostCompact:manual":                   Row("idle",        "",       "",       "",           "compacted"),
    "SessionEnd":                           Row("ended",       "",       "all",    "",
                                                "compacted left no-tasks all-over"),
    "Notification:permission_prompt":       Row(None,          "",       "",       "permission?", ""),
    "Notification:worker_permission_prompt": Row(None,          "",       "",       "permission?", ""),
    "Notification:agent_needs_input":       Row(None,          "",       "",       "input?",     ""),
    "Notification:elicitation_dialog":      Row(None,          "",       "",       "input?",     ""),
    "Notification:elicitation_url_dialog":  Row(None,          "",       "",       "input?",     ""),
    "Notification:elicitation_complete":    Row(None,          "",       "dialog", "",           ""),
    "Notification:elicitation_response":    Row(None,          "",       "dialog", "",           ""),
    "Notification:idle_prompt":             Row(WHERE_WORKING, "",       "all",    "",
                                                "compacted agents-over"),
}  # fmt: skip


def fold(record: "Record | None", line: "Line", session_id: str) -> "Record":
    """Return the record after LINE. RECORD itself, None for a new session, is not changed."""
    new = of_client(record, line, session_id)
    if "zero" in line:
        new = set_clock(new, line["zero"], line["at"])
    late = _is_late(new, line)
    row = row_of(line)
    if not settle(new, line, row.settles):
        if "call" in row.work.split():
            begin(new, line)
        ask(new, line, row.asks, late)
    if not late and not line.get("agent"):
        _turn(new, line, row)
    if row.work or line.get("agent"):
        from deskbell_hooks.work import work

        work(new, line, row.work, late)
    note(new, line, late)
    _conclude(new, line, late)
    return foremost(new)


def row_of(line: "Line") -> Row:
    event = line["event"]
    variant = _variant(event, line)
    return TABLE.get(f"{event}:{variant}") or TABLE.get(event) or NOTHING


def _variant(event: str, line: "Line") -> str:
    facts = line.get("facts", {})
    if event == "SessionStart":
        return str(facts.get("source"))
    if event in ("PreCompact", "PostCompact"):
        return str(facts.get("trigger"))
    if event == "Notification":
        return str(facts.get("notification_type") or _type_by_words(facts.get("message")))
    if event == "UserPromptSubmit":
        return "machine" if is_by_client(line) else ""
    if event == "PostToolUseFailure":
        return "interrupt" if line.get("interrupt") and not line.get("agent") else ""
    return "subagent" if line.get("agent") and event in ("PreToolUse", "StopFailure") else str(line.get("tool"))


def _type_by_words(message: object) -> str:
    """Return the type that MESSAGE implies: clients before 2.0.37 give their notifications none."""
    if "your permission" in str(message):
        return "permission_prompt"
    return "idle_prompt" if "waiting for your input" in str(message) else ""


def _is_late(run: "Record", line: "Line") -> bool:
    """Return True if a newer event is known. In the same hundredth of a second as an end, only a start is not late."""
    if line.get("agent"):
        return False
    newest = run.get("order", 0)
    last_word = run.get("turn") == "ended" and line["order"] == newest and line["event"] != "SessionStart"
    return last_word or is_older(line, newest)


def _turn(run: "Record", line: "Line", row: Row) -> None:
    if line["event"] != "Notification" or row.turn:
        run["order"], run["turn_at"] = line["order"], line["at"]
    to = row.turn.get(run.get("turn", "")) if isinstance(row.turn, dict) else row.turn
    if row.doing:
        run["doing"] = row.doing
    if to is None:
        return
    if to == "working" != run.get("turn"):
        run["turn_started"] = line["at"]
    elif (_ends(line) or run.get("turn") == "working" != to) and (started := run.get("turn_started")):
        run["last_turn_seconds"] = round(max(0.0, line["at"] - started), 3)
    run["turn"] = to


def _ends(line: "Line") -> bool:
    return line["event"] == "Stop" and not line.get("agent")


def _conclude(run: "Record", line: "Line", late: bool) -> None:
    run.setdefault("turn", "idle")
    status, detail, since = status_of(run)
    if run.get("status") != status or since is not None or (_ends(line) and not late):
        run["since"] = since if since is not None else line["at"]
    run["status"], run["detail"] = status, detail
    if not late:
        run["last_event"], run["last_at"] = line["event"], line["at"]


def status_of(run: "Run") -> "tuple[Status, str, float | None]":
    """Return the status, its detail, and since when it holds; None for the time if it begins with this event."""
    if run["turn"] == "ended":
        return "ended", run.get("error", ""), None
    if run["pending"]:
        first = min(run["pending"], key=_asked)
        return first["kind"], words(first), first["at"]
    if run.get("compacting"):
        return "working", "Compacting", None
    if run["turn"] == "working":
        return "working", doing(run), None
    if run["turn"] not in ("idle", "new"):
        return run["turn"], run.get("error", ""), None
    unfinished = _unfinished(run)
    return ("background", unfinished, None) if unfinished else (run["turn"], "", None)


def _asked(pending: "Pending") -> int:
    return pending["order"]


def words(call: "Pending | Call") -> str:
    """Put a tool call into words: "Bash: make test", or the question or the plan itself."""
    if call["tool"] in ("AskUserQuestion", "ExitPlanMode", "EnterPlanMode"):
        return call["subject"] or ("Question" if call["tool"] == "AskUserQuestion" else "Plan approval")
    return f"{call['tool']}: {call['subject']}" if call["tool"] and call["subject"] else call["tool"] or call["subject"]


def doing(run: "Run") -> str:
    """Put into words what the main loop does: its newest tool call, "3 subagents", or "Thinking"."""
    mine = [c for c in run["calls"] if not c["agent"]]
    if not mine:
        return run.get("doing") or THINKING
    agents = _running(run)
    return _counted(agents, "subagent") if agents and mine[-1]["tool"] in ("Agent", "Task") else words(mine[-1])


def _running(run: "Run") -> list[str]:
    return [agent["id"] for agent in run.get("agents", []) if agent["status"] == "running"]


def running_agents(run: "Run") -> set[str]:
    """Return the ids of the subagents that run, as their own events or the newest Stop say."""
    return {*_running(run), *(task["id"] for task in run.get("tasks", []) if task["type"] == "subagent")}


def _unfinished(run: "Run") -> str:
    agents = running_agents(run)
    others = [task for task in run.get("tasks", []) if task["type"] != "subagent"]
    if len(agents) + len(others) == 1 and (text := "".join(t["description"] for t in run.get("tasks", [])[:1])):
        return text
    kinds = {kind: [task for task in others if task["type"] == kind] for kind in {task["type"] for task in others}}
    parts = [_counted(agents, "subagent")] if agents else []
    return ", ".join([*parts, *(_counted(kinds[kind], kind) for kind in sorted(kinds))])


def _counted(things: "Sized", noun: str) -> str:
    return f"{len(things)} {noun}{'s' if len(things) != 1 else ''}"
