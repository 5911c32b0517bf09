"""List the situations of a turn: it runs, is interrupted, fails, or leaves something running behind."""

import signal

from tests.client.situations.phrases import BEFORE_TOKEN, CUT, HELLO, IN_STREAM, IN_TOOL, OVER, THOUGHT, session
from tests.client.stage import (
    answer,
    at_limit,
    later,
    press,
    prompt,
    say,
    see,
    send,
    shown,
    situation,
    start,
    start_with_subscription,
)

TURNS = (
    session("a new session", see("new", hold=2)),
    session("a new session that is killed", see("new"), send(signal.SIGKILL), see("crashed", hold=2)),
    session("a plain turn", *THOUGHT),
    session(
        "a tool runs",
        say("longbash", 3),
        see("working", "Bash", once="time.sleep"),
        see("idle", once="Finished scenario"),
    ),
    session("a tool fails", say("toolfail"), see("idle", once="Finished scenario")),
    session("tools side by side", say("batch"), see("idle", once="Finished scenario")),
    session("a task list", say("tasks"), see("idle", once="Finished scenario")),
    session("a shell command of the person", prompt("! echo by-hand"), see("idle", once="Nothing was asked by name.")),
    session("a changed directory", say("cd"), see("permission", once="Do you want to proceed?"), answer("1"), *OVER),
    session(
        "a prompt queued behind a tool",
        say("longbash", 10),
        see("working", "Bash", once="time.sleep"),
        prompt("SCENARIO:plain second"),
        see("working"),
        see("idle", once="Hello from the scripted model."),
    ),
    session("a renamed session", *HELLO, prompt("/rename my-own-name"), see("idle", once="Session renamed", hold=1.5)),
)

CUT_SHORT = (
    session("Escape in a tool, then a new prompt", *IN_TOOL, press("Escape"), *CUT, *HELLO),
    session("Ctrl+C in a tool", *IN_TOOL, press("C-c"), *CUT),
    session("Escape while it streams", *IN_STREAM, press("Escape"), *CUT),
    session("Ctrl+C while it streams", *IN_STREAM, press("C-c"), *CUT),
    session("Escape before the first token", *BEFORE_TOKEN, press("Escape"), *CUT),
    session("Ctrl+C before the first token", *BEFORE_TOKEN, press("C-c"), *CUT),
    session("Escape in the second turn", *HELLO, *BEFORE_TOKEN, press("Escape"), *CUT),
)

BEHIND = (
    session("a subagent", say("task"), shown("finished"), *OVER),
    session(
        "a subagent in the background",
        say("taskbg", 4),
        see("background", once="Waiting for 1 background agent", hold=2),
        shown("finished"),
        *OVER,
    ),
    session(
        "a subagent asks after the turn is over",
        say("taskperm"),
        see("permission", "touch made.txt", once="Do you want to proceed?", hold=8),
        answer("1"),
        shown("finished"),
        *OVER,
    ),
    session(
        "a subagent is denied",
        say("taskperm"),
        see("permission", once="Do you want to proceed?"),
        answer("4"),
        shown("finished"),
        *OVER,
    ),
    session(
        "a shell in the background",
        say("bgbash", 4),
        see("background", once="Started it.", hold=2),
        shown("completed"),
        *OVER,
    ),
    session(
        "Escape with a shell behind",
        say("bgbash", 20),
        see("background", once="Started it."),
        *BEFORE_TOKEN,
        press("Escape"),
        *CUT,
    ),
    session(
        "a command sent behind by Ctrl+B",
        say("longbash", 12),
        shown("ctrl+b"),
        press("C-b"),
        see("background", once="Finished scenario"),
    ),
    session(
        "subagents stopped by hand",
        say("taskbg", 30),
        see("background", once="Waiting for 1 background agent"),
        press("C-x", "C-k", "C-x", "C-k"),
        see("idle", hold=1.5),
    ),
    session(
        "a prompt while a shell runs behind",
        say("bgbash", 12),
        see("background", once="Started it."),
        say("think", 2),
        see("working"),
        see("background", once="Thought about it."),
    ),
)

REFUSALS = {
    "err400": "bad request",
    "err401": "Invalid API key",
    "err429": "Request rejected (429)",
    "err500": "Internal server error",
    "err529": "Overloaded",
    "toolerr": "bad after tool",
    "maxtok": "exceeded",
}
LIMITS = (
    situation(
        "a usage limit after which the client goes on by itself",
        start_with_subscription(),
        at_limit(7200),
        see("limit", "the limit until", once="continuing automatically", hold=2),
        press("Escape"),
        see("interrupted", once="Automatic continue cancelled", hold=1.5),
        *HELLO,
    ),
    situation(
        "a usage limit after which the client asks",
        start_with_subscription(autoContinueAtUsageLimit=False),
        at_limit(7200),
        see("input", "5-hour limit", once="What do you want to do?", hold=1.5),
        press("Escape"),
        see("error", "5-hour limit", hold=1.5),
    ),
    situation(
        "an API that fails for long",
        start(CLAUDE_CODE_MAX_RETRIES="10"),
        say("err500"),
        later(3.5),
        see("limit", "the API, retry", hold=6),
        press("Escape"),
        *CUT,
    ),
)

FAILURES = (
    *(session(f"an API error: {name}", say(name), see("error", once=text, hold=1)) for name, text in REFUSALS.items()),
    session("an answer that breaks off", say("cut"), see("idle", once="the line breaks")),
    session(
        "a prompt queued, then Escape",
        say("longbash"),
        see("working", "Bash", once="time.sleep"),
        prompt("SCENARIO:think=3 second"),
        press("Escape"),
        see("working", hold=1.5),
        see("idle", once="Thought about it."),
    ),
    session("a prompt after an error", say("err400"), see("error", once="bad request"), *THOUGHT),
    situation(
        "an error tried again and again, until Escape",
        start(CLAUDE_CODE_MAX_RETRIES="10"),
        say("err500"),
        see("limit", "the API", once="attempt 3", hold=3),
        press("Escape"),
        *CUT,
    ),
)
