"""List the situations in which the record of the hooks holds something that is over, and another request follows."""

from tests.client.situations.phrases import BEFORE_TOKEN, CUT, HELLO, IN_STREAM, OVER, session
from tests.client.stage import answer, choose, press, prompt, say, see, set_settings, shown, typed

WORDS = "not this one, take the other"
WRONG = (see("permission", "touch wrong.txt", once="Do you want to proceed?"),)
RIGHT = (see("permission", "touch right.txt", once="touch right.txt\n", hold=8),)
REFUSED_WITH_WORDS = (choose("Down", "Down", "Down", "Tab"), typed(WORDS), press("Enter"))
CHATTED = (choose("Down", "Down", "Down", "Enter"),)

REFUSALS = (
    session("a permission refused with words, then another", say("other"), *WRONG, *REFUSED_WITH_WORDS, *RIGHT),
    session(
        "a permission refused with words, the next given",
        say("other"),
        *WRONG,
        *REFUSED_WITH_WORDS,
        see("permission", "touch right.txt", once="touch right.txt\n"),
        answer("1"),
        *OVER,
    ),
    session(
        "a permission refused with words, the next denied",
        say("other"),
        *WRONG,
        *REFUSED_WITH_WORDS,
        see("permission", "touch right.txt", once="touch right.txt\n"),
        answer("Escape"),
        *CUT,
    ),
    session(
        "a permission refused with words, then Escape in a tool",
        say("otherlong"),
        *WRONG,
        *REFUSED_WITH_WORDS,
        see("working", "time.sleep", once="time.sleep", hold=1.5),
        press("Escape"),
        see("interrupted", "time.sleep", hold=1.5),
    ),
    session(
        "a question left by Chat about this, then a permission",
        say("chat"),
        see("question", "Which colour", once="Enter to select"),
        *CHATTED,
        *RIGHT,
    ),
    session(
        "a permission of a subagent given, then one of the session",
        say("taskperm", 20),
        see("permission", "touch made.txt", once="Do you want to proceed?"),
        answer("1"),
        see("background"),
        say("right"),
        *RIGHT,
        answer("Escape"),
        *CUT,
    ),
    session(
        "two subagents ask, one behind the other",
        say("twoagents", 12),
        see("permission", "touch right.txt", once="Do you want to proceed?"),
        press("1"),
        see("permission", "Bash: touch right.txt", once="touch right.txt\n", hold=5),
        press("1"),
        see("background", "Small job"),
    ),
    session(
        "a picker opened after Escape before the first token",
        *HELLO,
        *BEFORE_TOKEN,
        press("Escape"),
        *CUT,
        press("C-u"),
        prompt("/model"),
        see("interrupted", once="Select model", hold=3),
        press("Escape"),
        see("interrupted", hold=1.5),
    ),
    session(
        "a prompt queued while it streams, then Escape",
        *IN_STREAM,
        prompt("SCENARIO:think=3 second"),
        press("Escape"),
        see("working", hold=1.5),
        see("idle", once="Thought about it."),
    ),
    session(
        "two prompts queued, then Escape, and Escape again",
        say("longbash"),
        see("working", "Bash", once="time.sleep"),
        prompt("SCENARIO:longbash second"),
        prompt("SCENARIO:longbash third"),
        press("Escape"),
        see("working", hold=2.5),
        press("Escape"),
        *CUT,
    ),
    session(
        "a turn interrupted while a subagent runs",
        say("taskbg", 30),
        see("background", once="Waiting for 1 background agent"),
        say("longbash"),
        see("working", "Bash", hold=1.5),
        press("Escape"),
        *CUT,
        prompt("/model"),
        see("interrupted", once="Select model", hold=1.5),
        press("Escape"),
        see("interrupted", hold=1.5),
    ),
)

UNHEARD_LATER = tuple(
    session(
        f"hooks {name} after a turn",
        *HELLO,
        set_settings(**settings),
        shown("❯"),
        say("longbash"),
        see("working", hold=4),
        press("Escape"),
        *CUT,
        say("err400"),
        see("error", once="bad request", hold=3),
        say("think", 4),
        see("working"),
        see("idle", once="Thought about it.", hold=3),
    )
    for name, settings in {"taken out": {"hooks": {}}, "switched off": {"disableAllHooks": True}}.items()
)
