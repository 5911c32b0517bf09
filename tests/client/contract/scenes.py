"""List the scenes that show the facts. Each is played in an account of its own, part by part."""

import signal

from tests.client.claude import ELICITATION
from tests.client.contract.steps import (
    HOLD,
    chosen,
    client_noted,
    conversation_noted,
    file_noted,
    heard,
    held_noted,
    known_to_client,
    now,
    passed,
    reached,
    settings_text,
    started_with,
    unknown_event,
)
from tests.client.contract.watched import Act, Scene
from tests.client.situations.lives import APPROVE
from tests.client.situations.refusals import WORDS
from tests.client.stage import (
    Step,
    answer,
    backgrounded,
    choose,
    close_terminal,
    ended,
    made,
    own_hook,
    press,
    printed,
    prompt,
    renewed,
    resumed,
    say,
    send,
    set_settings,
    shown,
    start,
    turn_to,
    typed,
    until,
)

PROCEED = shown("Do you want to proceed?")
IDLE = until("idle")
HELLO = (say("plain"), shown("Hello from the scripted model."), IDLE)
IN_TOOL = (say("longbash"), shown("time.sleep"), passed(0.5))
FINISHED = (shown("Finished scenario"), IDLE)
LEFT = (prompt("/exit"), ended(), now("gone"), file_noted("file"))
REFUSED_WITH_WORDS = (reached("No", "Tab"), typed(WORDS), press("Enter"))
CHATTED = reached("Chat about this", "Enter")
NOTICED = passed(2.0)
"""Long enough for a running client to notice its changed settings."""
IDLE_FOR = 5000
"""Milliseconds until a client at rest sends its idle_prompt; 60 s unless ~/.claude.json says otherwise."""


def act(name: str, *steps: Step) -> Act:
    return Act(name, steps)


def scene(name: str, *acts: Act) -> Scene:
    return Scene(name, acts)


def starting(*arguments: str) -> Act:
    return act("", start(*arguments))


