"""The situations that the real client can be brought into, and what a person at its terminal would call each."""

import signal

from tests.client.claude import ELICITATION
from tests.client.stage import (
    Situation,
    Step,
    answer,
    backgrounded,
    close_terminal,
    ended,
    kill_tmux,
    later,
    made,
    own_hook,
    press,
    printed,
    prompt,
    renewed,
    resumed,
    say,
    see,
    send,
    set_settings,
    shown,
    situation,
    start,
    turn_to,
    until,
)
from tests.client.watch import GONE

HELLO = (say("plain"), see("idle", once="Hello from the scripted model."))
THOUGHT = (say("think", 2), see("working"), see("idle", once="Thought about it."))
IN_TOOL = (say("longbash"), see("working"), see("working", "Bash", once="time.sleep"))
IN_STREAM = (say("stream"), shown("●"), see("working"))
BEFORE_TOKEN = (say("think"), see("working"))
ASKED = (say("permission"), see("permission", "touch made.txt", once="Do you want to proceed?"))
QUESTION = (say("ask"), see("question", "Which colour", once="Enter to select"))
OVER = (until("idle"), see("idle"))
BOTH = ("ended", "idle and idle", "idle and working")
"""The conversation that was left is still there for a moment."""
CUT = (see("interrupted", hold=1.5),)


def session(name: str, *steps: Step) -> Situation:
    return situation(name, start(), *steps)


TURNS = (
    session("a new session", see("idle", hold=2)),
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
        say("longbash", 3),
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

# `through`: the client's own file may tell that it waits before the hook has told what for.
ASKS = (
    session(
        "a permission given, and the command runs on",
        say("permission", 3),
        see("permission", "touch made.txt", once="Do you want to proceed?"),
        answer("1"),
        see("working", "Bash", hold=1.5),
        see("idle", once="Finished scenario"),
    ),
    session("a permission left alone past the reminder", *ASKED, see("permission", hold=8), answer("1"), *OVER),
    session("a permission denied by Escape", *ASKED, answer("Escape"), *CUT),
    session("a permission denied by No", *ASKED, answer("4"), *CUT),
    session(
        "two permissions, one after the other",
        say("asks"),
        see("permission", "one.txt", once="touch one.txt\n"),
        answer("1"),
        see("permission", "two.txt"),
        answer("1"),
        *OVER,
    ),
    session(
        "a file to be written",
        say("write"),
        see("permission", "notes.txt", once="create notes.txt?"),
        answer("1"),
        *OVER,
    ),
    session(
        "a file not to be edited",
        say("edit"),
        see("permission", "edited.txt", once="edit to edited.txt?"),
        answer("3"),
        *CUT,
    ),
    session("a question answered", *QUESTION, answer("1"), see("idle")),
    session("a question put away by Escape", *QUESTION, answer("Escape"), *CUT),
    session("a question left alone past the reminder", *QUESTION, see("question", hold=8)),
    situation(
        "a plan approved",
        start("--permission-mode", "plan"),
        say("plan"),
        see("plan", once="Exit plan mode?", through=["permission"]),
        answer("1"),
        see("idle"),
    ),
    situation(
        "a plan refused",
        start("--permission-mode", "plan"),
        say("plan"),
        see("plan", once="Exit plan mode?", hold=8, through=["permission"]),
        answer("2"),
        *CUT,
    ),
    situation(
        "an elicitation put away",
        start("--mcp-config", ELICITATION),
        say("elicit"),
        see("input", once="requests your input", hold=8, through=["question"]),
        answer("Escape"),
        see("idle"),
    ),
    situation(
        "the dialogs of auto mode, of which no hook tells",
        start("--permission-mode", "auto"),
        say("risky"),
        see("input", once="Auto mode can't check", hold=8),
        answer("Enter"),
        see("permission", once="Do you want to proceed?", hold=2),
        answer("Escape"),
        *CUT,
    ),
)

DIALOGS = (
    session(
        "a picker opened and closed after Escape",
        *IN_TOOL,
        press("Escape"),
        *CUT,
        prompt("/model"),
        see("interrupted", once="Select model", hold=1.5),
        press("Escape"),
        see("interrupted", hold=1.5),
    ),
    session(
        "the exit dialog, put away, with a shell behind",
        say("bgbash", 20),
        see("background", once="Started it."),
        prompt("/exit"),
        see("background", once="Background work is running", hold=1.5),
        press("Escape"),
        see("background"),
    ),
    session(
        "a picker opened and closed",
        prompt("/model"),
        see("idle", once="Select model", hold=2),
        press("Escape"),
        see("idle"),
    ),
    session(
        "rewinding thought better of",
        *HELLO,
        press("Escape", "Escape"),
        see("idle", once="Rewind", hold=1.5),
        press("Escape"),
        see("idle"),
    ),
    session("a picker opened at work", *BEFORE_TOKEN, prompt("/model"), see("working", once="Select model", hold=1.5)),
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
        see("working", once="attempt 3", hold=3),
        press("Escape"),
        *CUT,
    ),
)

