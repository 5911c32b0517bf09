"""Show in a real tray the sessions that stdin lists, and print every click to stdout.

Each line of stdin is a list of [session id, status, detail] as JSON. An empty line ends the program.
"""

import asyncio
import json
import sys

from deskbell.board import board
from deskbell.desktop.tray import tray, xembed
from deskbell.face import Face
from deskbell.face.actions import Action
from deskbell.face.facts import Facts
from deskbell.face.look import look
from deskbell.face.menu import menu, opened
from deskbell.program.boundary import Boundary
from deskbell.session import Session
from tests.tray.making import NOON, session


def say(word: str, what: object) -> None:
    print(json.dumps([word, what]), flush=True)


def clicked(action: Action) -> None:
    session = getattr(action, "session", None) or next(iter(getattr(action, "sessions", ())), None)
    say(type(action).__name__, session[0] if session else getattr(action, "what", None))


def face(sessions: list[list[str]]) -> Face:
    seen = board([made(*one) for one in sessions], NOON)
    facts = Facts(hooks="installed", autostart=True)
    return Face(look(seen, facts, NOON), menu(seen, facts, NOON), opened(seen))


def made(session_id: str, status: str, detail: str) -> Session:
    """Every crash is still to be seen."""
    kept_until = NOON + 3600 if status == "crashed" else None
    return session(session_id=session_id, status=status, detail=detail, kept_until=kept_until)


async def main() -> None:
    spare, boundary = "--xembed" in sys.argv, Boundary()
    one = xembed.tray(boundary, clicked) if spare else tray(boundary, clicked, lambda hosted: say("hosted", hosted))
    if one is None:
        say("no spare tray", None)
        return
    one.start()
    loop = asyncio.get_running_loop()
    while line := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        one.show(face(json.loads(line)))
    one.stop()
    await boundary.stopped()


asyncio.run(main())
