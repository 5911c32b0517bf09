"""Carry out a reply that was typed into a notification, and tell the person what became of it if it did not arrive."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from deskbell.errors import Problem
from deskbell.face.actions import Jump, Resume
from deskbell.home import Home
from deskbell.notices.notice import JUMP, RESUME, Button
from deskbell.session import Session
from deskbell.text.wording import short

if TYPE_CHECKING:
    from deskbell.program.clicks import Say

NOT_DELIVERED = "reply"
"""The slot of the message."""


async def reply_to(session: Session, typed: str | None, home: Home, copy: Callable[[str], str], say: "Say") -> None:
    """Raise Problem if nothing was typed. Say nothing of a reply that arrives: the session goes on."""
    from deskbell.program.replying import refuse_off, reply  # imported for a reply, and for no other click

    if typed is None:
        raise Problem("Nothing was typed.", "Type the text into the notification.")
    await asyncio.to_thread(refuse_off, home)
    came = await asyncio.to_thread(reply, session, typed, home, copy)
    if not came.delivered:
        go_on = Button("resume", RESUME, Resume(session.key)) if session.over else Button("go", JUMP, Jump(session.key))
        title = short(f"{session.project}: {session.name}", 100)
        say(NOT_DELIVERED, title, came.sentence, go_on, sign="error")
