"""What does an event settle, and what does it add, of requests to the person and running tool calls?

The mechanics behind the columns SETTLES and ASKS of the table in `fold`, where the rules stand.
"""

from deskbell_hooks.runs import is_older

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from deskbell_hooks.schema import Call, Line, Pending, Record

MOST_REQUESTS, MOST_CALLS, MOST_SETTLED = 8, 16, 8


def settle(run: "Record", line: "Line", how: str) -> bool:
    """Takes away what the event settles, and says whether something newer has already settled what it speaks of."""
    pending, calls, settled = run.get("pending", []), run.get("calls", []), run.get("settled", [])
    overtaken = any(_overtakes(one, line) for one in settled)
    if how == "call":
        answered = next((p for p in pending if _is_same(p, line) and not _is_after(p, line)), None)
        finished = next((c for c in calls if _is_same(c, line)), None)
        pending = [p for p in pending if p is not answered]
        calls = [c for c in calls if c is not finished]
    elif how in ("loop", "all"):
        calls = [c for c in calls if _is_after(c, line) or not _is_settled(c, line, how)]
        settled = [one for one in settled if is_older(line, one[0]) or not _is_covered(one, line, how)]
    run["pending"] = [p for p in pending if _is_after(p, line) or not _is_settled(p, line, how)]
    run["calls"] = calls
    run["settled"] = [*settled, *_settlement(line, how)][-MOST_SETTLED:]
    return overtaken


def _is_settled(one: "Pending | Call", line: "Line", how: str) -> bool:
    scope = line.get("agent", "")
    if how == "all" and not scope:
        return True
    if how in ("loop", "all"):
        return one["agent"] == scope
    if how == "dialog":
        return one.get("kind") == "input" and scope in ("", one["agent"]) and _is_of_server(one, line)
    return how in ("guess", "call") and not scope and not one["tool"]


def _is_covered(settlement: "list[Any]", line: "Line", how: str) -> bool:
    scope = line.get("agent", "")
    return settlement[1] == scope or (how == "all" and not scope)


def _is_of_server(one: "Pending | Call", line: "Line") -> bool:
    """A result names its server in a field, a notification in its words."""
    facts = line.get("facts", {})
    server = facts.get("mcp_server_name")
    return one["tool"] in ("", server) or (server is None and one["tool"] in str(facts.get("message")))


def _settlement(line: "Line", how: str) -> "list[list[Any]]":
    """What is remembered of it, for an older event that arrives later: order, scope, tool call, tool, subject."""
    scope, server = line.get("agent", ""), line.get("facts", {}).get("mcp_server_name", "")
    if how in ("loop", "all"):
        return [[line["order"], "*" if how == "all" and not scope else scope, "*", "", ""]]
    if how == "call":
        return [[line["order"], scope, line.get("use", ""), line.get("tool", ""), line.get("subject", "")[:80]]]
    return [[line["order"], scope, "", server, "*"]] if how == "dialog" and server else []


def _overtakes(settled: "list[Any]", line: "Line") -> bool:
    order, scope, use, tool, subject = settled
    if use and use == line.get("use"):
        return True  # a call is over once and for all, however close in time
    if not is_older(line, order) or scope not in ("*", line.get("agent", "")):
        return False
    if use == "*":
        return True
    call = _call(line)
    return not (use and call["use"]) and tool == call["tool"] and subject in ("*", call["subject"][:80])


def _is_after(one: "Pending | Call", line: "Line") -> bool:
    return is_older(line, one["order"])


def _is_same(one: "Pending | Call", line: "Line") -> bool:
    if one["agent"] != line.get("agent", ""):
        return False
    if one["use"] and line.get("use"):
        return one["use"] == line["use"]
    call = _call(line)
    return one["tool"] == call["tool"] and one["subject"] == call["subject"]


def ask(run: "Record", line: "Line", kind: str, late: bool) -> None:
    call = next((c for c in run["calls"] if _is_same(c, line)), None)
    if line["event"] == "PreToolUse" and call is None:
        call = _call(line)
        run["calls"] = [*run["calls"], call][-MOST_CALLS:]
    if not kind or _is_print(run):
        return
    if kind.endswith("?"):
        if late or run["pending"]:
            return
        kind = _guessed(kind[:-1], line)
    request: Pending = {**_call(line), "kind": kind, "at": line["at"]}  # type: ignore[typeddict-item]  # a kind of TABLE
    request["use"] = request["use"] or (call["use"] if call else "")
    twin = next((p for p in run["pending"] if _is_same(p, line)), None)
    if twin is None:
        run["pending"] = [*run["pending"], request][-MOST_REQUESTS:]
    elif not twin["use"]:
        named: Pending = {**twin, "use": request["use"]}
        run["pending"] = [named if p is twin else p for p in run["pending"]]


def _is_print(run: "Record") -> bool:
    """`claude -p`, where nobody can answer. A session of `claude --bg` calls itself unattended too, but it waits."""
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
    """The type permission_prompt is that of every dialog without its own: only the words tell a plan."""
    return "plan" if "the plan" in str(line.get("facts", {}).get("message")) else kind
