"""`deskbell board`: show the sessions as a board of cards that follows every change, and act on them."""

import argparse
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from deskbell.cards.card import card
from deskbell.cards.keys import ResumeHere, with_details
from deskbell.cards.lanes import View
from deskbell.cards.picture import content, printed
from deskbell.cards.state import State
from deskbell.commands import _held
from deskbell.commands._around import facts, quiet, wrong
from deskbell.commands._world import world
from deskbell.commands.list import KEPT, REFRESH, probe_row
from deskbell.errors import Misuse, Problem
from deskbell.face.facts import Facts
from deskbell.home import home
from deskbell.session import Session
from deskbell.sessions.world import World
from deskbell.terminal.lines import print_lines
from deskbell.terminal.out import columns, complain, takes_keys
from deskbell.text.wording import short_id

if TYPE_CHECKING:
    from deskbell.commands._follow import Show

WIDE = 120
"""Columns of a printed board if nothing limits the width."""
SHARE = 0.12
"""The part of a processor that reading may take while very much changes. Drawing takes half as much again."""

EXAMPLES = """\
examples:
  deskbell board                follow every session; ? lists the keys, q ends it
  deskbell board api            begin at a session
  deskbell board api --details  begin with the details of a session
  deskbell board --once         print the board as it is now
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("id", nargs="?", help="choose this session: the start of its id, title or project")
    parser.add_argument("--once", action="store_true", help="print the board as it is now, and end")
    parser.add_argument("--all", action="store_true", help="show the sessions that ended within a day, too")
    parser.add_argument("--details", action="store_true", help="show the details of the session first")
    parser.add_argument("--popup", action="store_true", help="end once a session is shown, as in a popup of tmux")
    parser.add_argument("--pid", type=int, help=argparse.SUPPRESS)  # which client of the session
    _held.arguments(parser)


def run(args: argparse.Namespace) -> int:
    return _held.held(_run, args)


def _run(args: argparse.Namespace) -> int:
    if args.once and args.id:
        raise Misuse("--once prints all sessions.", f"Leave {args.id} out, or run `deskbell show {args.id}`.")
    there = world(ended_for=KEPT, probe=probe_card)
    if args.once:
        return _print(there, View(unfolded=args.all))
    if args.details and not args.id:
        raise Misuse("--details needs a session.", "Name one: `deskbell board ID --details`.")
    if not args.id:
        return _follow(there, State(view=View(unfolded=args.all)), args.popup)
    chosen = _named(args.id, args.pid, there)
    state = State(view=View(unfolded=args.all or chosen.over), chosen=chosen.key)
    return _follow(there, with_details(state, chosen.key) if args.details else state, args.popup)


def _named(said: str, pid: int | None, there: World) -> Session:
    """Return the client PID of the session that SAID names, else the running client that reported last."""
    from deskbell.history.past import past  # imported here, because few name one
    from deskbell.sessions.find import find

    places = home()
    found = find(said, there.read(time.time()), lambda: past(places.sessions, places.events, complain))
    if not found.sessions:
        name = short_id(found.session_id)
        raise Problem(f"Session {name} has left the board.", f"Run `deskbell show {name}` to see what is known of it.")
    return max(found.sessions, key=lambda one: (one.pid == pid, not one.over, one.heard))


def probe_card(session: Session, now: float) -> None:
    """Raise the error, if there is one, that prevents SESSION from ringing or from being shown on a card."""
    probe_row(session, now)
    card(session, Facts(), now)


def _print(there: World, view: View) -> int:
    now, places = time.time(), home()
    around = facts(places, quiet(places), wrong(places), now)
    what = content(there.read(now), now)
    print_lines(printed(what, view, around, now, columns() or WIDE), flush=True)
    return 0


def _follow(there: World, state: State, covers: bool) -> int:
    if not takes_keys():
        raise Misuse(
            "The board needs a terminal.", "Print it with `deskbell board --once`, or use `deskbell list --watch`."
        )
    from deskbell.commands._follow import following  # imported here, because `--once` needs neither
    from deskbell.commands._hands import RealHands
    from deskbell.terminal.tui import run

    def feed(show: "Show") -> Coroutine[Any, Any, None]:
        return following(there, show, refresh=REFRESH, share=SHARE, own_terminal=False)

    hands = RealHands(home())
    try:
        left = run(feed, hands, state, covers)
    finally:
        hands.close()
    if isinstance(left, ResumeHere):
        from deskbell.__main__ import main

        return main(["resume", left.session[0]])
    return left
