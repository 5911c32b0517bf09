"""Test the verdict on each kind of evidence, and laws that hold for all of them."""

from dataclasses import replace
from typing import NamedTuple

import pytest

from deskbell.sessions.conversation import Tail
from deskbell.sessions.dialogs import HOOK_DELAY
from deskbell.sessions.evidence import Evidence, Verdict
from deskbell.sessions.registry import Entry
from deskbell.sessions.truth import CATCHES_UP, END_DELAY, REMINDER, verdict
from deskbell.sessions.turns import GRACE, UNREPORTED
from deskbell_hooks.schema import Record, Status
from tests.tray.sessions.evidence import (
    ASK,
    ASK_LATER,
    BASH,
    CALL,
    END,
    PROMPT,
    REMINDED,
    START,
    STOP,
    STOP_WITH_SHELL,
    T,
    at,
    entry,
    run,
)


def without_start(record: Record) -> Record:
    return {**record, "turn_started": None}


def reversed_requests(record: Record) -> Record:
    return {**record, "pending": record["pending"][::-1]}


def started(after: float) -> Entry:
    """The entry of a client that started then."""
    return replace(entry("idle", 15), started=T + after)


RIGHT = {"tool": "Bash", "subject": "touch right.txt", "use": "u2"}
REFUSED = run(PROMPT, CALL, ASK, (8.0, "PreToolUse", RIGHT), (8.1, "PermissionRequest", RIGHT))
ONE, OTHER = {"agent": "a1", "agent_type": "Explore"}, {"agent": "a2", "agent_type": "Explore"}
TWO_AGENTS = run(
    PROMPT,
    (2.0, "PreToolUse", {**BASH, **ONE}),
    (2.1, "PermissionRequest", {**BASH, **ONE}),
    (9.0, "PreToolUse", {**RIGHT, **OTHER}),
    (9.1, "PermissionRequest", {**RIGHT, **OTHER}),
)
AGENT = (2.0, "SubagentStart", ONE)
STOP_WITH_AGENT = (9.0, "Stop", {"tasks": [{"id": "a1", "type": "subagent", "status": "running", "description": ""}]})
FAILURE = (9.0, "StopFailure", {"facts": {"error": "rate_limit"}})
FAILED = run(PROMPT, FAILURE)
INTERRUPTED = run(PROMPT, CALL, (4.0, "PostToolUseFailure", {**BASH, "interrupt": True}))
COMPACTING = run(PROMPT, STOP, (9.05, "PreCompact", {}))
PROMPTED = Tail(at=T + 20, prompts=(T + 1, T + 20))
"""A prompt at 20 s that no hook reported."""

SENT_ON = Tail(at=T + 9.1, prompts=(T + 1,), sent_on_at=T + 9.1)


class Case(NamedTuple):
    name: str
    evidence: Evidence
    status: Status
    detail: str
    reason: str
    since: float
    """Seconds after T."""
    again: float | None = None
    """Seconds after T."""

    @property
    def verdict(self) -> Verdict:
        again = None if self.again is None else T + self.again
        return Verdict(self.status, self.detail, self.reason, T + self.since, again)


REFUSED_PROMPT = run(PROMPT, STOP, (20.0, "UserPromptSubmit", {"facts": {"prompt": "refused"}}))
STARTUP = {"facts": {"source": "startup"}}
REFUSED_FIRST = run((20.0, "UserPromptSubmit", {"facts": {"prompt": "refused"}}))
WITH_SHELL = run(PROMPT, STOP_WITH_SHELL, (20.0, "UserPromptSubmit", {"facts": {"prompt": "refused"}}))

