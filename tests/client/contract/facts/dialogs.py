"""List the facts of requests and dialogs: what asks, what the registry shows meanwhile, and what an answer fires."""

from deskbell.notices.judge import ANSWER_OF_HOOK
from deskbell.sessions.dialogs import WITH_IT
from deskbell.sessions.truth import HOOK_DELAY, REMINDER
from tests.client.contract.facts.looks import (
    DIALOGS,
    FOLD,
    JUDGE,
    MEMORY,
    NONE_MISSING,
    REQUESTS,
    TRIM,
    TRUTH,
    Look,
    between,
    fact,
    fired,
    fired_by,
    lacking,
    of_each,
    statuses,
    value,
    waits_for,
)
from tests.client.contract.judge import Span
from tests.client.contract.seen import Part, Run

ASKED = "PermissionRequest, PreToolUse, UserPromptSubmit"
DENIED = ("a permission denied by Escape", "a permission denied by No", "a question put away")
REFUSED = ("a permission refused with words", "a question left by Chat about this")
REMINDED = ("a permission left alone", "a question", "a plan")
PICKED = ("a picker opened at rest", "a picker closed")
SLOW = 12.0
"""Seconds after which a reminder is late even on a slow machine."""


def asked(name: str) -> Look:
    """The commands that the requests of a part name."""

    def look(run: Run) -> str:
        events = [one for one in run[name].events if one["hook_event_name"] == "PermissionRequest"]
        return ", ".join(str(one.get("tool_input", {}).get("command")) for one in events) or "nothing"

    return look


def reminded(part: Part) -> str:
    return str(part.event("Notification").get("notification_type"))


def in_any_order(part: Part) -> str:
    return ", ".join(sorted(part.fired.split(", ")))


def without_calls(part: Part) -> str:
    return ", ".join(name for name in part.fired.split(", ") if name != "PreToolUse")


def last_two_statuses(part: Part) -> str:
    return ", ".join(part.statuses.split(", ")[-2:])


def apart(run: Run) -> float:
    """Seconds between a request and its dialog, the longest of all."""
    parts = [run[name] for name in (*REMINDED, *DENIED, *REFUSED)]
    return max(abs(part.since("waiting") - float(part.hook("PermissionRequest")["at"])) for part in parts)


def second_apart(run: Run) -> float:
    """The same of a request that follows one that was refused with words."""
    part = run["a permission refused with words"]
    return abs(part.since("waiting", 1) - float(part.hook("PermissionRequest", 1)["at"]))


def heard_after(run: Run) -> float:
    """Seconds from the opening of a dialog to the start of its hook, the longest of all."""
    parts = [run[name] for name in (*REMINDED, *DENIED)]
    return max(float(part.hook("PermissionRequest")["at"]) - part.since("waiting") for part in parts)


def question(run: Run) -> str:
    asks = run["a question"].event("PermissionRequest").get("tool_input", {}).get("questions") or [{}]
    return str(asks[0].get("question"))


def approved_after(run: Run) -> float:
    """Seconds from a request that a hook approves until the client is busy again."""
    part = run["a request approved by a hook"]
    return part.since("busy", 1) - float(part.hook("PermissionRequest")["at"])


