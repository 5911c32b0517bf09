"""Carry out a reply that was typed into a notification, and show a message if it did not arrive."""

import asyncio
from collections.abc import Callable

from deskbell.errors import Problem
from deskbell.face.actions import Jump, Resume
from deskbell.home import Home
from deskbell.notices.notice import JUMP, RESUME, Button
from deskbell.program.dialogue import Say, title
from deskbell.session import Session

NOT_DELIVERED = "reply"
"""The slot of the message."""


async def reply_to(session: Session, typed: str | None, home: Home, copy: Callable[[str], str], say: Say) -> None:
    """Send what was TYPED to SESSION. Raise Problem if nothing was typed. Show nothing if the reply arrives."""
    from deskbell.program.replying import refuse_off, reply  # imported for a reply, and for no other click

    if typed is None:
        raise Problem("Nothing was typed.", "Type the text into the notification.")
    await asyncio.to_thread(refuse_off, home)
    came = await asyncio.to_thread(reply, session, typed, home, copy)
    if not came.delivered:
        go_on = Button("resume", RESUME, Resume(session.key)) if session.over else Button("go", JUMP, Jump(session.key))
        say(NOT_DELIVERED, title(session), came.sentence, go_on, sign="error")