CASES: list[Case] = [
    Case(
        "a prompt that a hook refused",
        Evidence(T + 22, REFUSED_PROMPT, entry("idle", 20.1), tail=Tail(finished_at=T + 9, refused_at=T + 20.1)),
        "idle",
        "",
        "the hooks and the registry agree",
        9.0,
    ),
    Case(
        "a refused prompt after an interrupt",
        Evidence(T + 22, REFUSED_PROMPT, entry("idle", 20.1), tail=Tail(interrupted_at=T + 9, refused_at=T + 20.1)),
        "interrupted",
        "",
        "the hooks and the registry agree",
        9.0,
    ),
    Case(
        "a refused prompt after Escape before the first token",
        Evidence(T + 22, REFUSED_PROMPT, entry("idle", 20.1), tail=Tail(prompts=(T + 8,), refused_at=T + 20.1)),
        "interrupted",
        "",
        "the hooks and the registry agree",
        8.0,
    ),
    Case(
        "a refused prompt after an error",
        Evidence(
            T + 22, REFUSED_PROMPT, entry("idle", 20.1), tail=Tail(error="500", prompts=(T + 8,), refused_at=T + 20.1)
        ),
        "error",
        "500",
        "the hooks and the registry agree",
        8.0,
    ),
    Case(
        "a refused prompt while a shell runs behind",
        Evidence(T + 22, WITH_SHELL, entry("shell", 20.1), tail=Tail(finished_at=T + 9, refused_at=T + 20.1)),
        "background",
        "dev server",
        "the hooks and the registry agree",
        9.0,
    ),
    Case(
        "a refused prompt, the first one of its session",
        Evidence(T + 22, REFUSED_FIRST, entry("idle", 20.1), tail=Tail(prompts=(T + 20,), refused_at=T + 20.1)),
        "new",
        "",
        "the hooks and the registry agree",
        20.0,
    ),
    Case(
        "a refused prompt, the first one of a client whose session has been answered",
        Evidence(T + 22, REFUSED_FIRST, entry("idle", 20.1), tail=Tail(model="claude-x", refused_at=T + 20.1)),
        "idle",
        "",
        "the hooks and the registry agree",
        20.0,
    ),
    Case(
        "a prompt after a refused one",
        Evidence(T + 22, REFUSED_PROMPT, entry("busy", 20.1), tail=Tail(finished_at=T + 9, refused_at=T + 19)),
        "working",
        "Thinking",
        "the hooks and the registry agree",
        20.0,
    ),
    Case(
        "a client that comes from another session",
        Evidence(T + 9, None, replace(entry("busy", 8.9), updated=T + 8.95), arrives=True, tail=Tail(model="claude-x")),
        "idle",
        "",
        "its client has just come from another session",
        8.9,
        8.95 + UNREPORTED,
    ),
    Case(
        "a client that comes from another session into a new one",
        Evidence(T + 9, None, replace(entry("busy", 8.9), updated=T + 8.95), arrives=True),
        "new",
        "",
        "its client has just come from another session",
        8.9,
        8.95 + UNREPORTED,
    ),
    Case(
        "a shell that runs behind a session that was never prompted",
        Evidence(T + 9, run((1.0, "SessionStart", STARTUP)), entry("shell", 8.0)),
        "background",
        "a shell",
        "its client runs a background shell",
        8.0,
    ),
    Case(
        "a session that was never prompted, and compacted unheard",
        Evidence(
            T + 9, run((1.0, "SessionStart", STARTUP)), entry("idle", 8.0), tail=Tail(at=T + 8, finished_at=T + 8)
        ),
        "idle",
        "",
        "the transcript records a later end",
        8.0,
    ),
    Case(
        "a client that works in another session, unheard",
        Evidence(T + 9 + UNREPORTED, None, replace(entry("busy", 8.9), updated=T + 9), arrives=True),
        "working",
        "",
        "its client is busy",
        8.9,
    ),
    Case(
        "a client that died long after its file was gone",
        Evidence(T + 60 + END_DELAY, run(PROMPT), None, False, T + 60, left=T + 20),
        "crashed",
        "",
        "its process is gone and no SessionEnd was received",
        60.0,
    ),
    Case(
        "a client at its prompt that died long after its file was gone",
        Evidence(T + 60 + END_DELAY, run(PROMPT, STOP), None, False, T + 60, left=T + 20),
        "crashed",
        "",
        "its process is gone and no SessionEnd was received",
        60.0,
    ),
    Case(
        "a client that left the registry with a dialog open",
        Evidence(T + 9, run(PROMPT, CALL, ASK), None, True, left=T + 8.5, was_waiting=True),
        "permission",
        "Bash: npm publish",
        "its client is exiting",
        2.1,
        8.5 + END_DELAY,
    ),
    Case(
        "no registry, the transcript records the end, a Stop may still come",
        Evidence(T + 9.1, run(PROMPT, CALL), tail=Tail(finished_at=T + 9, at=T + 9)),
        "working",
        "Bash: npm publish",
        "the hooks say so",
        1.0,
        9.0 + UNREPORTED,
    ),
    Case(
        "no registry, the transcript records the end",
        Evidence(T + 9 + UNREPORTED, run(PROMPT, CALL), tail=Tail(finished_at=T + 9, at=T + 9)),
        "idle",
        "",
        "its client is idle and its answer is complete",
        9.0,
    ),
    Case(
        "no registry, a turn whose transcript goes on",
        Evidence(T + 90, run(PROMPT, CALL), tail=Tail(at=T + 9)),
        "working",
        "Bash: npm publish",
        "the hooks say so",
        1.0,
    ),
    Case(
        "nothing contradicts the hooks",
        Evidence(T + 5, run(PROMPT, CALL)),
        "working",
        "Bash: npm publish",
        "the hooks say so",
        1.0,
    ),
    Case("a SessionEnd", Evidence(T + 10, run(PROMPT, STOP, END)), "ended", "other", "it ended normally", 9.5),
    Case(
        "a client that is busy after its SessionEnd",
        Evidence(T + 30, run(PROMPT, STOP, END), entry("busy", 20)),
        "working",
        "Thinking",
        "its client is busy again",
        20.0,
    ),
    Case(
        "a registry entry just after a SessionEnd",
        Evidence(T + 30, run(PROMPT, STOP, END), entry("busy", 9.6)),
        "ended",
        "other",
        "it ended normally",
        9.5,
    ),
    Case(
        "a registry entry at the end of the grace after a SessionEnd",
        Evidence(T + 30, run(PROMPT, STOP, END), at(entry("busy", 0), T + 9.5 + GRACE)),
        "ended",
        "other",
        "it ended normally",
        9.5,
    ),
    Case(
        "a dialog, and the request it is for",
        Evidence(T + 3, run(PROMPT, CALL, ASK), entry("waiting", 2.11, "permission prompt")),
        "permission",
        "Bash: npm publish",
        "it asked, and its dialog is open",
        2.1,
    ),
    Case(
        "a dialog that the registry dates before its request",
        Evidence(T + 3, run(PROMPT, CALL, ASK), entry("waiting", 2.05, "permission prompt")),
        "permission",
        "Bash: npm publish",
        "it asked, and its dialog is open",
        2.1,
    ),
    Case(
        "a dialog that only a reminder names",
        Evidence(T + 9, run(PROMPT, CALL, REMINDED), entry("waiting", 2.11, "permission prompt")),
        "permission",
        "",
        "it asked, and its dialog is open",
        2.11,
    ),
    Case(
        "a reminder that comes before the registry",
        Evidence(T + 9, run(PROMPT, CALL, REMINDED), entry("waiting", 8.4, "permission prompt")),
        "permission",
        "",
        "it asked, and its dialog is open",
        8.2,
    ),
    Case(
        "a request that was approved",
        Evidence(T + 5, run(PROMPT, CALL, ASK), entry("busy", 4.0)),
        "working",
        "Bash: npm publish",
        "its client is busy again, so the request was answered",
        4.0,
    ),
    Case(
        "a request that a hook approved before its dialog",
        Evidence(T + 5, run(PROMPT, CALL, ASK), entry("busy", 1.0)),
        "working",
        "Bash: npm publish",
        "its client stayed busy, so the request needed no answer",
        1.0,
    ),
    Case(
        "a request that was denied",
        Evidence(T + 5, run(PROMPT, CALL, ASK), entry("idle", 4.0)),
        "interrupted",
        "Bash: npm publish",
        "its client went idle in the middle of a turn",
        4.0,
    ),
    Case(
        "a request left alone for hours",
        Evidence(T + 9999, run(PROMPT, CALL, ASK), entry("waiting", 2.11, "permission prompt")),
        "permission",
        "Bash: npm publish",
        "it asked, and its dialog is open",
        2.1,
    ),
    Case(
        "a question, while a subagent's request waits for its turn",
        Evidence(
            T + 5,
            run(PROMPT, CALL, ASK, (3.0, "PermissionRequest", {"tool": "AskUserQuestion", "subject": "Which?"})),
            entry("waiting", 3.1, "input needed"),
        ),
        "question",
        "Which?",
        "it asked, and its dialog is open",
        3.0,
    ),
    Case(
        "a dialog without a request, in a turn",
        Evidence(T + 3, run(PROMPT, CALL), entry("waiting", 2.2, "dialog open")),
        "input",
        "Bash: npm publish",
        "its client waits for an answer (dialog open)",
        2.2,
    ),
    Case(
        "a dialog that the person opened",
        Evidence(T + 30, run(PROMPT, STOP), entry("waiting", 20, "dialog open")),
        "idle",
        "a dialog is open",
        "the person opened a dialog",
        9.0,
    ),
    Case(
        "a dialog that the person opened after an error and a later end that no hook reported",
        Evidence(T + 40, FAILED, entry("waiting", 30, "dialog open"), tail=Tail(at=T + 25.5, finished_at=T + 25)),
        "idle",
        "a dialog is open",
        "the transcript records a later end; the person opened a dialog",
        25.5,
    ),
    Case(
        "a dialog that the person opened while a shell runs behind",
        Evidence(T + 30, run(PROMPT, STOP_WITH_SHELL), entry("waiting", 20, "dialog open")),
        "background",
        "dev server",
        "the person opened a dialog",
        9.0,
    ),
    Case(
        "a dialog that the person opened after an escape",
        Evidence(T + 30, run(PROMPT, CALL), entry("waiting", 20, "dialog open"), own_dialog=True),
        "interrupted",
        "Bash: npm publish",
        "its client went idle in the middle of a turn; the person opened a dialog",
        20.0,
    ),
    Case(
        "a dialog that the person opened after an escape, just closed",
        Evidence(T + 30.1, run(PROMPT, CALL), entry("idle", 30), own_dialog=True),
        "interrupted",
        "Bash: npm publish",
        "its client went idle in the middle of a turn",
        30.0,
    ),
    Case(
        "a dialog so early that its client was never seen busy",
        Evidence(T + 3, run(PROMPT, CALL), entry("waiting", 2.2, "dialog open"), own_dialog=True),
        "input",
        "Bash: npm publish",
        "its client waits for an answer (dialog open)",
        2.2,
    ),
    Case(
        "a dialog of the sandbox",
        Evidence(T + 3, run(PROMPT, CALL), entry("waiting", 2.2, "sandbox request")),
        "permission",
        "Bash: npm publish",
        "its client waits for an answer (sandbox request)",
        2.2,
    ),
    Case(
        "a prompt of the moment in which its client came to rest from a dialog",
        Evidence(
            T + 4.25, run(PROMPT, CALL), entry("idle", 4), own_dialog=True, tail=Tail(at=T + 4, prompts=(T + 1, T + 4))
        ),
        "interrupted",
        "Bash: npm publish",
        "its client went idle in the middle of a turn",
        4.0,
        4 + UNREPORTED,
    ),
    Case(
        "a new prompt after an interrupt, in the transcript first",
        Evidence(T + 5.1, run(PROMPT, CALL), entry("idle", 4.0), tail=Tail(at=T + 5, prompts=(T + 1, T + 5))),
        "working",
        "Bash: npm publish",
        "the transcript records a new prompt; the registry has not caught up yet",
        1.0,
        5 + GRACE,
    ),
    Case(
        "a form that was answered, and a notification that says so",
        Evidence(
            T + 12.1,
            run(
                PROMPT,
                (2.0, "PreToolUse", {"tool": "mcp__elic__ask", "use": "u1"}),
                (2.1, "Elicitation", {"facts": {"mcp_server_name": "elic"}}),
                (11.9, "ElicitationResult", {"facts": {"mcp_server_name": "elic"}}),
                (12.0, "Notification", {"facts": {"notification_type": "elicitation_response"}}),
            ),
            entry("waiting", 2.2, "input needed"),
        ),
        "working",
        "mcp__elic__ask",
        "the request was answered; the registry has not caught up yet",
        11.9,
        11.9 + CATCHES_UP,
    ),
    Case(
        "an answer in a turn that no hook reported before",
        Evidence(T + 12.1, run(PROMPT, STOP, (12.0, "ElicitationResult", {})), entry("waiting", 11, "input needed")),
        "working",
        "Thinking",
        "the request was answered; the registry has not caught up yet",
        12.0,
        12 + CATCHES_UP,
    ),
    Case(
        "a dialog that is still open long after an answer",
        Evidence(
            T + 12.1 + CATCHES_UP,
            run(PROMPT, STOP, (12.0, "ElicitationResult", {})),
            entry("waiting", 11, "input needed"),
        ),
        "question",
        "input needed",
        "its client waits for an answer (input needed)",
        11,
    ),
    Case(
        "a dialog of an unknown kind",
        Evidence(T + 3, run(PROMPT), entry("waiting", 2.2, "moon phase")),
        "input",
        "moon phase",
        "its client waits for an answer (moon phase)",
        2.2,
    ),
    Case(
        "a reminder of a request that the hooks did not report",
        Evidence(T + 8.3, run(PROMPT, REMINDED), entry("waiting", 2.2, "input needed")),
        "question",
        "input needed",
        "its client waits for an answer (input needed)",
        2.2,
    ),
    Case(
        "an answer that the hooks know first",
        Evidence(
            T + 4.1, run(PROMPT, CALL, ASK, (4.0, "PostToolUse", BASH)), entry("waiting", 2.11, "permission prompt")
        ),
        "working",
        "Thinking",
        "the request was answered; the registry has not caught up yet",
        4.0,
        4 + CATCHES_UP,
    ),
    Case(
        "an escape in a tool",
        Evidence(T + 5, run(PROMPT, CALL), entry("idle", 4.0)),
        "interrupted",
        "Bash: npm publish",
        "its client went idle in the middle of a turn",
        4.0,
    ),
    Case(
        "an escape before the first token",
        Evidence(T + 5, run(PROMPT), entry("idle", 4.0)),
        "interrupted",
        "",
        "its client went idle in the middle of a turn",
        4.0,
    ),
    Case(
        "a Stop that may still arrive",
        Evidence(T + 4.1, run(PROMPT), entry("idle", 4.0)),
        "working",
        "Thinking",
        "its client is idle; a Stop may still arrive",
        1.0,
        4.6,
    ),
    Case(
        "an interrupt in the transcript",
        Evidence(T + 4.1, run(PROMPT), entry("idle", 4.0), tail=Tail(interrupted_at=T + 4.0)),
        "interrupted",
        "",
        "the transcript records an interrupt",
        4.0,
    ),
    Case(
        "a Stop that was lost",
        Evidence(T + 9, run(PROMPT), entry("idle", 4.0), tail=Tail(finished_at=T + 3.9)),
        "idle",
        "",
        "its client is idle and its answer is complete",
        3.9,
    ),
    Case(
        "a turn that is over",
        Evidence(T + 10, run(PROMPT, STOP), entry("idle", 9.05)),
        "idle",
        "",
        "the hooks and the registry agree",
        9.0,
    ),
    Case(
        "a Stop whose hooks may still run",
        Evidence(T + 9.1, run(PROMPT, STOP), entry("busy", 1.1)),
        "working",
        "Thinking",
        "a Stop was received; a hook may send it on",
        1.1,
    ),
    Case(
        "a turn that a Stop hook made go on",
        Evidence(T + 20, run(PROMPT, STOP), entry("busy", 1.1)),
        "working",
        "Thinking",
        "a Stop was received; a hook may send it on",
        1.1,
    ),
    Case(
        "a turn that a Stop hook made go on, over before its Stop has come",
        Evidence(T + 12.2, run(PROMPT, STOP), entry("idle", 12.1), tail=SENT_ON),
        "working",
        "Thinking",
        "its client is idle; a Stop may still arrive",
        1.0,
        12.1 + GRACE,
    ),
    Case(
        "a turn that a Stop hook made go on, whose Stop was lost",
        Evidence(T + 13, run(PROMPT, STOP), entry("idle", 12.1), tail=replace(SENT_ON, at=T + 12, finished_at=T + 12)),
        "idle",
        "",
        "its client is idle and its answer is complete",
        12.0,
    ),
    Case(
        "a turn that a Stop hook made go on, over",
        Evidence(T + 13, run(PROMPT, STOP, (12.0, "Stop", {})), entry("idle", 12.1), tail=SENT_ON),
        "idle",
        "",
        "the hooks and the registry agree",
        12.0,
    ),
    Case(
        "a turn that a Stop hook made go on while a shell runs behind",
        Evidence(T + 10, run(PROMPT, STOP_WITH_SHELL), entry("busy", 1.1), tail=SENT_ON),
        "working",
        "Thinking",
        "the hooks and the registry agree",
        1.0,
    ),
    Case(
        "a turn that a Stop hook made go on, then Escape",
        Evidence(T + 13, run(PROMPT, STOP), entry("idle", 12.1), tail=replace(SENT_ON, interrupted_at=T + 12)),
        "interrupted",
        "",
        "the transcript records an interrupt",
        12.0,
    ),
    Case(
        "a turn that a Stop hook made go on, then Escape before the first token",
        Evidence(T + 13, run(PROMPT, STOP), entry("idle", 12.1), tail=SENT_ON),
        "interrupted",
        "",
        "its client went idle in the middle of a turn",
        12.1,
    ),
    Case(
        "a turn that a Stop hook made go on, then an error whose hook was lost",
        Evidence(T + 13, run(PROMPT, STOP), entry("idle", 12.1), tail=replace(SENT_ON, at=T + 12, error="500")),
        "error",
        "500",
        "the transcript records an API error",
        12.0,
    ),
    Case(
        "a turn that a Stop hook made go on, then kill -9",
        Evidence(T + 13, run(PROMPT, STOP), alive=False, died=T + 12, had_entry=True, tail=SENT_ON),
        "working",
        "Thinking",
        "its process is gone; a SessionEnd may still arrive",
        1.0,
        12.0 + END_DELAY + UNREPORTED,
    ),
    Case(
        "a turn that a slow Stop hook let end",
        Evidence(T + 13, run(PROMPT, STOP), entry("idle", 12.1), tail=Tail(at=T + 9, finished_at=T + 9)),
        "idle",
        "",
        "the hooks and the registry agree",
        9.0,
    ),
    Case(
        "a new turn that no hook reported",
        Evidence(T + 20, run(PROMPT, STOP), entry("busy", 19)),
        "working",
        "Thinking",
        "its client is busy again",
        19.0,
    ),
    Case(
        "a background shell",
        Evidence(T + 20, run(PROMPT, STOP_WITH_SHELL), entry("shell", 9.05)),
        "background",
        "dev server",
        "the hooks and the registry agree",
        9.0,
    ),
    Case(
        "a background shell that was killed",
        Evidence(T + 20, run(PROMPT, STOP_WITH_SHELL), entry("idle", 15)),
        "idle",
        "",
        "its client has no background task left",
        15.0,
    ),
    Case(
        "a background task while the client is busy with it",
        Evidence(T + 20, run(PROMPT, STOP_WITH_SHELL), entry("busy", 1.1)),
        "background",
        "dev server",
        "the turn is over, but something still runs in the background",
        9.0,
    ),
    Case(
        "a shell that no hook reported",
        Evidence(T + 20, run(PROMPT, STOP), entry("shell", 15)),
        "background",
        "a shell",
        "its client runs a background shell",
        15.0,
    ),
    Case(
        "an API error",
        Evidence(T + 20, run(PROMPT, (9.0, "StopFailure", {"facts": {"error": "rate_limit"}})), entry("idle", 9.1)),
        "error",
        "rate_limit",
        "the hooks and the registry agree",
        9.0,
    ),
    Case(
        "a compaction",
        Evidence(T + 9.1, run(PROMPT, STOP, (9.05, "PreCompact", {})), entry("busy", 9.06)),
        "working",
        "Compacting",
        "the hooks and the registry agree",
        9.05,
    ),
    Case(
        "a compaction that was broken off",
        Evidence(T + 20, run(PROMPT, STOP, (9.05, "PreCompact", {})), entry("idle", 12)),
        "idle",
        "",
        "its client is idle, so the compaction is over",
        12.0,
    ),
    Case(
        "a compaction that was just broken off, or is over",
        Evidence(T + 12.1, run(PROMPT, STOP, (9.05, "PreCompact", {})), entry("idle", 12)),
        "working",
        "Compacting",
        "the hooks say so",
        9.05,
        12.6,
    ),
    Case("no hooks, busy", Evidence(T + 20, None, entry("busy", 15)), "working", "", "its client is busy", 15.0),
    Case(
        "no hooks, idle",
        Evidence(T + 20, None, entry("idle", 15), tail=Tail(model="opus", at=T + 14)),
        "idle",
        "",
        "its client is idle",
        15.0,
    ),
    Case(
        "no hooks, a permission",
        Evidence(T + 20, None, entry("waiting", 15, "permission prompt")),
        "permission",
        "permission prompt",
        "its client waits for an answer (permission prompt)",
        15.0,
    ),
    Case(
        "no hooks, a question",
        Evidence(T + 20, None, entry("waiting", 15, "input needed")),
        "question",
        "input needed",
        "its client waits for an answer (input needed)",
        15.0,
    ),
    Case(
        "no hooks, a dialog in a turn",
        Evidence(T + 20, None, entry("waiting", 15, "dialog open"), tail=Tail(calls=frozenset(("u1",)))),
        "input",
        "dialog open",
        "its client waits for an answer (dialog open)",
        15.0,
    ),
    Case(
        "no hooks, a dialog that the person opened",
        Evidence(T + 20, None, entry("waiting", 15, "dialog open")),
        "new",
        "a dialog is open",
        "the person opened a dialog",
        15.0,
    ),
    Case(
        "no hooks, interrupted",
        Evidence(T + 20, None, entry("idle", 15), tail=Tail(interrupted_at=T + 15)),
        "interrupted",
        "",
        "the transcript records an interrupt",
        15.0,
    ),
    Case(
        "no hooks, an API error",
        Evidence(T + 20, None, entry("idle", 15), tail=Tail(error="API Error: 400", at=T + 15)),
        "error",
        "API Error: 400",
        "the transcript records an API error",
        15.0,
    ),
    Case(
        "no hooks, idle before the transcript says why",
        Evidence(T + 15.1, None, entry("idle", 15), tail=Tail(at=T + 14, prompts=(T + 14,))),
        "working",
        "",
        "its client is idle; the transcript may not say yet how the turn ended",
        15.0,
        15.6,
    ),
    Case(
        "no hooks, and the transcript never says why",
        Evidence(T + 20, None, entry("idle", 15), tail=Tail(at=T + 14, prompts=(T + 14,))),
        "interrupted",
        "",
        "its client is idle, and the transcript holds no answer to the newest prompt",
        15.0,
    ),
    Case(
        "no hooks, idle with a complete answer",
        Evidence(T + 15.1, None, entry("idle", 15), tail=Tail(finished_at=T + 14.9, at=T + 14.9)),
        "idle",
        "",
        "its client is idle",
        14.9,
    ),
    Case(
        "a registry of an unknown format",
        Evidence(T + 5, run(PROMPT, CALL), entry(None, 0)),
        "working",
        "Bash: npm publish",
        "the hooks say so",
        1.0,
    ),
    Case(
        "never prompted",
        Evidence(T + 50, run(START), entry("idle", 0.6)),
        "new",
        "",
        "the hooks and the registry agree",
        0.5,
    ),
    Case(
        "never prompted, and its person opens a dialog",
        Evidence(T + 50, run(START), entry("waiting", 9, "dialog open")),
        "new",
        "a dialog is open",
        "the person opened a dialog",
        0.5,
    ),
    Case(
        "never prompted, but busy: its prompt will be reported",
        Evidence(T + 50, run(START), entry("busy", 9)),
        "working",
        "Thinking",
        "its client is busy again",
        9.0,
    ),
    Case(
        "prompted, but no hook said so",
        Evidence(T + 50, run(START), entry("idle", 9), tail=Tail(prompts=(T + 5,), finished_at=T + 9, at=T + 9)),
        "idle",
        "",
        "its client is idle",
        9.0,
    ),
    Case(
        "never prompted, without hooks",
        Evidence(T + 50, None, replace(entry("idle", 9), started=T)),
        "new",
        "",
        "its transcript holds no turn",
        9.0,
    ),
    Case(
        "resumed, without hooks",
        Evidence(
            T + 50, None, replace(entry("idle", 0.1), started=T), tail=Tail(model="opus", finished_at=T - 9, at=T - 9)
        ),
        "idle",
        "",
        "its client is idle",
        0.1,
    ),
    Case("just started", Evidence(T + 5, None, entry(None, 0)), "new", "", "its client has just started", 0.0),
    Case(
        "an unheard client of an older version that was prompted",
        Evidence(T + 5, None, entry(None, 0), tail=Tail(prompts=(T,), finished_at=T + 1, at=T + 1)),
        "idle",
        "",
        "its client has just started",
        0.0,
    ),
    Case(
        "no registry, an interrupt in the transcript",
        Evidence(T + 5, run(PROMPT, CALL), tail=Tail(interrupted_at=T + 4)),
        "interrupted",
        "Bash: npm publish",
        "the transcript records an interrupt",
        4.0,
    ),
    Case(
        "no registry, an interrupt of an earlier turn",
        Evidence(T + 5, run(PROMPT, CALL), tail=Tail(interrupted_at=T)),
        "working",
        "Bash: npm publish",
        "the hooks say so",
        1.0,
    ),
    Case(
        "killed",
        Evidence(T + 5, run(PROMPT, CALL), alive=False, died=T + 4.9, had_entry=True, left_behind=True),
        "crashed",
        "Bash: npm publish",
        "its process is gone and no SessionEnd was received",
        4.9,
    ),
    Case(
        "killed, and resumed elsewhere",
        Evidence(T + 5, run(PROMPT, CALL), alive=False, died=T + 4.9, left_behind=True, went_on=True),
        "ended",
        "",
        "its process is gone, and its session or its process had gone on elsewhere",
        4.9,
    ),
    Case(
        "gone, without a registry, a SessionEnd may still arrive",
        Evidence(T + 5, run(PROMPT, STOP), alive=False, died=T + 4.9),
        "idle",
        "",
        "its process is gone; a SessionEnd may still arrive",
        9.0,
        6.9,
    ),
    Case(
        "exited without a SessionEnd",
        Evidence(T + 5, run(PROMPT, STOP), alive=False, died=T + 4.9, had_entry=True),
        "ended",
        "",
        "its client has exited",
        4.9,
    ),
    Case(
        "gone, and never in the registry",
        Evidence(T + 9, run(PROMPT, CALL), alive=False, died=T + 4.9),
        "crashed",
        "Bash: npm publish",
        "its process is gone and no SessionEnd was received",
        4.9,
    ),
    Case(
        "gone in the middle of its turn, whose hooks may be late",
        Evidence(T + 8, run(PROMPT, CALL), alive=False, died=T + 5, had_entry=True),
        "working",
        "Bash: npm publish",
        "its process is gone; a SessionEnd may still arrive",
        1.0,
        5 + END_DELAY + UNREPORTED,
    ),
    Case(
        "gone in the middle of its turn, without a SessionEnd",
        Evidence(T + 10, run(PROMPT, CALL), alive=False, died=T + 4.9, had_entry=True),
        "crashed",
        "Bash: npm publish",
        "its process is gone and no SessionEnd was received",
        4.9,
    ),
    *(
        Case(
            f"gone after its turn, whose end only the transcript tells: {how}",
            Evidence(T + 10, run(PROMPT, CALL), alive=False, died=T + 4.9, had_entry=True, tail=tail),
            "ended",
            "",
            "its client has exited",
            4.9,
        )
        for how, tail in {
            "an answer": Tail(at=T + 4, finished_at=T + 4),
            "an interrupt": Tail(at=T + 4, interrupted_at=T + 4),
            "an error": Tail(at=T + 4, error="500"),
            "a prompt that no hook reported": Tail(at=T + 4, prompts=(T + 4,)),
        }.items()
    ),
    Case(
        "gone in the middle of its turn, after an answer of the turn before",
        Evidence(T + 10, run(PROMPT, CALL), alive=False, died=T + 4.9, had_entry=True, tail=Tail(at=T, finished_at=T)),
        "crashed",
        "Bash: npm publish",
        "its process is gone and no SessionEnd was received",
        4.9,
    ),
    Case(
        "its process runs another session",
        Evidence(T + 20, run(PROMPT, STOP), moved_on=True),
        "ended",
        "",
        "its client now runs another session",
        9.0,
    ),
    Case(
        "a SessionEnd, and its process is gone",
        Evidence(T + 10, run(PROMPT, STOP, END), alive=False, died=T + 9.9, had_entry=True),
        "ended",
        "other",
        "it ended normally",
        9.5,
    ),
    Case(
        "its process is gone, and another client has its pid",
        Evidence(T + 20, run(PROMPT, CALL), alive=False, died=T + 4.9, moved_on=True),
        "crashed",
        "Bash: npm publish",
        "its process is gone and no SessionEnd was received",
        4.9,
    ),
    Case(
        "nothing is known",
        Evidence(T + 5),
        "new",
        "",
        "its client has just started",
        5.0,
    ),
    Case(
        "just started, and when is known",
        Evidence(T + 5, None, replace(entry(None, 0), status_since=0.0, started=T + 3)),
        "new",
        "",
        "its client has just started",
        3.0,
    ),
    Case(
        "its process runs another session, its last event may still arrive",
        Evidence(T + 10, run(PROMPT, STOP), moved_on=True),
        "idle",
        "",
        "the hooks say so",
        9.0,
        11.0,
    ),
    Case(
        "its process runs another session, a request on its screen before",
        Evidence(T + 4, run(PROMPT, CALL, ASK), moved_on=True),
        "working",
        "Bash: npm publish",
        "the hooks say so",
        1.0,
        4.1,
    ),
    Case(
        "its process runs another session, and the wait is over",
        Evidence(T + 9.0 + END_DELAY, run(PROMPT, STOP), moved_on=True),
        "ended",
        "",
        "its client now runs another session",
        9.0,
    ),
    Case(
        "no hooks, a dialog of which the registry says nothing",
        Evidence(T + 20, None, entry("waiting", 15)),
        "input",
        "",
        "its client waits for an answer (to an unknown dialog)",
        15.0,
    ),
    Case(
        "a dialog as old as the newest event",
        Evidence(T + 2.1, run(PROMPT, CALL), entry("waiting", 2.0, "permission prompt")),
        "working",
        "Bash: npm publish",
        "a dialog is open; its hook has not reported yet what it asks",
        1.0,
        2.2,
    ),
    Case(
        "a dialog after the prompt, at the end of the grace for the newest event",
        Evidence(T + 30, run(PROMPT, CALL), at(entry("waiting", 0, "dialog open"), T + 2.0 + GRACE), own_dialog=True),
        "input",
        "Bash: npm publish",
        "its client waits for an answer (dialog open)",
        2.6,
    ),
    Case(
        "of two requests, the older one",
        Evidence(T + 5, reversed_requests(run(PROMPT, ASK, ASK_LATER)), entry("waiting", 2.2, "permission prompt")),
        "permission",
        "Bash: npm publish",
        "it asked, and its dialog is open",
        2.1,
    ),
    Case(
        "a turn that began after the client went idle",
        Evidence(T + 1.2, run(PROMPT), entry("idle", 0.5)),
        "working",
        "Thinking",
        "the hooks say so; the registry has not caught up yet",
        1.0,
    ),
    Case(
        "a turn that began when the client went idle",
        Evidence(T + 1.2, run(PROMPT), entry("idle", 1.0)),
        "working",
        "Thinking",
        "its client is idle; a Stop may still arrive",
        1.0,
        1.6,
    ),
    Case(
        "an escape, and a shell runs in the background",
        Evidence(T + 5, run(PROMPT, CALL), entry("shell", 4.0)),
        "interrupted",
        "Bash: npm publish",
        "its client went idle in the middle of a turn",
        4.0,
    ),
    Case(
        "an interrupt in the transcript, at the beginning of the grace",
        Evidence(T + 9, run(PROMPT), entry("idle", 4.0), tail=Tail(interrupted_at=T + 4.0 - GRACE)),
        "interrupted",
        "",
        "the transcript records an interrupt",
        3.4,
    ),
    Case(
        "an answer that was complete before the newest event of its turn",
        Evidence(T + 9, run(PROMPT, CALL), entry("idle", 4.0), tail=Tail(finished_at=T + 1.5)),
        "idle",
        "",
        "its client is idle and its answer is complete",
        1.5,
    ),
    Case(
        "an answer that was complete when its turn began",
        Evidence(T + 9, run(PROMPT), entry("idle", 4.0), tail=Tail(finished_at=T + 1.0)),
        "idle",
        "",
        "its client is idle and its answer is complete",
        1.0,
    ),
    Case(
        "an answer that was complete before a turn whose beginning is not known",
        Evidence(T + 9, without_start(run(PROMPT, CALL)), entry("idle", 4.0), tail=Tail(finished_at=T + 1.5)),
        "interrupted",
        "Bash: npm publish",
        "its client went idle in the middle of a turn",
        4.0,
    ),
    Case(
        "a background shell that was just killed",
        Evidence(T + 15.2, run(PROMPT, STOP_WITH_SHELL), entry("idle", 15)),
        "background",
        "dev server",
        "the hooks say so",
        9.0,
        15.6,
    ),
    Case(
        "a background shell that was killed, at the end of the grace",
        Evidence(T + 15 + GRACE, run(PROMPT, STOP_WITH_SHELL), entry("idle", 15)),
        "idle",
        "",
        "its client has no background task left",
        15.0,
    ),
    Case(
        "no hooks, a background shell",
        Evidence(T + 20, None, entry("shell", 15)),
        "background",
        "a shell",
        "its client runs a background shell",
        15.0,
    ),
    Case(
        "a Stop while the client became busy",
        Evidence(T + 9.1, run(PROMPT, STOP), entry("busy", 9.0)),
        "working",
        "Thinking",
        "a Stop was received; a hook may send it on",
        9.0,
    ),
    Case(
        "a request, and a reminder of it",
        Evidence(T + 8.3, run(PROMPT, CALL, ASK, REMINDED), entry("busy", 1.0)),
        "permission",
        "Bash: npm publish",
        "it asked, and a reminder shows that its dialog is open",
        2.1,
    ),
    Case(
        "a request, and a notification too early to be a reminder of it",
        Evidence(T + 8.3, run(PROMPT, CALL, ASK, (3.0, *REMINDED[1:])), entry("busy", 1.0)),
        "working",
        "Bash: npm publish",
        "its client stayed busy, so the request needed no answer",
        1.0,
    ),
    Case(
        "a request, and a notification just too early to be a reminder of it",
        Evidence(T + 8.3, run(PROMPT, (2.0, *ASK[1:]), (2.0 + REMINDER, *REMINDED[1:])), entry("busy", 1.0)),
        "working",
        "Thinking",
        "its client stayed busy, so the request needed no answer",
        1.0,
    ),
    Case(
        "a request in a client that became busy at the same time, and a reminder of it",
        Evidence(T + 8.3, run(PROMPT, ASK, REMINDED), entry("busy", 2.1)),
        "working",
        "Thinking",
        "its client stayed busy, so the request needed no answer",
        1.0,
    ),
    Case(
        "a request in a turn whose beginning is not known",
        Evidence(T + 5, without_start(run(PROMPT, ASK)), entry("busy", 1.0)),
        "working",
        "Thinking",
        "its client stayed busy, so the request needed no answer",
        2.1,
    ),
    Case(
        "no registry, an interrupt when the turn began",
        Evidence(T + 5, run(PROMPT), tail=Tail(interrupted_at=T + 1.0)),
        "interrupted",
        "",
        "the transcript records an interrupt",
        1.0,
    ),
    Case(
        "no registry, an interrupt in the transcript of a turn that ended",
        Evidence(T + 20, run(PROMPT, STOP), tail=Tail(interrupted_at=T + 8)),
        "idle",
        "",
        "the hooks say so",
        9.0,
    ),
    Case(
        "a registry of an unknown format, an interrupt in the transcript",
        Evidence(T + 5, run(PROMPT, CALL), entry(None, 0), tail=Tail(interrupted_at=T + 4)),
        "interrupted",
        "Bash: npm publish",
        "the transcript records an interrupt",
        4.0,
    ),
    Case(
        "a request refused with words, then another one",
        Evidence(T + 9, REFUSED, entry("waiting", 8.12, "permission prompt"), tail=Tail(results=frozenset(("u1",)))),
        "permission",
        "Bash: touch right.txt",
        "it asked, and its dialog is open",
        8.1,
    ),
    Case(
        "a request refused with words, then another one, the transcript behind",
        Evidence(T + 9, REFUSED, entry("waiting", 8.12, "permission prompt")),
        "permission",
        "Bash: touch right.txt",
        "it asked, and its dialog is open",
        8.1,
    ),
    Case(
        "a request refused with words, then a dialog that no hook reported",
        Evidence(
            T + 30,
            run(PROMPT, CALL, ASK, (8.0, "PreToolUse", RIGHT)),
            entry("waiting", 8.1, "permission prompt"),
            tail=Tail(results=frozenset(("u1",))),
        ),
        "permission",
        "Bash: touch right.txt",
        "its client waits for an answer (permission prompt)",
        8.1,
    ),
    Case(
        "a request of a subagent, given and still running, then one of another subagent",
        Evidence(T + 12, TWO_AGENTS, entry("waiting", 9.12, "permission prompt")),
        "permission",
        "Bash: touch right.txt",
        "it asked, and its dialog is open",
        9.1,
    ),
    Case(
        "a picker after Escape, at the first look",
        Evidence(T + 30, run(PROMPT, CALL), entry("waiting", 20, "dialog open"), tail=Tail(interrupted_at=T + 10)),
        "interrupted",
        "Bash: npm publish",
        "its client went idle in the middle of a turn; the person opened a dialog",
        10.0,
    ),
    Case(
        "a picker after Escape before the first token, at the first look",
        Evidence(T + 30, run(PROMPT), entry("waiting", 20, "dialog open")),
        "interrupted",
        "a dialog is open",
        "its client went idle in the middle of a turn; the person opened a dialog",
        20.0,
    ),
    Case(
        "a picker after a turn whose Stop was lost",
        Evidence(T + 30, run(PROMPT), entry("waiting", 20, "dialog open"), tail=Tail(finished_at=T + 9)),
        "idle",
        "a dialog is open",
        "its client is idle and its answer is complete; the person opened a dialog",
        9.0,
    ),
    Case(
        "a picker after an API error whose StopFailure was lost",
        Evidence(T + 30, run(PROMPT), entry("waiting", 20, "dialog open"), tail=Tail(error="overloaded", at=T + 9)),
        "error",
        "overloaded",
        "the transcript records an API error; the person opened a dialog",
        9.0,
    ),
    Case(
        "a picker after a compaction that was broken off",
        Evidence(T + 30, run(PROMPT, STOP, (9.05, "PreCompact", {})), entry("waiting", 20, "dialog open")),
        "idle",
        "a dialog is open",
        "the person opened a dialog",
        20.0,
    ),
    Case(
        "no hooks, a picker at the first look",
        Evidence(
            T + 20, None, entry("waiting", 15, "dialog open"), tail=Tail(at=T + 14, finished_at=T + 14, prompts=(T,))
        ),
        "idle",
        "a dialog is open",
        "the person opened a dialog",
        14.0,
    ),
    Case(
        "no hooks, a picker after Escape",
        Evidence(T + 20, None, entry("waiting", 15, "dialog open"), tail=Tail(at=T + 14, interrupted_at=T + 14)),
        "interrupted",
        "a dialog is open",
        "the person opened a dialog",
        14.0,
    ),
    Case(
        "a dialog after a turn, its hook may still report",
        Evidence(T + 20.1, run(PROMPT, STOP), entry("waiting", 20, "permission prompt")),
        "working",
        "Thinking",
        "a dialog is open; its hook has not reported yet what it asks",
        20.0,
        20.2,
    ),
    Case(
        "a dialog while a subagent runs behind, its hook may still report",
        Evidence(T + 20.1, run(PROMPT, AGENT, STOP_WITH_AGENT), entry("waiting", 20, "permission prompt")),
        "background",
        "1 subagent",
        "a dialog is open; its hook has not reported yet what it asks",
        9.0,
        20.2,
    ),
    Case(
        "a new turn that no hook has reported so far",
        Evidence(T + 21, run(PROMPT, STOP), entry("busy", 20.1), tail=PROMPTED),
        "working",
        "Thinking",
        "its client is busy again",
        20.1,
        22.5,
    ),
    Case(
        "silent hooks, just before they count as silent",
        Evidence(T + 22.3, run(PROMPT, STOP_WITH_SHELL), entry("idle", 22.2), tail=PROMPTED),
        "background",
        "dev server",
        "the hooks say so",
        9.0,
        22.5,
    ),
    Case(
        "silent hooks, and something else to ask again for before",
        Evidence(T + 20.3, run(PROMPT, STOP_WITH_SHELL), entry("idle", 20.25), tail=PROMPTED),
        "background",
        "dev server",
        "the hooks say so",
        9.0,
        20.85,
    ),
    Case(
        "silent hooks, busy, as soon as they count as silent",
        Evidence(T + 20 + UNREPORTED, run(PROMPT, STOP), entry("busy", 20.1), tail=PROMPTED),
        "working",
        "",
        "its client is busy",
        20.1,
    ),
    Case(
        "silent hooks, idle",
        Evidence(T + 30, INTERRUPTED, entry("idle", 25), tail=replace(PROMPTED, at=T + 25, finished_at=T + 25)),
        "idle",
        "",
        "its client is idle",
        25.0,
    ),
    Case(
        "silent hooks, interrupted",
        Evidence(T + 30, run(PROMPT, STOP), entry("idle", 25), tail=replace(PROMPTED, interrupted_at=T + 25)),
        "interrupted",
        "",
        "the transcript records an interrupt",
        25.0,
    ),
    Case(
        "silent hooks, an API error",
        Evidence(T + 30, run(PROMPT, CALL), entry("idle", 25), tail=replace(PROMPTED, error="overloaded")),
        "error",
        "overloaded",
        "the transcript records an API error",
        20.0,
    ),
    Case(
        "silent hooks, a permission, after a request that the hooks reported long ago",
        Evidence(T + 30, run(PROMPT, CALL, ASK), entry("waiting", 25, "permission prompt"), tail=PROMPTED),
        "permission",
        "permission prompt",
        "its client waits for an answer (permission prompt)",
        25.0,
    ),
    Case(
        "silent hooks, a picker",
        Evidence(T + 30, run(PROMPT, CALL), entry("waiting", 25, "dialog open"), tail=replace(PROMPTED, finished_at=T)),
        "idle",
        "a dialog is open",
        "the person opened a dialog",
        0.0,
    ),
    Case(
        "a client that is exiting",
        Evidence(T + 10, run(PROMPT, STOP), alive=True, left=T + 9.8),
        "idle",
        "",
        "its client is exiting",
        9.0,
        11.8,
    ),
    Case(
        "a client that is exiting, a request on its screen",
        Evidence(T + 5, run(PROMPT, CALL, ASK), alive=True, left=T + 4.5),
        "working",
        "Bash: npm publish",
        "its client is exiting",
        1.0,
        6.5,
    ),
    Case(
        "a client that left the registry and does not exit",
        Evidence(T + 9.8 + END_DELAY, run(PROMPT, STOP), alive=True, left=T + 9.8),
        "idle",
        "",
        "the hooks say so",
        9.0,
    ),
    Case(
        "an unheard client that is exiting",
        Evidence(T + 10, alive=True, left=T + 9.8),
        "new",
        "",
        "its client has just started",
        10.0,
    ),
    Case(
        "a client that is back in the registry",
        Evidence(T + 10, run(PROMPT, STOP), entry("idle", 9.1), left=T + 9.8),
        "idle",
        "",
        "the hooks and the registry agree",
        9.0,
    ),
    Case(
        "a busy subagent that hides an interrupt",
        Evidence(
            T + 30,
            run(PROMPT, AGENT, STOP_WITH_AGENT, (20.0, *PROMPT[1:]), (21.0, *CALL[1:])),
            entry("busy", 1.1),
            tail=Tail(interrupted_at=T + 25),
        ),
        "interrupted",
        "Bash: npm publish",
        "the transcript records an interrupt; a subagent keeps its client busy",
        25.0,
    ),
    Case(
        "no hooks, an interrupt while a subagent keeps the client busy",
        Evidence(T + 30, None, entry("busy", 15), tail=Tail(interrupted_at=T + 25)),
        "interrupted",
        "",
        "the transcript records an interrupt; a subagent keeps its client busy",
        25.0,
    ),
    Case(
        "no hooks, an interrupt before a client became busy again",
        Evidence(T + 30, None, entry("busy", 15), tail=Tail(interrupted_at=T + 14)),
        "working",
        "",
        "its client is busy",
        15.0,
    ),
    Case(
        "an API error while a subagent keeps the client busy, whose hook was lost",
        Evidence(T + 30, run(PROMPT, AGENT), entry("busy", 1.1), tail=Tail(error="overloaded", at=T + 25)),
        "error",
        "overloaded",
        "the transcript records an API error; a subagent keeps its client busy",
        25.0,
    ),
    Case(
        "an interrupt in a turn without subagents, the registry behind",
        Evidence(T + 5.1, run(PROMPT, CALL), entry("busy", 4.8), tail=Tail(interrupted_at=T + 5)),
        "working",
        "Bash: npm publish",
        "the hooks and the registry agree",
        1.0,
        4.8 + GRACE,
    ),
    Case(
        "an interrupt as the client became busy, and no subagent was heard",
        Evidence(T + 5 + GRACE, run(PROMPT), entry("busy", 4.9375), tail=Tail(interrupted_at=T + 5)),
        "interrupted",
        "",
        "the transcript records an interrupt; a subagent keeps its client busy",
        5.0,
    ),
    Case(
        "no hooks, an API error while a subagent keeps the client busy",
        Evidence(T + 30, None, entry("busy", 15), tail=Tail(error="overloaded", at=T + 25)),
        "error",
        "overloaded",
        "the transcript records an API error; a subagent keeps its client busy",
        25.0,
    ),
    Case(
        "an answer of a turn while a subagent keeps the client busy",
        Evidence(T + 30, run(PROMPT, AGENT, CALL), entry("busy", 1.1), tail=Tail(finished_at=T + 25, at=T + 25)),
        "working",
        "Bash: npm publish",
        "the hooks and the registry agree",
        1.0,
    ),
    Case(
        "an interrupt before a client became busy again",
        Evidence(T + 30, run(PROMPT, CALL), entry("busy", 20), tail=Tail(interrupted_at=T + 19)),
        "working",
        "Bash: npm publish",
        "the hooks and the registry agree",
        1.0,
    ),
    Case(
        "no hooks, and the transcript is that of an earlier client",
        Evidence(T + 20, None, started(10.0), tail=Tail(at=T + 9, interrupted_at=T + 9)),
        "idle",
        "",
        "its client is idle",
        15.0,
    ),
    Case(
        "no hooks, and the transcript is as old as the client",
        Evidence(T + 20, None, started(10.0), tail=Tail(at=T + 10, interrupted_at=T + 10)),
        "interrupted",
        "",
        "the transcript records an interrupt",
        10.0,
    ),
    Case(
        "no hooks, no transcript, and when the client started is known",
        Evidence(T + 20, None, started(10.0), tail=Tail(interrupted_at=T + 12)),
        "idle",
        "",
        "its client is idle",
        15.0,
    ),
    Case(
        "no hooks, an unanswered prompt and a shell in the background",
        Evidence(T + 20, None, entry("shell", 15), tail=Tail(at=T + 14, prompts=(T + 14,))),
        "interrupted",
        "",
        "its client is idle, and the transcript holds no answer to the newest prompt",
        15.0,
    ),
    Case(
        "no hooks, an unanswered prompt, and a dialog that the person closed",
        Evidence(T + 15.1, None, entry("idle", 15), own_dialog=True, tail=Tail(at=T + 4, prompts=(T + 4,))),
        "interrupted",
        "",
        "its client is idle, and the transcript holds no answer to the newest prompt",
        15.0,
    ),
    Case(
        "a shell of a turn that no hook has reported yet",
        Evidence(T + 21, run(PROMPT, STOP), entry("shell", 20.5), tail=PROMPTED),
        "idle",
        "",
        "the hooks and the registry agree",
        9.0,
        20 + UNREPORTED,
    ),
    Case(
        "a subagent of a turn whose prompt has not been reported yet",
        Evidence(T + 12, run(PROMPT, STOP, (11.5, "SubagentStart", ONE)), entry("busy", 11)),
        "working",
        "Thinking",
        "its client is busy again",
        11.0,
    ),
    Case(
        "no hooks, an unanswered prompt at the end of the grace",
        Evidence(T + 15 + GRACE, None, entry("idle", 15), tail=Tail(at=T + 14, prompts=(T + 14,))),
        "interrupted",
        "",
        "its client is idle, and the transcript holds no answer to the newest prompt",
        15.0,
    ),
    Case(
        "an API error beside a subagent, and a later end in the transcript",
        Evidence(T + 40, run(PROMPT, AGENT, FAILURE), entry("busy", 1.1), tail=Tail(finished_at=T + 25)),
        "background",
        "1 subagent",
        "the transcript records a later end",
        1.0,
    ),
    Case(
        "an API error beside a subagent, and an end in the transcript that may be an earlier one",
        Evidence(T + 9.1, run(PROMPT, AGENT, FAILURE), entry("busy", 1.1), tail=Tail(finished_at=T + 5)),
        "error",
        "rate_limit",
        "the hooks say so; the registry has not caught up yet",
        9.0,
        9 + GRACE,
    ),
    Case(
        "an API error, and a later end in the transcript",
        Evidence(T + 40, FAILED, entry("idle", 30), tail=Tail(finished_at=T + 25)),
        "idle",
        "",
        "the transcript records a later end",
        30.0,
    ),
    Case(
        "an interrupt, and a later end in the transcript",
        Evidence(T + 40, INTERRUPTED, entry("idle", 30), tail=Tail(finished_at=T + 25)),
        "idle",
        "",
        "the transcript records a later end",
        30.0,
    ),
    Case(
        "an API error, and an answer in the transcript, which may be behind",
        Evidence(T + 9.5, FAILED, entry("idle", 9.1), tail=Tail(finished_at=T + 8)),
        "error",
        "rate_limit",
        "the hooks and the registry agree",
        9.0,
        9.6,
    ),
    Case(
        "an API error that was reported late, after a compaction",
        Evidence(T + 9 + GRACE, FAILED, entry("idle", 8.2), tail=Tail(finished_at=T + 8)),
        "idle",
        "",
        "the transcript records a later end",
        8.2,
    ),
    Case(
        "an API error, and one in the transcript",
        Evidence(T + 40, FAILED, entry("idle", 30), tail=Tail(error="rate_limit", finished_at=T + 25)),
        "error",
        "rate_limit",
        "the hooks and the registry agree",
        9.0,
    ),
    Case(
        "a turn that is over, and a later end in the transcript",
        Evidence(T + 40, run(PROMPT, STOP), entry("idle", 30), tail=Tail(finished_at=T + 25)),
        "idle",
        "",
        "the hooks and the registry agree",
        9.0,
    ),
    Case(
        "a compaction that the transcript says is over",
        Evidence(T + 12.1, COMPACTING, entry("idle", 12), tail=Tail(finished_at=T + 9.05)),
        "idle",
        "",
        "its client is idle, so the compaction is over",
        12.0,
    ),
    Case(
        "a compaction, and the end of an earlier turn in the transcript",
        Evidence(T + 12.1, COMPACTING, entry("idle", 12), tail=Tail(finished_at=T + 9.0)),
        "working",
        "Compacting",
        "the hooks say so",
        9.05,
        12.6,
    ),
    Case(
        "an interrupt that let a queued prompt begin, which ends in silence",
        Evidence(T + 30, run(PROMPT, (6.0, *PROMPT[1:])), entry("idle", 9), tail=Tail(interrupted_at=T + 5, at=T + 5)),
        "interrupted",
        "",
        "its client went idle in the middle of a turn",
        9.0,
    ),
    Case(
        "an interrupt as old as the newest event of its turn",
        Evidence(T + 9.1, run(PROMPT, (6.0, *PROMPT[1:])), entry("idle", 9), tail=Tail(interrupted_at=T + 6)),
        "interrupted",
        "",
        "the transcript records an interrupt",
        6.0,
    ),
    Case(
        "an interrupt just before an event that came with it",
        Evidence(T + 4.1, run(PROMPT, (3.8, *CALL[1:])), entry("idle", 4), tail=Tail(interrupted_at=T + 4 - GRACE)),
        "interrupted",
        "Bash: npm publish",
        "the transcript records an interrupt",
        3.4,
    ),
    Case(
        "an interrupt too long before the newest event to be of it",
        Evidence(T + 4.1, run(PROMPT, (3.8, *CALL[1:])), entry("idle", 4), tail=Tail(interrupted_at=T + 3.3)),
        "working",
        "Bash: npm publish",
        "its client is idle; a Stop may still arrive",
        1.0,
        4.6,
    ),
    Case(
        "a complete answer, and its Stop is due",
        Evidence(T + 4.5, run(PROMPT), entry("idle", 4), tail=Tail(finished_at=T + 3.85, at=T + 3.85)),
        "idle",
        "",
        "its client is idle and its answer is complete",
        3.85,
    ),
    Case(
        "a complete answer, and its Stop may still arrive",
        Evidence(T + 4.5, run(PROMPT), entry("idle", 4), tail=Tail(finished_at=T + 3.9, at=T + 4.5 - GRACE)),
        "working",
        "Thinking",
        "its client is idle; a Stop may still arrive",
        1.0,
        4.6,
    ),
    Case(
        "an API error whose StopFailure was lost",
        Evidence(T + 5, run(PROMPT), entry("idle", 4), tail=Tail(error="overloaded", at=T + 4)),
        "error",
        "overloaded",
        "the transcript records an API error",
        4.0,
    ),
    Case(
        "a background task that was heard when the client became busy with a prompt",
        Evidence(T + 20, run(PROMPT, STOP_WITH_SHELL), entry("busy", 15)),
        "working",
        "Thinking",
        "its client is busy again",
        15.0,
    ),
    Case(
        "a subagent that keeps its client busy after the turn",
        Evidence(T + 20, run(PROMPT, AGENT, STOP_WITH_AGENT), entry("busy", 15)),
        "background",
        "1 subagent",
        "the turn is over, but something still runs in the background",
        9.0,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_verdict_on(case: Case) -> None:
    found = verdict(case.evidence)
    assert found._replace(since=round(found.since, 3)) == case.verdict


@pytest.mark.parametrize("evidence", [case.evidence for case in CASES], ids=[case.name for case in CASES])
def test_a_verdict_that_time_may_change_says_when_to_ask_again_and_settles_after_two_looks(evidence: Evidence) -> None:
    looks = 0
    while (again := verdict(evidence).again) is not None:
        assert again > evidence.now
        evidence = replace(evidence, now=again)
        looks += 1

    assert looks <= 2


def test_a_compaction_that_was_broken_off_is_over_after_the_grace() -> None:
    compacting = Evidence(T + 12.1, run(PROMPT, STOP, (9.05, "PreCompact", {})), entry("idle", 12))

    assert verdict(compacting).again == T + 12 + GRACE
    assert verdict(replace(compacting, now=T + 12 + GRACE)).status == "idle"


@pytest.mark.parametrize(
    ("dialog", "status"),
    [
        ("permission prompt", "permission"),
        ("sandbox request", "permission"),
        ("worker request", "permission"),
        ("input needed", "question"),
        ("dialog open", "input"),
        ("goal proposal", "input"),
        ("anything else", "input"),
    ],
)
def test_a_dialog_that_no_hook_explains_has_the_status_of_its_kind(dialog: str, status: str) -> None:
    calling = Tail(calls=frozenset(("u1",)))
    assert verdict(Evidence(T + 20, None, entry("waiting", 15, dialog), tail=calling)).status == status


TOOLS = {"permission": "Bash", "plan": "ExitPlanMode", "question": "AskUserQuestion"}
ALL_KINDS = ["permission", "plan", "question", "input"]


@pytest.mark.parametrize(
    ("dialog", "kinds"),
    [
        ("permission prompt", ["permission", "plan"]),
        ("worker request", ["permission", "plan"]),
        ("input needed", ["question", "input"]),
        ("dialog open", ["input"]),
        ("sandbox request", ALL_KINDS),
        ("anything else", ALL_KINDS),
    ],
)
def test_a_dialog_belongs_only_to_a_request_that_it_can_be_for(dialog: str, kinds: list[str]) -> None:
    asked = {kind: (2.0, "PermissionRequest", {"tool": tool, "subject": "x"}) for kind, tool in TOOLS.items()}
    asked["input"] = (2.0, "Elicitation", {"facts": {"message": "x"}})
    reasons = {
        kind: verdict(Evidence(T + 20, run(PROMPT, asked[kind]), entry("waiting", 2.1, dialog))).reason
        for kind in ALL_KINDS
    }
    assert [kind for kind in ALL_KINDS if reasons[kind] == "it asked, and its dialog is open"] == kinds


def test_a_run_with_events_of_a_subagent_alone_has_no_newest_event_of_its_main_loop() -> None:
    """Any change in the registry is newer then: even one in the first second of 1970."""
    heard = run(PROMPT, STOP_WITH_SHELL)
    del heard["turn_at"]
    old = at(entry("idle", 0), 0.5)
    assert verdict(Evidence(T + 20, heard, old)) == Verdict("idle", "", "its client has no background task left", 0.5)


def test_a_dialog_is_not_guessed_before_its_hook_had_time_to_report() -> None:
    early = Evidence(T + 2.15, run(PROMPT, CALL), entry("waiting", 2.1, "permission prompt"))
    found = verdict(early)

    assert (found.status, found.again) == ("working", T + 2.1 + HOOK_DELAY)
    assert verdict(replace(early, run=run(PROMPT, CALL, ASK))).status == "permission"
    assert verdict(replace(early, now=T + 2.1 + HOOK_DELAY)).status == "permission"


def test_a_request_of_a_subagent_after_the_turn_is_a_request_of_the_session() -> None:
    agent = {"agent": "a1", "agent_type": "Explore"}
    asked = run(PROMPT, (2.0, "SubagentStart", agent), STOP, (9.5, "PermissionRequest", {**BASH, **agent}))
    waiting, approved = entry("waiting", 9.52, "permission prompt"), entry("busy", 11.0)

    assert verdict(Evidence(T + 10, asked, waiting)).status == "permission"
    assert verdict(Evidence(T + 12, asked, approved)).status in ("background", "working")


def test_the_graces_are_short_enough_for_a_right_verdict_within_a_second() -> None:
    assert GRACE < 0.8
    assert END_DELAY > 1.5  # a SessionEnd may take 1.5 s
