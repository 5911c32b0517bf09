"""Add and remove requests and running tool calls, as the columns SETTLES and ASKS and the word "call" in `fold` say.

`fold` calls these functions with its own copy of the run, which they change. It also explains the rules.
"""

from deskbell_hooks.runs import is_older

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from deskbell_hooks.schema import Call, Line, Order, Pending, Record

    class Settlement(NamedTuple):
        order: Order
        scope: str
        use: str
        tool: str
        subject: str

else:

    class Settlement(tuple):
        """What an event has settled, remembered for an older event that arrives later. On disk it is a list.

        `scope` is a subagent's id, "" for the main loop or "*" for all; `use` is a call's id or "*" for every call;
        `subject` is "*" for every subject. Importing `typing.NamedTuple` would double the time of the hook.
        """

        __slots__ = ()
        order = property(lambda self: self[0])
        scope = property(lambda self: self[1])
        use = property(lambda self: self[2])
        tool = property(lambda self: self[3])
        subject = property(lambda self: self[4])

        def __new__(cls, *fields):
            return tuple.__new__(cls, fields)


MOST_REQUESTS, MOST_CALLS, MOST_SETTLED = 8, 16, 8
BY_ITSELF = 0.5
"""Seconds. A request that is over sooner was answered by a hook: no person reads and answers so fast."""
SETTLED_SUBJECT = 80
"""Characters of a subject that a settlement keeps."""


def settle(run: "Record", line: "Line", how: str) -> bool:
    """Remove what the event settles. Return True if a newer event has already settled what this one asks or begins."""
    pending, calls = run.get("pending", []), run.get("calls", [])
    settled = [Settlement(*one) for one in run.get("settled", [])]
    overtaken = any(_overtakes(one, line) for one in settled)
    if how == "call":
        answered = next((p for p in pending if _is_same(p, line) and not _is_after(p, line)), None)
        finished = next((c for c in calls if _is_same(c, line)), None)
        pending = [p for p in pending if p is not answered]
        calls = [c for c in calls if c is not finished]
    elif how in ("loop", "all"):
        calls = [c for c in calls if _is_after(c, line) or not _is_settled(c, line, how)]
        settled = [one for one in settled if is_older(line, one.order) or not _is_covered(one, line, how)]
    waits = run.get("pending", [])
    run["pending"] = [p for p in pending if _is_after(p, line) or not _is_settled(p, line, how)]
    _note_answer(run, line, how, [p for p in waits if p not in run["pending"]])
    run["calls"] = calls
    run["settled"] = [list(one) for one in [*settled, *_settlement(line, how)]][-MOST_SETTLED:]
    return overtaken


def _note_answer(run: "Record", line: "Line", how: str, answered: "list[Pending]") -> None:
    """Note when the person answered: when the approved command began to run, or when the result of the dialog came."""
    ran = 0.0 if how == "dialog" else line["ms"] / 1000 if how == "call" and "ms" in line else None
    if ran is None or not answered:
        return
    at = line["at"] - max(0.0, ran)
    if at - answered[0]["at"] >= BY_ITSELF:
        run["person_at"] = max(at, run.get("person_at", 0.0))


def _is_settled(one: "Pending | Call", line: "Line", how: str) -> bool:
    scope = line.get("agent", "")
    if how == "all" and not scope:
        return True
    if how in ("loop", "all"):
        return one["agent"] == scope
    if how == "dialog":
        return one.get("kind") == "input" and scope in ("", one["agent"]) and _is_of_server(one, line)
    return how in ("guess", "call") and not scope and not one["tool"]


def _is_covered(one: Settlement, line: "Line", how: str) -> bool:
    scope = line.get("agent", "")
    return one.scope == scope or (how == "all" and not scope)


def _is_of_server(one: "Pending | Call", line: "Line") -> bool:
    """Return True if the dialog is that server's: a result names it in a field, a notification only in its message."""
    facts = line.get("facts", {})
    server = facts.get("mcp_server_name")
    return one["tool"] in ("", server) or (server is None and one["tool"] in str(facts.get("message")))


