"""`deskbell jump`: bring the window, the tab and the pane of a session to the front."""

import argparse
import shlex
import time

from deskbell.board import board
from deskbell.commands._session import named_session
from deskbell.commands._world import world
from deskbell.desktop.jump import whereabouts
from deskbell.desktop.jump.arrival import Arrival
from deskbell.desktop.link import is_link, session_of
from deskbell.errors import Problem
from deskbell.home import home
from deskbell.program.jumping import go_to
from deskbell.session import Session
from deskbell.sessions.visits import following, visits
from deskbell.terminal.out import complain, say
from deskbell.text.wording import short, short_id


def arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("id", nargs="?", help="name the session by the start of its id, title or project")
    which.add_argument("--next", action="store_true", help="choose the most urgent session; when used again, the next")
    parser.add_argument("--print", dest="only_print", action="store_true", help="print where it is, and go nowhere")


def run(args: argparse.Namespace) -> int:
    session = _next() if args.next else _named(args.id)
    if args.only_print:
        say(f"{short(session.name, 60)}: {whereabouts(session)}")
        return 0
    return _told(session, go_to(session, None, home()))


def _next() -> Session:
    now = time.time()
    waiting = board(world().read(now), now).needs_you
    if found := following(waiting, visits(home().state)):
        return found
    raise Problem("No session needs you.", "Run `deskbell list` to see those that run.")


def _named(said: str) -> Session:
    """Return the client of the session that SAID names; of several, the running one that reported last."""
    found = named_session(session_of(said) if is_link(said) else said)
    if not found.sessions:
        name = short_id(found.session_id)
        raise Problem(f"Session {name} has ended.", f"Run `deskbell resume {name}` to go on with it.")
    return max(found.sessions, key=lambda one: (not one.over, one.heard))


def _told(session: Session, came: Arrival) -> int:
    """Say how far the jump came. Return 1 if something is known to be missing, else 0."""
    if came.complete is not False:
        say(came.sentence)
        return 0
    complain("\n".join([came.sentence, *_next_best(session, came)]))
    return 1


def _next_best(session: Session, came: Arrival) -> list[str]:
    """Return what to do instead. Only for a session that is over, that is to resume it."""
    if came.offer:
        return [f"Run this in a terminal: {shlex.join(came.offer)}"]
    return [f"Run `deskbell resume {short_id(session.session_id)}` to go on with it."] if came.over else []