CONVERSATIONS = (
    session("/clear", *HELLO, prompt("/clear"), renewed(), see("idle", hold=2, through=BOTH)),
    session(
        "/compact after Escape",
        *IN_TOOL,
        press("Escape"),
        *CUT,
        prompt("/compact"),
        see("idle", once="Compacted", hold=1.5),
    ),
    session(
        "/compact broken off by Escape",
        *THOUGHT,
        prompt("/compact"),
        see("working", "Compacting"),
        press("Escape"),
        see("idle", hold=1.5),
    ),
    session(
        "/compact", *THOUGHT, prompt("/compact"), see("working", "Compacting"), see("idle", once="Compacted"), *HELLO
    ),
    session("--resume", *HELLO, prompt("/exit"), ended(), see("ended"), resumed(), see("idle", hold=2), *THOUGHT),
    session("--continue", *HELLO, prompt("/exit"), ended(), start("--continue"), see("idle", hold=2)),
    session("--fork-session", *HELLO, resumed("--fork-session", name="b"), *ASKED, turn_to(""), see("idle")),
    session(
        "/resume of another conversation",
        *HELLO,
        prompt("/clear"),
        renewed(),
        see("idle", hold=2, through=BOTH),
        prompt("/resume"),
        see("idle", once="Resume session"),
        press("Enter"),
        renewed(),
        see("idle", hold=2, through=BOTH),
    ),
    session(
        "one conversation in two terminals",
        *HELLO,
        resumed(name="b"),
        see("idle"),
        *ASKED,
        turn_to(""),
        see("idle"),
        *IN_TOOL,
        turn_to("b"),
        see("permission"),
        answer("Escape"),
        *CUT,
        turn_to(""),
        see("working", "Bash"),
    ),
)

ENDS = (
    session("/exit", prompt("/exit"), see("ended", hold=2)),
    session("an ended session leaves the board", prompt("/exit"), ended(), see("ended", hold=9.4), later(), see(GONE)),
    session("kill -9 while idle", see("idle"), send(signal.SIGKILL), see("crashed", hold=2)),
    session(
        "kill -9, then --resume", *ASKED, send(signal.SIGKILL), see("crashed"), resumed(name="b"), see("idle", hold=2)
    ),
    session("kill -9 in a tool", *IN_TOOL, send(signal.SIGKILL), see("crashed")),
    session("kill -9 at a permission", *ASKED, send(signal.SIGKILL), see("crashed")),
    session("the terminal closed while idle", see("idle"), close_terminal(), ended(), see("ended", hold=2)),
    session("the terminal closed in a tool", *IN_TOOL, close_terminal(), ended(), see("ended")),
    session("tmux killed at a permission", *ASKED, kill_tmux(), ended(), see("ended")),
    session("SIGTERM", see("idle"), send(signal.SIGTERM), ended(), see("ended")),
    session(
        "suspended at a permission, then woken",
        *ASKED,
        send(signal.SIGSTOP),
        see("permission", hold=3),
        send(signal.SIGCONT),
        see("permission", hold=2),
        answer("1"),
        *OVER,
    ),
    session(
        "suspended in a tool, then woken",
        *IN_TOOL,
        send(signal.SIGSTOP),
        see("working", hold=3),
        send(signal.SIGCONT),
        see("working", hold=1),
        press("Escape"),
        *CUT,
    ),
)

REFUSE = """printf '{"decision": "block", "reason": "not so"}'"""
APPROVE = (
    """printf '{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}'"""
)
GO_ON = """mkdir once && printf '{"decision": "block", "reason": "SCENARIO:think=3 more"}'"""
OWN_HOOKS = (
    situation(
        "a prompt refused by a hook",
        own_hook("UserPromptSubmit", REFUSE),
        start(),
        say("plain"),
        see("idle", once="blocked by hook", hold=1.5),
    ),
    situation(
        "a request approved by a hook",
        own_hook("PermissionRequest", APPROVE),
        start(),
        say("permission", 3),
        made("made.txt"),
        see("working", "Bash", hold=1.5, through=["permission"]),
        see("idle", once="Finished scenario"),
    ),
    situation(
        "a turn sent on by a Stop hook",
        own_hook("Stop", GO_ON),
        start(),
        say("plain"),
        see("working", once="Hello", hold=1.5, through=["idle"]),
        see("idle", once="Thought about it."),
    ),
)

# Without hooks nobody tells which tool or question it is: no detail is asked for.
UNHEARD = (
    situation(
        "running before the hooks were installed",
        set_settings(hooks={}),
        start(),
        see("idle"),
        *THOUGHT,
        say("permission"),
        see("permission", once="Do you want to proceed?"),
        answer("Escape"),
        *CUT,
    ),
    situation(
        "hooks installed while a permission waits",
        set_settings(hooks={}),
        start(),
        say("permission"),
        see("permission", once="Do you want to proceed?"),
        set_settings(),
        see("permission", hold=2),
        answer("1"),
        *OVER,
        *ASKED,
    ),
    situation("claude --bg", backgrounded("permission"), until("waiting"), see("permission", "touch made.txt", hold=8)),
    situation(
        "hooks switched off",
        set_settings(disableAllHooks=True),
        start(),
        say("ask"),
        see("question", once="Enter to select"),
        answer("1"),
        *OVER,
        say("longbash"),
        see("working"),
        press("Escape"),
        *CUT,
        say("err400"),
        see("error", once="bad request"),
    ),
    situation("claude -p, listed to nobody", printed("think", 2), see(GONE, hold=1.5), ended(), see(GONE)),
    situation(
        "claude -p, listed on request",
        printed("think", 3),
        see("hidden working", through=["hidden idle"]),
        ended(),
        see("hidden ended"),
        options=("--all",),
    ),
)

SITUATIONS = (*TURNS, *CUT_SHORT, *ASKS, *DIALOGS, *BEHIND, *FAILURES, *CONVERSATIONS, *ENDS, *OWN_HOOKS, *UNHEARD)