FACTS = (
    fact(
        "A command that must ask fires PreToolUse, PermissionRequest and one Notification.",
        f"Notification, {ASKED}",
        of_each(("a permission left alone",), in_any_order),
        *(FOLD, REQUESTS),
    ),
    fact(
        "PermissionRequest has the tool and its input.",
        NONE_MISSING,
        lacking(("a permission left alone", "a question", "a plan"), "PermissionRequest", "tool_name"),
        *(TRIM, REQUESTS),
    ),
    fact("PermissionRequest has the command.", "touch made.txt", asked("a permission denied by Escape"), TRIM),
    fact("The dialog of a request opens as its hook starts.", Span(0.0, WITH_IT), apart, DIALOGS),
    fact(
        "The hook of a request starts before its dialog opens, or just after.",
        Span(-WITH_IT, HOOK_DELAY),
        heard_after,
        TRUTH,
    ),
    fact(
        "The Notification of a request comes about 6 s after it.",
        Span(REMINDER, SLOW),
        between("a permission left alone", "PermissionRequest", "Notification"),
        TRUTH,
    ),
    fact(
        "The Notification of a permission, a question or a plan is a permission_prompt.",
        "permission_prompt",
        of_each(REMINDED, reminded),
        FOLD,
    ),
    fact(
        "The Notification of a plan names the plan.",
        "Claude Code needs your approval for the plan",
        value("a plan", "Notification", "message"),
        REQUESTS,
    ),
    fact(
        "A permission and a plan wait for a permission prompt.",
        "permission prompt",
        waits_for("a permission left alone", "a plan"),
        DIALOGS,
    ),
    fact(
        "Once a permission is given, the client is busy, and PostToolUse follows.",
        "PostToolUse, Stop; busy, idle",
        lambda run: f"{run['a permission given'].fired}; {run['a permission given'].statuses}",
        *(FOLD, TRUTH),
    ),
    fact("A denial by Escape or No fires nothing.", ASKED, of_each(DENIED, in_any_order), FOLD, TRUTH),
    fact("After a denial the client is idle.", "waiting, idle", of_each(DENIED, last_two_statuses), TRUTH),
    fact(
        "The request after a refusal with words names the next command.",
        "touch wrong.txt, touch right.txt",
        asked("a permission refused with words"),
        DIALOGS,
    ),
    fact(
        'A refusal with words and "Chat about this" fire nothing but the next request.',
        "UserPromptSubmit, PermissionRequest, PermissionRequest",
        of_each(REFUSED, without_calls),
        *(FOLD, DIALOGS),
    ),
    fact(
        "The registry says when the dialog after a refusal with words opened.",
        Span(0.0, WITH_IT),
        second_apart,
        DIALOGS,
    ),
    fact(
        "Two permissions of one answer are asked one after the other.",
        "UserPromptSubmit, PermissionRequest, PostToolUse, PermissionRequest",
        of_each(("two permissions of one answer",), without_calls),
        *(DIALOGS, REQUESTS),
    ),
    fact("A question is a PermissionRequest with its words.", "Which colour do you want?", question, FOLD, TRIM),
    fact("The answer to a question fires PostToolUse.", "PostToolUse, Stop", fired("a question answered"), FOLD),
    fact(
        "Questions and forms wait for input.",
        "input needed",
        waits_for("a question", "a form"),
        DIALOGS,
    ),
    fact(
        "A plan is a PermissionRequest of ExitPlanMode.",
        "ExitPlanMode",
        value("a plan", "PermissionRequest", "tool_name"),
        FOLD,
    ),
    fact("The approval of a plan fires PostToolUse.", "PostToolUse, Stop", fired("a plan approved"), FOLD),
    fact(
        "A form of an MCP server fires Elicitation, no PermissionRequest, and a Notification.",
        "UserPromptSubmit, PreToolUse, Elicitation, Notification",
        fired("a form"),
        FOLD,
    ),
    fact(
        "The Notification of a form is an elicitation_dialog.",
        "elicitation_dialog",
        value("a form", "Notification", "notification_type"),
        FOLD,
    ),
    fact("Elicitation names the server.", "elic", value("a form", "Elicitation", "mcp_server_name"), REQUESTS),
    fact(
        "A form put away fires ElicitationResult and a Notification, and the turn goes on.",
        "ElicitationResult, Notification, PostToolUse, Stop",
        of_each(("a form put away",), in_any_order),
        FOLD,
    ),
    fact(
        "The Notification of an answered form names the server.",
        'Elicitation response for server "elic": cancel',
        value("a form put away", "Notification", "message"),
        REQUESTS,
    ),
    fact(
        "Auto mode asks without a PermissionRequest: only a Notification comes.",
        "UserPromptSubmit, PreToolUse, Notification",
        fired("a dialog of auto mode"),
        *(FOLD, TRUTH),
    ),
    fact(
        "The Notification of auto mode's dialog is agent_needs_input.",
        "agent_needs_input",
        value("a dialog of auto mode", "Notification", "notification_type"),
        FOLD,
    ),
    fact(
        "Auto mode's dialog and a picker of the person are both an open dialog.",
        "dialog open",
        waits_for("a dialog of auto mode", "a picker opened at rest"),
        DIALOGS,
    ),
    fact("A picker fires nothing.", "nothing", fired(*PICKED), FOLD, MEMORY),
    fact(
        "A picker opened at rest makes the client wait, and never busy.",
        "waiting / idle",
        statuses(*PICKED),
        MEMORY,
    ),
    fact(
        "A subagent's request carries its agent_id.",
        "SubagentStart, PreToolUse, PermissionRequest",
        fired_by("a subagent that asks", agent=True),
        *(FOLD, REQUESTS),
    ),
    fact(
        "A subagent asks although the main loop has ended with Stop.",
        "UserPromptSubmit, PreToolUse, PostToolUse, Stop",
        fired_by("a subagent that asks", agent=False),
        *(FOLD, TRUTH),
    ),
    fact(
        "A subagent's request waits for a permission prompt, too.",
        "permission prompt",
        waits_for("a subagent that asks"),
        DIALOGS,
    ),
    fact(
        "A request that a hook approves fires as any other.",
        "touch made.txt && python3 -c 'import time; time.sleep(1)'",
        asked("a request approved by a hook"),
        JUDGE,
    ),
    fact("A hook that approves is heard before Deskbell rings.", Span(-WITH_IT, ANSWER_OF_HOOK), approved_after, JUDGE),
)