SCENES = (
    scene(
        "turns",
        act("a start", start(), client_noted()),
        act("a plain turn", *HELLO),
        act("a tool", say("longbash", 1), *FINISHED),
        act("a tool that fails", say("toolfail"), shown("Finished scenario toolfail"), IDLE),
        act("tasks", say("tasks"), shown("Finished scenario tasks"), IDLE),
        act("a new name", prompt("/rename my-own-name"), shown("Session renamed")),
        act("an exit", *LEFT),
    ),
    scene(
        "rests",
        act("", known_to_client(messageIdleNotifThresholdMs=IDLE_FOR), start()),
        act("a shell command of the person", prompt("! echo by-hand"), shown("Nothing was asked by name."), IDLE),
        act("a rest after a turn", say("think", 1), shown("Thought about it."), IDLE, heard("Notification")),
    ),
    scene(
        "permissions",
        starting(),
        act("a permission left alone", say("permission", 2), PROCEED, heard("Notification")),
        act("a permission given", answer("1"), *FINISHED),
        act("a permission denied by Escape", say("permission"), PROCEED, answer("Escape"), IDLE),
    ),
    scene(
        "refusals",
        starting(),
        act("a permission denied by No", say("permission"), PROCEED, chosen("No"), IDLE),
        act(
            "a permission refused with words",
            *(say("other"), PROCEED, *REFUSED_WITH_WORDS, shown("touch right.txt\n"), passed(0.5)),
        ),
        act("", answer("Escape"), IDLE),
        act("two permissions of one answer", say("asks"), shown("touch one.txt\n"), answer("1"), shown("two.txt")),
        act("", answer("1"), *FINISHED),
    ),
    scene(
        "interrupts",
        starting(),
        act("Escape in a tool", *IN_TOOL, press("Escape"), IDLE),
        act("Ctrl+C in a tool", *IN_TOOL, press("C-c"), IDLE),
        act("Escape while it streams", say("stream"), shown("● word0"), press("Escape"), IDLE),
        act("a picker opened at rest", prompt("/model"), shown("Select model"), until("waiting"), passed(1.0)),
        act("a picker closed", press("Escape"), IDLE),
        act(
            "Escape before the first token",
            say("think"),
            until("busy"),
            passed(0.5),
            press("Escape"),
            IDLE,
            press("C-u"),
        ),
    ),
    scene(
        "queues",
        starting(),
        act("a prompt queued", *IN_TOOL, prompt("SCENARIO:think=2 second"), passed(0.5)),
        act("Escape with a prompt queued", press("Escape"), shown("Thought about it."), IDLE),
        act(
            "a queued prompt taken up by the turn",
            *(say("longbash", 4), shown("sleep(4)"), prompt("SCENARIO:long=3 second"), shown("word2"), IDLE),
        ),
    ),
    scene(
        "questions",
        starting(),
        act("a question", say("ask"), shown("Enter to select"), until("waiting"), heard("Notification")),
        act("a question answered", answer("1"), *FINISHED),
        act("a question put away", say("ask"), shown("Enter to select"), answer("Escape"), IDLE),
        act("a question left by Chat about this", say("chat"), shown("Enter to select"), CHATTED, PROCEED),
    ),
    scene(
        "plans",
        starting("--permission-mode", "plan"),
        act("a plan", say("plan"), shown("Exit plan mode?"), until("waiting"), heard("Notification")),
        act("a plan approved", answer("1"), IDLE),
    ),
    scene(
        "forms",
        starting("--mcp-config", ELICITATION),
        act("a form", say("elicit"), shown("requests your input"), until("waiting"), heard("Notification")),
        act("a form put away", answer("Escape"), IDLE),
    ),
    scene(
        "auto mode",
        starting("--permission-mode", "auto"),
        act(
            "a dialog of auto mode",
            say("risky"),
            shown("Auto mode can't check"),
            until("waiting"),
            heard("Notification"),
        ),
    ),
    scene(
        "errors",
        starting(),
        act("an error 400", say("err400"), shown("bad request"), IDLE),
        act("an error 401", say("err401"), shown("Invalid API key"), IDLE),
        act("an error 429", say("err429"), shown("Request rejected (429)"), IDLE),
        act("an error 500", say("err500"), shown("Internal server error"), IDLE),
        act("an error 529", say("err529"), shown("Overloaded"), IDLE),
        act("an answer too long", say("maxtok"), shown("exceeded"), IDLE),
        act("an answer that breaks off", say("cut"), shown("the line breaks"), IDLE),
    ),
    scene(
        "subagents",
        starting(),
        act("a subagent", say("taskbg", 4), shown("Waiting for 1 background agent"), until("busy"), passed(1.0)),
        act("the end of a subagent", shown("finished"), passed(0.5), IDLE),
        act("a subagent that asks", say("taskperm"), PROCEED, until("waiting"), passed(0.5)),
        act("the end of a subagent that asked", answer("1"), shown('Agent "Small job" finished'), IDLE),
    ),
    scene(
        "shells",
        starting(),
        act("a shell in the background", say("bgbash", 4), shown("Started it."), until("shell"), passed(1.0)),
        act("the end of a shell", shown("completed"), passed(0.5), IDLE),
    ),
    scene(
        "conversations",
        starting(),
        act("a first conversation", *HELLO, conversation_noted()),
        act("/compact", prompt("/compact"), heard("PostCompact"), IDLE),
        act("/clear", prompt("/clear"), renewed(), IDLE, conversation_noted()),
        act("/resume", prompt("/resume"), shown("Resume session"), choose("Enter"), renewed(), conversation_noted()),
        act("", *LEFT),
        act("--resume", resumed(), conversation_noted()),
        act("--fork-session", resumed("--fork-session", name="fork"), conversation_noted()),
        act("", prompt("/exit"), ended(), turn_to("")),
        act("one conversation in two terminals", resumed(name="two"), conversation_noted()),
    ),
    scene(
        "ends",
        starting(),
        act("SIGTERM", send(signal.SIGTERM), ended(), now("gone"), file_noted("file")),
        starting(),
        act("a terminal closed", close_terminal(), ended(), now("gone"), file_noted("file")),
        starting(),
        act("kill -9", send(signal.SIGKILL), ended(), passed(1.5), file_noted("file")),
        starting(),
        act(
            "Ctrl+C twice", press("C-c"), shown("again to exit"), press("C-c"), ended(), now("gone"), file_noted("file")
        ),
    ),
    scene(
        "without a person",
        act("claude -p", printed("think", 2), ended(), now("gone")),
        act("claude -p that needs a permission", printed("permission", 1), ended()),
        act("claude --bg", backgrounded("permission"), until("waiting"), passed(0.5)),
    ),
    scene(
        "settings",
        act("the hooks that Deskbell registers", started_with()),
        act("", *HELLO, set_settings(hooks={}), NOTICED),
        act("hooks taken out while it runs", *HELLO),
        act("", set_settings(), NOTICED),
        act("hooks put in while it runs", *HELLO),
        act("", set_settings(disableAllHooks=True), NOTICED),
        act("all hooks switched off", *HELLO),
        act("", set_settings(), NOTICED),
        act("hooks switched on", *HELLO),
        act("", settings_text("{"), NOTICED),
        act("settings that are no JSON", *HELLO),
        act("an event that no client knows", set_settings(), unknown_event()),
    ),
    scene(
        "a hook that approves",
        act("", own_hook("PermissionRequest", APPROVE), start()),
        act("a request approved by a hook", say("permission", 1), made("made.txt"), *FINISHED),
    ),
    scene(
        "a hook that waits",
        act("", own_hook("PermissionRequest", HOLD), start()),
        act("a request with a hook that waits", say("permission"), PROCEED, until("waiting")),
        act("a Yes while a hook waits", answer("1"), *FINISHED, held_noted()),
        act("Escape while a hook waits", say("permission"), PROCEED, answer("Escape"), IDLE, held_noted()),
    ),
)
