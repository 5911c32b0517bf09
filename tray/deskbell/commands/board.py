"""`deskbell board`: show the sessions as a board of cards that follows every change, and act on them."""

import argparse
import os
import time
from functools import partial

from deskbell.cards.card import card
from deskbell.cards.keys import ResumeHere
from deskbell.cards.lanes import View
from deskbell.cards.picture import printed, seen
from deskbell.cards.state import State
from deskbell.commands._around import facts, quiet, wrong
from deskbell.commands._world import world
from deskbell.commands.list import KEPT, REFRESH, probe_row
from deskbell.errors import Misuse, Problem
from deskbell.face.facts import Facts
from deskbell.home import home
from deskbell.session import Session
from deskbell.sessions.world import World
from deskbell.terminal.lines import print_lines
from deskbell.terminal.out import columns, takes_keys
from deskbell.text.wording import short_id

WIDE = 120
"""Columns of a printed board where nothing limits the width."""
SHARE = 0.12
"""The share of a processor for reading while very much changes. Drawing takes half as much again."""

EXAMPLES = """\
examples:
  deskbell board         follow every session; ? lists the keys, q ends it
  deskbell board api     begin at a session
  deskbell board --once  print the board as it is now
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("id", nargs="?", help="choose this session: the start of its id, title or project")
    parser.add_argument("--once", action="store_true", help="print the board as it is now, and end")
    parser.add_argument("--all", action="store_true", help="show the sessions that ended within a day, too")
    parser.add_argument("--home", help=argparse.SUPPRESS)  # the tray opens this command in a terminal


def run(args: argparse.Namespace) -> int:
    if args.home:
        os.environ["DESKBELL_HOME"] = args.home
    there = world(ended_for=KEPT, probe=probe_card)
    if args.once:
        return _print(there, View(unfolded=args.all))
    chosen = _named(args.id) if args.id else None
    is_over = chosen is not None and chosen.over
    return _follow(there, State(view=View(unfolded=args.all or is_over), chosen=chosen.key if chosen else None))


def _named(said: str) -> Session:
    """Return the client that runs the session; of several, the one with the newest event."""
    from deskbell.commands._session import named_session  # imported here, because it is rarely needed

    found = named_session(said)
    if not found.sessions:
        name = short_id(found.session_id)
        raise Problem(f"Session {name} has left the board.", f"Run `deskbell show {name}` to see what is known of it.")
    return max(found.sessions, key=lambda one: (not one.over, one.heard))


def probe_card(session: Session, now: float) -> None:
    """Raise the error, if there is one, that keeps SESSION from ringing or from being shown on a card."""
    probe_row(session, now)
    card(session, Facts(), now)


def _print(there: World, view: View) -> int:
    now, places = time.time(), home()
    around = facts(quiet(places), wrong(places), now)
    what = seen(there.read(now), now)
    print_lines(printed(what, view, around, now, columns() or WIDE), flush=True)
    return 0


def _follow(there: World, state: State) -> int:
    if not takes_keys():
        raise Misuse(
            "The board needs a terminal.", "Print it with `deskbell board --once`, or use `deskbell list --watch`."
        )
    from deskbell.commands._follow import following  # imported here, because `--once` needs neither
    from deskbell.commands._hands import RealHands
    from deskbell.terminal.tui import run

    feed = partial(following, there, refresh=REFRESH, share=SHARE, own_terminal=False)
    hands = RealHands(home())
    try:
        left = run(feed, hands, state)
    finally:
        hands.close()
    if isinstance(left, ResumeHere):
        from deskbell.__main__ import main

        return main(["resume", left.session[0]])
    return left