def _settlement(line: "Line", how: str) -> "list[Settlement]":
    scope, server = line.get("agent", ""), line.get("facts", {}).get("mcp_server_name", "")
    if how in ("loop", "all"):
        return [Settlement(line["order"], "*" if how == "all" and not scope else scope, "*", "", "")]
    if how == "call":
        subject = line.get("subject", "")[:SETTLED_SUBJECT]
        return [Settlement(line["order"], scope, line.get("use", ""), line.get("tool", ""), subject)]
    return [Settlement(line["order"], scope, "", str(server), "*")] if how == "dialog" and server else []


def _overtakes(settled: Settlement, line: "Line") -> bool:
    if settled.use and settled.use == line.get("use"):
        return True  # a call ends only once, so the orders need not be compared
    if not is_older(line, settled.order) or settled.scope not in ("*", line.get("agent", "")):
        return False
    if settled.use == "*":
        return True
    call = _call(line)
    if (settled.use and call["use"]) or settled.tool != call["tool"]:
        return False
    return settled.subject in ("*", call["subject"][:SETTLED_SUBJECT])


def _is_after(one: "Pending | Call", line: "Line") -> bool:
    return is_older(line, one["order"])


def _is_same(one: "Pending | Call", line: "Line") -> bool:
    """Return True if the line is about this call: by the call's id, or if one has no id, by tool and subject."""
    if one["agent"] != line.get("agent", ""):
        return False
    if one["use"] and line.get("use"):
        return one["use"] == line["use"]
    call = _call(line)
    return one["tool"] == call["tool"] and one["subject"] == call["subject"]


def begin(run: "Record", line: "Line") -> None:
    """Add the line's tool call to those that run, unless it is there. Give its id to a request that overtook it."""
    nameless = [p for p in run.get("pending", []) if not p["use"] and _is_same(p, line) and _is_after(p, line)]
    if nameless and "use" in line:
        _name(run, nameless[0], line["use"])
    if not any(_is_same(call, line) for call in run["calls"]):
        run["calls"] = [*run["calls"], _call(line)][-MOST_CALLS:]


def ask(run: "Record", line: "Line", kind: str, late: bool) -> None:
    """Add a request of this kind. A request that is in the list already only gets the id of its call."""
    if not kind or _is_unattended(run):
        return
    if kind.endswith("?"):
        if late or run["pending"]:
            return
        kind = _guessed(kind[:-1], line)
    # Skip a call whose request is known: the person may have refused it with a message, which no hook reports.
    asked = [p["use"] for p in run["pending"]]
    call = next((c for c in run["calls"] if _is_same(c, line) and c["use"] not in asked), None)
    request: Pending = {**_call(line), "kind": kind, "at": line["at"]}  # type: ignore[typeddict-item]  # a kind of TABLE
    request["use"] = request["use"] or (call["use"] if call else "")
    twin = next((p for p in reversed(run["pending"]) if _is_same(p, line)), None)
    if twin is None or (twin["use"] and twin["use"] != request["use"] != ""):
        run["pending"] = [*run["pending"], request][-MOST_REQUESTS:]
    elif not twin["use"]:
        _name(run, twin, request["use"])


def _name(run: "Record", request: "Pending", use: str) -> None:
    """Give the request the id of its call."""
    named: Pending = {**request, "use": use}
    run["pending"] = [named if p is request else p for p in run["pending"]]


def _is_unattended(run: "Record") -> bool:
    """Return True in `claude -p`. A session of `claude --bg` calls itself unattended too; its entrypoint is "cli"."""
    where = run.get("where", {})
    return where.get("attended") is False and where.get("entrypoint") != "cli"


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
    """Return the kind of request: `permission_prompt` is also the type for a plan, which only the message says."""
    return "plan" if "the plan" in str(line.get("facts", {}).get("message")) else kind
