"""Carry out a click that answers a request, and show the next step, or why the click did not count."""

from dataclasses import replace
from typing import Protocol

from deskbell.answers.desk import UNHEARD_OF
from deskbell.answers.steps import Answer as Sent
from deskbell.answers.steps import Refusal
from deskbell.asking import Asking
from deskbell.face.actions import Answer, Jump
from deskbell.notices.notice import JUMP, MOST_BUTTONS, Button, answer_buttons, slot
from deskbell.notices.words import has_room
from deskbell.program.failed import FAILED, could_not, typed
from deskbell.session import Session
from deskbell.text.wording import headline, short
from deskbell_icons import Sign


class Press(Protocol):
    def __call__(
        self, code: str, choice: str, text: str | None = None, on: int | None = None
    ) -> Asking | Sent | Refusal:
        """Carry out a choice of an open request. Return its next step, what was sent, or why it was refused."""


class Say(Protocol):
    def __call__(self, slot: str, title: str, text: str, *buttons: Button, sign: Sign = "plain") -> None:
        """Show a message to the person, in place of what is in SLOT."""


def nobody_asks(code: str, choice: str, text: str | None = None, on: int | None = None) -> Refusal:
    return UNHEARD_OF


def answer(session: Session, action: Answer, press: Press, say: Say) -> None:
    """Carry out the choice of ACTION with PRESS, and show with SAY what follows.

    The click has closed the notification of SESSION, so the next step is shown in a slot of its own. If the click did
    not count, the request is still open and is shown again.
    """
    step = press(action.code, action.choice, action.text, action.step)
    if isinstance(step, Asking):
        _ask(session, step, "", say)
    elif isinstance(step, Refusal):
        if session.asking and session.asking.code == action.code:
            _ask(session, session.asking, f"{step.why}{typed(action)}", say)
        else:
            say(FAILED, could_not(action), f"{step.why}{typed(action)}", sign="error")


def title(session: Session) -> str:
    """Return the title of a message about one session."""
    return short(f"{session.project}: {session.name}", 100)


def place(session_id: str, pid: int | None) -> str:
    """Return the slot of the next steps of a request."""
    return f"answer {slot((session_id, pid))}"


def _ask(session: Session, asking: Asking, why: str, say: Say) -> None:
    """Show the step ASKING below WHY a click did not count, which may be empty."""
    asking = asking.where(has_room(asking.whole))
    session = replace(session, detail=asking.detail, asking=asking)
    text = asking.whole if has_room(asking.whole) and asking.whole else (short(asking.detail, 200),)
    buttons = (*answer_buttons(session.key, session.status, asking), Button("go", JUMP, Jump(session.key)))
    asks = short(f"{session.project} {headline(session)}", 100)
    body = "\n".join(filter(None, (*text, why, asking.why_not)))
    say(place(*session.key), asks, body, *buttons[:MOST_BUTTONS], sign=session.status)
