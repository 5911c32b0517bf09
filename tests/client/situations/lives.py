"""List the situations in which sessions begin, move and end, and those without hooks."""

import signal

from tests.client.situations.phrases import ASKED, BOTH, CUT, HELLO, IN_TOOL, OVER, THOUGHT, session
from tests.client.stage import (
    answer,
    backgrounded,
    close_terminal,
    dated,
    embedded,
    ended,
    entry,
    kill_tmux,
    later,
    made,
    own_hook,
    press,
    printed,
    prompt,
    renewed,
    repository,
    resumed,
    say,
    see,
    send,
    set_settings,
    situation,
    start,
    start_apart,
    start_in_shell,
    suspended,
    turn_to,
    typed,
    until,
)
from tests.client.watch import GONE

TWO_TERMINALS = (
    *HELLO,
    resumed(name="b"),
    see("idle"),
    *ASKED,
    turn_to(""),
    see("idle"),
    say("longbash", 120),
    see("working", "Bash", once="time.sleep"),
    turn_to("b"),
    see("permission"),
    answer("Escape"),
    *CUT,
)
"""The first client works in a tool, and the second one was interrupted."""

CONVERSATIONS = (
    session("/clear", *HELLO, prompt("/clear"), renewed(), see("new", hold=2, through=("idle", *BOTH))),
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
    session("/branch", *HELLO, prompt("/branch"), renewed(), see("idle", hold=2, through=BOTH), *THOUGHT),
    session("--fork-session", *HELLO, resumed("--fork-session", name="b"), *ASKED, turn_to(""), see("idle")),
    session(
        "/resume of another conversation",
        *HELLO,
        prompt("/clear"),
        renewed(),
        see("new", hold=2, through=("idle", *BOTH)),
        prompt("/resume"),
        see("new", once="Resume session"),
        press("Enter"),
        renewed(),
        see("idle", hold=2, through=BOTH),
    ),
    session("one conversation in two terminals", *TWO_TERMINALS, turn_to(""), see("working", "Bash", hold=2)),
    session(
        "one of two terminals exits",
        *TWO_TERMINALS,
        prompt("/exit"),
        ended(),
        turn_to(""),
        see("working", "Bash", hold=3),
    ),
    session(
        "one of two terminals is killed",
        *TWO_TERMINALS,
        send(signal.SIGKILL),
        turn_to(""),
        see("working", "Bash", hold=3),
    ),
)

ENDS = (
    session("/exit", prompt("/exit"), see("ended", hold=2)),
    session("an ended session leaves the board", prompt("/exit"), ended(), see("ended", hold=8), later(1.5), see(GONE)),
    session("kill -9 while idle", *HELLO, send(signal.SIGKILL), see("crashed", hold=2)),
    situation(
        "a crash stays, with its time", start(), *HELLO, send(signal.SIGKILL), see("crashed"), dated(), has_tray=False
    ),
    session(
        "kill -9, then --resume", *ASKED, send(signal.SIGKILL), see("crashed"), resumed(name="b"), see("idle", hold=2)
    ),
    session("kill -9 in a tool", *IN_TOOL, send(signal.SIGKILL), see("crashed")),
    session("kill -9 at a permission", *ASKED, send(signal.SIGKILL), see("crashed")),
    session("the terminal closed before a prompt", see("new"), close_terminal(), ended(), see("ended", hold=2)),
    session("the terminal closed in a tool", *IN_TOOL, close_terminal(), ended(), see("ended")),
    session("tmux killed at a permission", *ASKED, kill_tmux(), ended(), see("ended")),
    session("SIGTERM", *HELLO, send(signal.SIGTERM), ended(), see("ended")),
    situation(
        "suspended at a permission, then woken",
        start_in_shell(),
        *ASKED,
        press("C-z"),
        see("permission", hold=3),
        suspended(True),
        typed("fg"),
        press("Enter"),
        see("permission", hold=2),
        suspended(False),
        answer("1"),
        *OVER,
    ),
    situation(
        "suspended in a tool, then woken",
        start_in_shell(),
        *IN_TOOL,
        press("C-z"),
        see("working", hold=3),
        suspended(True),
        typed("fg"),
        press("Enter"),
        see("working", hold=1),
        suspended(False),
        press("Escape"),
        *CUT,
    ),
)

