"""Word what a click failed to do, as the title of a message. Pure."""

from deskbell.face.actions import (
    Action,
    Answer,
    Answers,
    Attach,
    CopyResume,
    Details,
    Dismiss,
    Hooks,
    Jump,
    Later,
    Mute,
    Open,
    Reply,
    Resume,
    Seen,
    Snooze,
    StartAtLogin,
    Worded,
)
from deskbell_hooks.trim import without_secrets

FAILED = "failed"
"""The slot of these messages. Each replaces the last one."""

OPENED = {
    "board": "the board",
    "settings": "the settings",
    "log": "the log",
    "doctor": "the doctor's report",
    "changes": "what an install changes",
    "about": "the page about Deskbell",
}


def typed(action: Action) -> str:
    """Return what the person typed, as the last line of a message, so that it is not lost; empty if they did not."""
    return kept(action.text) if isinstance(action, Worded) and action.text else ""


def kept(text: str) -> str:
    """Return the line with TEXT. Secrets in it are hidden: notification daemons keep what they have shown."""
    return f"\nYou typed: {without_secrets(text)}"


def could_not(action: Action) -> str:
    """Return what failed, as the title of a message."""
    match action:
        case Jump():
            return "Could not jump to the session"
        case Attach():
            return "Could not open the session in a terminal"
        case Resume():
            return "Could not resume the session in a terminal"
        case CopyResume():
            return "Could not copy the resume command"
        case Seen() | Dismiss():
            return "Could not take a crash off the list"
        case Details():
            return "Could not show the details"
        case Answer():
            return "Could not answer"
        case Reply():
            return "Could not reply to the session"
        case Mute(_, muted):
            return f"Could not {'mute' if muted else 'unmute'} the session"
        case Later(_, on):
            return f"Could not {'be' if on else 'stop being'} quiet about the session"
        case Snooze(until):
            return "Could not snooze" if until else "Could not end the snooze"
        case Hooks(wish):
            return f"Could not {wish} the hooks"
        case Answers(on):
            return f"Could not switch answers {'on' if on else 'off'}"
        case StartAtLogin(on):
            return f"Could not switch the start at login {'on' if on else 'off'}"
        case Open(what):
            return f"Could not open {OPENED[what]}"
    return "Could not quit"
