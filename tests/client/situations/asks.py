"""List the situations in which a session waits for the person, and the dialogs that the person opens."""

from tests.client.claude import ELICITATION
from tests.client.situations.phrases import ASKED, BEFORE_TOKEN, CUT, HELLO, IN_TOOL, OVER, QUESTION, session
from tests.client.stage import answer, press, prompt, say, see, situation, start

# `through`: the registry may say that the client waits before the hook says for what.
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
        see("new", once="Select model", hold=2),
        press("Escape"),
        see("new"),
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
