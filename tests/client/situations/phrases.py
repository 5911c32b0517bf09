"""Name the steps that many situations share."""

from tests.client.stage import Situation, Step, say, see, shown, situation, start, until

HELLO = (say("plain"), see("idle", once="Hello from the scripted model."))
THOUGHT = (say("think", 2), see("working"), see("idle", once="Thought about it."))
IN_TOOL = (say("longbash"), see("working"), see("working", "Bash", once="time.sleep"))
IN_STREAM = (say("stream"), shown("●"), see("working"))
BEFORE_TOKEN = (say("think"), see("working"))
ASKED = (say("permission"), see("permission", "touch made.txt", once="Do you want to proceed?"))
QUESTION = (say("ask"), see("question", "Which colour", once="Enter to select"))
OVER = (until("idle"), see("idle"))
BOTH = ("ended", "idle and idle", "idle and new", "new and idle", "idle and working")
"""What the board may show briefly while the conversation that was left is still listed."""
CUT = (see("interrupted", hold=1.5),)


def session(name: str, *steps: Step) -> Situation:
    return situation(name, start(), *steps)
