"""Find the request that an open dialog is for, and tell dialogs of the client from those that the person opened. Pure.

`truth` calls this. The registry says when a dialog opened and of which kind it is, but not what it asks. A request that
was refused with a message, or approved and is still running, stays in the record: no hook reports that. The client
shows the requests of several subagents one after the other, as one dialog of the registry. One whose command runs as a
process was approved. What cannot be known: which of the others it shows, so all of them are named.
"""

from collections.abc import Iterable

from deskbell.sessions.evidence import Evidence
from deskbell.sessions.registry import Entry
from deskbell.sessions.turns import GRACE, by_transcript, interrupted_at, turn_at, turn_since
from deskbell.text.clean import cut
from deskbell_hooks.client import TICK
from deskbell_hooks.fold import words
from deskbell_hooks.schema import Pending, Run, Status

HELD_BACK = 2.0
"""The most seconds from a request to its dialog: the client holds it back while the person types."""
WITH_IT = 0.5
"""The usual most seconds between a dialog and its request. No person answers one dialog and gets the next so fast."""

HOOK_DELAY = 0.2
"""The most seconds from a dialog in the registry to the record of the hook that says what it asks."""
QUOTE, QUOTED = "'", "'\"'\"'"
"""A single quote, and how the client writes it into a command of the shell. Seen with Claude Code 2.1.326."""
ASKS_WITHIN = 3.0
"""Seconds from a usage limit to the dialog in which the client asks about it. No person is as fast."""
LONGEST = 60
"""The most characters of each request if two are named."""

WAITING_FOR: dict[str, Status] = {
    "permission prompt": "permission",
    "sandbox request": "permission",
    "worker request": "permission",
    "input needed": "question",
    "dialog open": "input",
    "goal proposal": "input",
}
"""The status for each kind of dialog in the registry if no hook says what it asks."""
ASKED_AS: dict[str, frozenset[str]] = {
    "permission prompt": frozenset(("permission", "plan")),
    "worker request": frozenset(("permission", "plan")),
    "input needed": frozenset(("question", "input")),
    "dialog open": frozenset(("input",)),
}
"""The requests of the hooks that each kind of dialog can be for. A dialog of another kind can be for any."""

ASKED_BY = {"AskUserQuestion": "question", "ExitPlanMode": "plan", "EnterPlanMode": "plan"}
"""The requests that tools of the client make. A call of any other tool can lead to any request."""


def request_of(e: Evidence, entry: Entry) -> Pending | None:
    """Return the request whose dialog is open: of a fitting kind, without a result, made when the dialog opened.

    Dialogs are shown one after the other. Of several requests, return the oldest one within WITH_IT of the dialog. If
    there is none, return the nearest one, but only after HOOK_DELAY: the hook of a nearer one has reported it by then.
    """
    fitting = _fitting(e, entry)
    with_it = [request for request in fitting if abs(request["at"] - entry.status_since) <= WITH_IT]
    if with_it:
        return min(with_it, key=lambda request: request["at"])
    if e.now < entry.status_since + HOOK_DELAY:
        return None
    return min(fitting, key=lambda request: abs(request["at"] - entry.status_since), default=None)


def has_queue(run: Run | None, entry: Entry | None) -> bool:
    """Return True if requests of several agents may wait behind the open dialog: no file tells which one it shows."""
    if run is None or entry is None or entry.status != "waiting":
        return False
    return len({request["agent"] for request in run["pending"]}) > 1


def approved(run: Run, commands: Iterable[tuple[int, str]]) -> frozenset[int]:
    """Return the orders of the requests whose command runs. COMMANDS: the start of each process of the client in clock
    ticks, and its command line."""
    return frozenset(
        request["order"]
        for request in run["pending"]
        for started, line in commands
        if request["tool"] == "Bash" and started * TICK >= request["order"] and _as_run(request["subject"]) in line
    )


def _as_run(subject: str) -> str:
    """Return the beginning of a command as it stands in the client's `eval '...'`."""
    return f"eval '{subject.removesuffix('…').replace(QUOTE, QUOTED)}"


def asked_in_words(e: Evidence, entry: Entry, opened: Pending) -> str:
    """Return what the dialog asks: the request OPENED, and the others that may be shown in its place by now."""
    behind = [
        request
        for request in _fitting(e, entry)
        if request["agent"] != opened["agent"] and request["at"] >= opened["at"]
    ]
    if not behind:
        return words(opened)
    first = cut(words(opened), LONGEST)
    if len(behind) > 1:
        return f"{first}, or one of {len(behind)} other requests"
    tool = f"{opened['tool']}: "
    return f"{first}, or {cut(words(behind[0]).removeprefix(tool), LONGEST)}"


def _fitting(e: Evidence, entry: Entry) -> list[Pending]:
    kinds = ASKED_AS.get(str(entry.waiting_for))
    return [
        request
        for request in (e.run["pending"] if e.run else [])
        if (not kinds or request["kind"] in kinds)
        and request["use"] not in e.tail.results
        and request["at"] > entry.status_since - HELD_BACK
    ]


def unanswered_call(e: Evidence, entry: Entry) -> str:
    """Return the newest tool call without a result, in words. A dialog that no hook reported is about this call.

    A call that has already asked is left out: its dialog was another one. Return "" if no hook reported the newest
    prompt: the recorded calls may be those of an earlier turn.
    """
    if not e.run or max(e.tail.prompts, default=0.0) > turn_since(e.run) + GRACE:
        return ""
    over = e.tail.results | {request["use"] for request in e.run["pending"]}
    calls = [call for call in e.run["calls"] if call["use"] not in over and _can_ask(call["tool"], entry)]
    return words(max(calls, key=lambda call: call["order"])) if calls else ""


def _can_ask(tool: str, entry: Entry) -> bool:
    kind, kinds = ASKED_BY.get(tool), ASKED_AS.get(str(entry.waiting_for))
    return kind is None or kinds is None or kind in kinds


def is_after_limit(e: Evidence) -> bool:
    """Return True if the hooks have reported something newer than the usage limit at which the turn ended.

    A prompt that a hook of the person refused is nothing: no turn began.
    """
    newest = e.tail.limit and max(e.tail.limit.said or e.tail.limit.at, e.tail.refused_at or 0.0)
    return newest is not None and e.run is not None and turn_at(e.run) > newest + GRACE


def limit_asked_about(e: Evidence, entry: Entry) -> str:
    """Return the error about a usage limit, if the client opened the dialog to ask about it; else "".

    It does so at once if it is set not to go on by itself.
    """
    limit = e.tail.limit
    if limit is None or limit.goes_on or is_after_limit(e) or not -GRACE <= entry.status_since - limit.at < ASKS_WITHIN:
        return ""
    return e.tail.error or "usage limit"


def is_own(e: Evidence, entry: Entry) -> bool:
    """Return True if the person opened the dialog, at the prompt or after interrupting the turn, which fires no hook.

    A dialog of the client is about a tool call that has no result, in a turn that is not over. A dialog that comes with
    the newest event is also the client's. Without a transcript, `own_dialog` of the evidence decides.
    """
    if not e.run:
        return not e.tail.calls
    if e.run["turn"] != "working":
        return True
    if entry.status_since <= turn_at(e.run) + GRACE:
        return False
    if e.own_dialog and e.tail.at is None:
        return True
    open_uses = {one["use"] for one in (*e.run["calls"], *e.run["pending"])} - e.tail.results
    is_over = interrupted_at(e.run, e.tail) is not None or by_transcript(e, e.run) is not None
    return is_over or not open_uses
