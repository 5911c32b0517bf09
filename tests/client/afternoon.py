"""List the passages of an afternoon at the terminal: what the person does, and what must ring and be withdrawn."""

import signal

from tests.client.claude import ELICITATION
from tests.client.ringing import (
    answer,
    approving,
    asking_together,
    each,
    explained,
    gone,
    heard,
    hush,
    looking,
    one_on_screen,
    opened,
    over,
    printed,
    restarted,
    resumed,
    ring,
    say,
    seen,
)
from tests.client.scene import Passage, passage
from tests.client.stage import close_terminal, ended, press, prompt, renewed, send, shown, turn_to, until

ASKED = (say("permission"), ring("permission", "touch made.txt"))
IN_TOOL = (say("longbash"), shown("time.sleep"))
NEXT = (say("plain"), shown("Hello from the scripted model."), over(), gone())
CUT = (ring("interrupted"), *NEXT)
MANY = tuple("abcde")
AUTO_APPROVED = 20
"""Commands that a hook approves. Together they take less than the ten seconds of a turn whose end rings."""

SIDE_BY_SIDE = (
    passage("A short turn", opened(), say("plain"), shown("Hello"), over(), hush(3)),
    passage(
        "A turn of eleven seconds",
        opened(),
        say("think", 11),
        shown("Thought"),
        over("Thought about it."),
        seen("idle"),
        *NEXT,
    ),
    passage("Permission given", opened(), *ASKED, seen("permission"), answer("1"), gone(), over()),
    passage("Permission left past the reminder", opened(), *ASKED, heard("Notification"), answer("1"), gone(), over()),
    passage("Permission denied by Escape", opened(), *ASKED, answer("Escape"), *CUT),
    passage("Permission denied by No", opened(), *ASKED, answer("4"), *CUT),
    passage(
        "Approved, and the command runs on",
        opened(),
        say("permission", 11),
        ring("permission", "touch made.txt"),
        answer("1"),
        gone(),
        shown("Finished scenario"),
        over("Finished scenario"),
        *NEXT,
    ),
    passage(
        "Two permissions in turn",
        opened(),
        say("asks"),
        ring("permission", "touch one.txt"),
        answer("1"),
        ring("permission", "touch two.txt"),
        answer("1"),
        gone(),
        over(),
    ),
    passage(
        "A question answered",
        opened(),
        say("ask"),
        ring("question", "Which colour"),
        heard("Notification"),
        answer("1"),
        gone(),
        over(),
    ),
    passage("A question put away", opened(), say("ask"), ring("question", "Which colour"), answer("Escape"), *CUT),
    passage(
        "A plan approved",
        opened("--permission-mode", "plan"),
        say("plan"),
        ring("plan"),
        heard("Notification"),
        answer("1"),
        gone(),
        over(),
    ),
    passage("A plan refused", opened("--permission-mode", "plan"), say("plan"), ring("plan"), answer("2"), *CUT),
    passage(
        "A form put away",
        opened("--mcp-config", ELICITATION),
        say("elicit"),
        ring("input"),
        heard("Notification"),
        answer("Escape"),
        gone(),
        over(),
    ),
    passage("Escape in a tool", opened(), *IN_TOOL, press("Escape"), *CUT),
    passage("Ctrl+C while it streams", opened(), say("stream"), shown("●"), press("C-c"), *CUT),
    passage("Escape before the first token", opened(), say("think"), until("busy"), press("Escape"), *CUT),
    passage("The API refuses", opened(), say("err400"), ring("error", "bad request"), *NEXT),
    passage(
        "Retried until Escape",
        opened(CLAUDE_CODE_MAX_RETRIES="10"),
        say("err500"),
        shown("attempt 3"),
        press("Escape"),
        *CUT,
    ),
    passage("A subagent in the background", opened(), say("taskbg", 11), shown("finished"), over("runs in"), *NEXT),
    passage("A shell in the background", opened(), say("bgbash", 11), shown("completed"), over("Started it."), *NEXT),
    passage(
        "A subagent asks after the turn is over",
        opened(),
        say("taskperm"),
        ring("permission", "touch made.txt"),
        answer("1"),
        gone(),
        shown("finished"),
        over(),
    ),
    passage(
        "A prompt queued behind a tool",
        opened(),
        say("longbash", 6),
        shown("time.sleep"),
        prompt("SCENARIO:think=6 second"),
        shown("Thought"),
        over("Thought about it."),
        *NEXT,
    ),
    passage(
        "Compaction", opened(), say("think", 1), shown("Thought"), over(), prompt("/compact"), shown("Compacted"), *NEXT
    ),
    passage("A cleared conversation", opened(), *NEXT, prompt("/clear"), renewed(), *NEXT),
    passage(
        "A resumed conversation",
        opened(),
        *NEXT,
        prompt("/exit"),
        ended(),
        resumed(),
        say("permission"),
        ring("permission", "touch made.txt"),
        answer("1"),
        gone(),
        over(),
    ),
    passage("claude -p", printed("permission")),
    passage("Killed in a tool", opened(), *IN_TOOL, send(signal.SIGKILL), ring("crashed")),
    passage("The terminal closed at a permission", opened(), *ASKED, close_terminal(), ended(), gone()),
)
ALONE = (
    passage(
        "The focused pane is quiet",
        opened(),
        opened(name="beside"),
        turn_to(""),
        looking(
            say("permission"),
            heard("PermissionRequest"),
            explained("its pane was focused"),
            each(["beside"], *ASKED, seen("focused"), answer("1"), gone(), over()),
        ),
        turn_to(""),
        answer("1"),
        over(),
    ),
    passage("Deskbell started again", opened(), *ASKED, restarted(), hush(2), answer("1"), gone(), over()),
    passage(
        "Five ask at once",
        *(opened(name=name) for name in MANY),
        asking_together(MANY),
        one_on_screen("5 sessions need you"),
        seen("summary"),
        each(MANY, answer("1")),
        each(MANY, gone(), over()),
    ),
    passage(
        "A hook of the person's own approves",
        approving(),
        opened(),
        say("many", AUTO_APPROVED),
        shown("Finished scenario"),
        over(),
        hush(1),
    ),
)
PASSAGES: tuple[Passage, ...] = (*SIDE_BY_SIDE, *ALONE)
