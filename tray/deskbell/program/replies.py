"""Carry out a reply that was typed into a notification, and show a message if it did not arrive."""

import asyncio
from collections.abc import Callable

from deskbell.errors import Problem
from deskbell.face.actions import Jump, Resume
from deskbell.home import Home
from deskbell.notices.notice import JUMP, RESUME, Button
from deskbell.program.dialogue import Say, title
from deskbell.program.failed import kept
from deskbell.session import Session

NOT_DELIVERED = "reply"
"""The slot of the message."""


async def reply_to(
    session: Session,
    typed: str | None,
    home: Home,
    copy: Callable[[str], str],
    say: Say,
    turn: float | None = None,
) -> None:
    """Send what was TYPED to SESSION, as the prompt after the TURN that began then, if that is known.

    Raise Problem if nothing was typed. Show nothing if the reply arrives. Else the message has the text if the
    clipboard does not.
    """
    from deskbell.program.replying import refuse_off, reply  # imported for a reply, and for no other click

    if typed is None:
        raise Problem("Nothing was typed.", "Type the text into the notification.")
    await asyncio.to_thread(refuse_off, home)
    came = await asyncio.to_thread(reply, session, typed, home, copy, turn)
    if not came.delivered:
        go_on = Button("resume", RESUME, Resume(session.key)) if session.over else Button("go", JUMP, Jump(session.key))
        text = came.sentence if came.kept else f"{came.sentence}{kept(typed)}"
        say(NOT_DELIVERED, title(session), text, go_on, sign="error")
