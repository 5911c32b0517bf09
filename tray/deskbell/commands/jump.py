"""`deskbell jump`: bring the window, the tab and the pane of a session to the front."""

import argparse
import time
from contextlib import suppress

from deskbell.board import board
from deskbell.commands._session import named_session, one_client
from deskbell.commands._shown import shown
from deskbell.commands._world import world
from deskbell.desktop.jump import whereabouts
from deskbell.desktop.link import is_link, session_of
from deskbell.errors import Problem
from deskbell.home import home
from deskbell.program.jumping import go_to
from deskbell.session import Session
from deskbell.sessions.visits import following, remember, visits
from deskbell.terminal.out import say
from deskbell.text.wording import short, short_id


def arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("id", nargs="?", help="name the session by the start of its id, title or project")
    urgent = "go to the most urgent session; use it again to go to the next one"
    which.add_argument("--next", action="store_true", help=urgent)
    parser.add_argument("--print", dest="only_print", action="store_true", help="print where it is, and go nowhere")


def run(args: argparse.Namespace) -> int:
    session = _next() if args.next else _named(args.id)
    if args.only_print:
        say(f"{short(session.name, 60)}: {whereabouts(session)}")
        return 0
    came = go_to(session, None, home())
    if args.next and not came.reached:
        with suppress(OSError):  # it was its turn: the next use leads to another one that can be reached
            remember(home().state, session.session_id, time.time())
    return shown(session, came)


def _next() -> Session:
    now = time.time()
    waiting = board(world(probe=_shown_nowhere).read(now), now).needs_you
    if found := following(waiting, visits(home().state)):
        return found
    raise Problem("No session needs you.", "Run `deskbell list` to see those that run.")


def _shown_nowhere(_: Session, _now: float) -> None:
    """Leave out whether the session can be shown: a jump shows nothing of it."""


def _named(said: str) -> Session:
    """Return the client of the session that SAID names. Raise Problem if several run it, or if none is left."""
    found = named_session(session_of(said) if is_link(said) else said, _shown_nowhere)
    client = one_client(found)
    if client is None:
        name = short_id(found.session_id)
        raise Problem(f"Session {name} has ended.", f"Run `deskbell resume {name}` to go on with it.")
    return client
