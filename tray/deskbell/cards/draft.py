"""Edit the line in which a person writes a reply on the board, and decide which session takes a reply. Pure."""

from typing import NamedTuple

from deskbell.asking import Asking
from deskbell.face.actions import Answer
from deskbell.face.facts import Facts
from deskbell.session import Key, Session
from deskbell.text.clean import visible
from deskbell.text.rows import Line, Span
from deskbell.text.width import first_of, last_of, width
from deskbell_hooks.trim import LIMITS

LONGEST = LIMITS["prompt"]
"""The most characters of a reply, as in `deskbell.answers.reply`."""
NEWLINE = "⏎"
"""What is shown for each end of a line in a pasted text."""
REACH = 8
"""Characters before and after the cursor that are looked at, for each column. Only some of a long text are shown."""
OFF = "Replies are switched off. Switch them on: `deskbell answers on reply`."
JUMP = "Enter jumps to it."


class Draft(NamedTuple):
    """A reply that is being written."""

    to: Key
    text: str = ""
    at: int = 0
    """The place of the cursor: how many characters are before it."""
    answers: Answer | None = None
    """The choice that takes the text; None for a reply."""
    asked: Asking | None = None
    """What was asked when the person began to write an answer."""


def opened(session: Session | None, facts: Facts) -> Draft | str:
    """Return an empty draft for SESSION, or the sentence that says why it takes none."""
    if session is None:
        return "This session no longer exists."
    if session.blocked:
        return f"It waits for an answer in its terminal. {JUMP}"
    if not facts.replies:
        return OFF
    if session.over:
        return "It is over. r resumes it."
    return Draft(session.key) if session.takes_prompt else "It is at work. Reply once its turn is over."


def edited(draft: Draft, key: str, character: str | None) -> Draft:
    """Return DRAFT after a key. A key without a meaning in a line changes nothing."""
    before, after = draft.text[: draft.at], draft.text[draft.at :]
    match key:
        case "left" | "ctrl+b":
            return draft._replace(at=max(0, draft.at - 1))
        case "right" | "ctrl+f":
            return draft._replace(at=min(len(draft.text), draft.at + 1))
        case "home" | "ctrl+a":
            return draft._replace(at=0)
        case "end" | "ctrl+e":
            return draft._replace(at=len(draft.text))
        case "backspace" | "ctrl+h":
            return _joined(draft, before[:-1], after)
        case "delete" | "ctrl+d":
            return _joined(draft, before, after[1:])
        case "ctrl+u":
            return _joined(draft, "", after)
        case "ctrl+k":
            return _joined(draft, before, "")
        case "ctrl+w":
            return _joined(draft, before.rstrip()[: before.rstrip().rfind(" ") + 1], after)
    return inserted(draft, character) if character and character.isprintable() else draft


def inserted(draft: Draft, text: str) -> Draft:
    """Return DRAFT with TEXT at the cursor, as far as there is room."""
    before, after = draft.text[: draft.at], draft.text[draft.at :]
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _joined(draft, before + lines[: max(0, LONGEST - len(draft.text))], after)


def _joined(draft: Draft, before: str, after: str) -> Draft:
    return draft._replace(text=before + after, at=len(before))


def shown(draft: Draft, columns: int) -> Line:
    """Return the part of DRAFT around the cursor that fits into COLUMNS."""
    reach = REACH * max(1, columns)
    before = _flat(draft.text[max(0, draft.at - reach) : draft.at])
    after = _flat(draft.text[draft.at : draft.at + reach])
    before = last_of(before, max(0, columns - 1 - min(width(after), columns // 4)))
    rest = first_of(after[1:], columns - width(before + after[:1]))
    return Span(before), Span(after[:1] or " ", "reverse"), Span(rest)


def _flat(text: str) -> str:
    return visible(text.replace("\n", NEWLINE))