HELLO_UNSEEN = (prompt("SCENARIO:plain go"), see("idle", once="Hello from the scripted model."))
"""Without its registry file nothing shows that the client takes the prompt."""

REFUSE = """printf '{"decision": "block", "reason": "not so"}'"""
APPROVE = (
    """printf '{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}'"""
)
REFUSE_SOME = f"if grep -q 'not wanted'; then {REFUSE}; fi"
STOP_SOME = """if grep -q 'not wanted'; then printf '{"continue": false, "stopReason": "halt"}'; fi"""
GO_ON = """mkdir once && printf '{"decision": "block", "reason": "SCENARIO:think=3 more"}'"""
OWN_HOOKS = (
    situation(
        "a prompt refused by a hook",
        own_hook("UserPromptSubmit", REFUSE),
        start(),
        say("plain"),
        see("new", once="blocked by hook", hold=1.5),
    ),
    situation(
        "a prompt refused by a hook after a turn",
        own_hook("UserPromptSubmit", REFUSE_SOME),
        start(),
        *THOUGHT,
        prompt("not wanted"),
        see("idle", once="blocked by hook", hold=3),
        press("C-u"),
    ),
    situation(
        "a prompt refused by a slow hook after Escape",
        own_hook("UserPromptSubmit", f"sleep 2; {REFUSE_SOME}"),
        start(),
        *IN_TOOL,
        press("Escape"),
        *CUT,
        prompt("not wanted"),
        see("interrupted", once="blocked by hook", hold=3),
    ),
    situation(
        "a prompt stopped by a hook after a turn",
        own_hook("UserPromptSubmit", STOP_SOME),
        start(),
        *THOUGHT,
        prompt("not wanted"),
        see("idle", once="stopped by hook", hold=3),
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
        see("working", once="Hello", hold=1.5),
        see("idle", once="Thought about it."),
    ),
    situation(
        "a turn sent on by a slow Stop hook",
        own_hook("Stop", f"sleep 2; {GO_ON}"),
        start(),
        say("plain"),
        see("working", once="Hello", hold=4),
        until("idle"),
        see("idle"),
    ),
)

APART = (
    session("a registry file removed in a tool", *IN_TOOL, entry(None), later(4), press("Escape"), *CUT, *HELLO_UNSEEN),
    session("a registry file broken in a tool", *IN_TOOL, entry('{"pid":'), later(4), press("Escape"), *CUT),
    session("a registry file removed at a permission", *ASKED, entry(None), see("permission", hold=4)),
    situation(
        "a session in a worktree",
        repository(),
        start(),
        say("worktree"),
        see("idle", once="In it."),
        *IN_TOOL,
        press("Escape"),
        *CUT,
        *HELLO,
    ),
    situation(
        "a client in a pid namespace of its own",
        start_apart(),
        *ASKED,
        answer("1"),
        *OVER,
        *IN_TOOL,
        press("Escape"),
        *CUT,
        has_tray=False,
    ),
    *(
        situation(f"an SDK session{named}, not listed", embedded("think", 2, entrypoint, *settings), see(GONE, hold=4))
        for entrypoint in ("sdk-py", "sdk-ts")
        for named, settings in (("", ()), (" without settings", ("--setting-sources=",)))
    ),
    situation(
        "an SDK session that asks its program, not listed",
        embedded("permission", 3, "sdk-py", "--permission-prompt-tool", "stdio", "--setting-sources="),
        see(GONE, hold=4),
    ),
    situation(
        "a session of an editor",
        embedded("permission", 3, "claude-vscode", "--permission-prompt-tool", "stdio"),
        until("waiting"),
        see("permission", "touch made.txt", hold=3),
    ),
)

# Without hooks the tool and the question are unknown: these situations expect no detail.
UNHEARD = (
    situation(
        "running before the hooks were installed",
        set_settings(hooks={}),
        start(),
        see("new"),
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
    situation("claude -p, not listed", printed("think", 2), see(GONE, hold=1.5), ended(), see(GONE)),
    situation(
        "claude -p, listed on request",
        printed("think", 3),
        see("hidden working", through=["hidden idle", "hidden new"]),
        ended(),
        see("hidden ended"),
        options=("--all",),
    ),
)
