"""List the facts that answers from outside of the terminal rest on: the race of a hook against the keyboard."""

from deskbell.sessions.dialogs import WITH_IT
from tests.client.contract.facts.looks import fact, noted, of_each
from tests.client.contract.judge import Span
from tests.client.contract.seen import Json, Missing, Part, Run

ASK = "hooks/deskbell_hooks/ask.py"
OUTCOME = "tray/deskbell/answers/outcome.py"
RECEIPTS = "tray/deskbell/answers/receipts.py"
WAITING = "tray/deskbell/answers/waiting.py"

APPROVED, WAITS = "a request approved by a hook", "a request with a hook that waits"
YES, ESCAPE = "a Yes while a hook waits", "Escape while a hook waits"
DENIED = ("a permission denied by Escape", "a permission denied by No", ESCAPE)
AT_ONCE = 1.0
"""Seconds within which a dialog opens that waits for nothing; the hook waits five times as long."""
TOGETHER = 0.5
"""Seconds between two lines that are written together. The tool takes a second."""


def decision(part: Part) -> Json:
    """The line about the decision of a hook."""
    found = [one for one in part.lines if one["line"].get("type") == "attachment"]
    if not found:
        raise Missing("no line about a decision")
    return found[0]


def decided(run: Run) -> str:
    said = decision(run[APPROVED])["line"]["attachment"]
    return f"{said['type']}: {said['decision']} {said['hookEvent']}"


def before_result(run: Run) -> float:
    """Seconds from the line about the decision to the result of the tool."""
    part = run[APPROVED]
    results = [one["at"] for one in part.lines if "tool_result" in str(one["line"].get("message"))]
    if not results:
        raise Missing("no result")
    return float(results[0]) - float(decision(part)["at"])


def opened(run: Run) -> float:
    """Seconds from the start of the hooks to the dialog."""
    part = run[WAITS]
    return part.since("waiting") - float(part.hook("PermissionRequest")["at"])


def moved(run: Run) -> str:
    """Whether the moment of the status has moved with each answer."""
    pairs = [
        (run["a permission left alone"].since("waiting"), run["a permission given"].since("busy")),
        (run[WAITS].since("waiting"), run[YES].since("busy")),
        *((run[name].since("waiting"), run[name].since("idle")) for name in DENIED),
    ]
    return "moved" if all(first < then for first, then in pairs) else "stayed"


def refused(part: Part) -> str:
    return ", ".join(f"{one.get('is_error')}" for one in part.results()) or "no result"


FACTS = (
    fact(
        "The transcript says what a hook has decided on a request.",
        "hook_permission_decision: allow PermissionRequest",
        decided,
        *(OUTCOME, RECEIPTS),
    ),
    fact("It says so together with the result of the tool.", Span(0.0, TOGETHER), before_result, RECEIPTS),
    fact(
        "The result of a tool that the person refuses is an error.",
        "True",
        of_each((*DENIED, "a permission refused with words"), refused),
        *(OUTCOME, RECEIPTS),
    ),
    fact("Each answer moves the moment of the client's status.", "moved", moved, *(WAITING, RECEIPTS)),
    fact("A dialog opens beside a hook that waits.", Span(-WITH_IT, AT_ONCE), opened, *(ASK, WAITING)),
    fact("A Yes at the keyboard does not end a hook that waits.", "ran on", noted(YES, "hook"), *(ASK, WAITING)),
    fact("Escape ends a hook that waits.", "stopped", noted(ESCAPE, "hook"), ASK),
)
