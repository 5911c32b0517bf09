"""`deskbell why`: print the latest decisions to ring or not, each with its reason, or why there are none."""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from deskbell.board import Board, board
from deskbell.commands._session import named_session
from deskbell.commands._world import world
from deskbell.history.past import past
from deskbell.home import Home, home
from deskbell.notices import decisions
from deskbell.notices.decisions import Decision
from deskbell.program.single import place, running
from deskbell.session import Session
from deskbell.terminal.out import say, say_json
from deskbell.text.times import ago, exact
from deskbell.text.wording import counts, headline, short
from deskbell_hooks.trim import without_secrets

MOST = 1_000_000
"""Decisions that are read: more than the log can hold."""
NAMED = 5
"""Waiting sessions that are named if nothing was decided about them."""

EXAMPLES = """\
examples:
  deskbell why                    explain the last 20 decisions
  deskbell why web                explain the last 20 about a project
  deskbell why 3f2a9c10 --last 5  explain the last 5 about a session
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument(
        "about", nargs="?", metavar="NAME", help="explain only this project, or the session of this id or title"
    )
    parser.add_argument("--last", type=int, default=20, metavar="N", help="print the last N decisions (default: 20)")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object a line, as docs/json.md describes it"
    )


def run(args: argparse.Namespace) -> int:
    places = home()
    found, about = _found(places, min(max(1, args.last), MOST), args.about)
    for decision in found:
        if args.json:
            texts = {"project": without_secrets(decision.project), "reason": without_secrets(decision.reason)}
            say_json({"version": 1, **asdict(decision), **texts})
        else:
            say(f"{exact(decision.at):<15}  {decision.status or '':<11}  {decisions.sentence(decision)}")
    if not args.json:
        say(*_case(found, about, args.about, places))
    return 0


def _found(places: Home, last: int, said: str | None) -> tuple[list[Decision], Sequence[Session]]:
    """Return the decisions about the project or session that SAID names; if there are none, also its sessions.

    Raise NotFound if SAID names nothing.
    """
    said = (said or "").strip()
    if found := decisions.read(places.state, last, said):
        return found, ()
    now = time.time()
    present = board(world().read(now), now).sessions
    if not said:
        return [], present
    recorded = past(places.sessions, places.events, lambda _: None)
    projects = {*(one.project for one in present), *(one.project for one in recorded)}
    if project := next((name for name in projects if name.casefold() == said.casefold()), None):
        of_project = [session for session in present if session.project == project]
        return decisions.read(places.state, last, project), of_project
    one = named_session(said)
    return decisions.read(places.state, last, one.session_id), one.sessions


def _case(found: Sequence[Decision], about: Sequence[Session], said: str | None, places: Home) -> Iterator[str]:
    """Yield why nothing was decided, and why nothing rings, if that is so."""
    waiting = [] if found else [session for session in about if session.group == "needs_you"]
    if not found:
        yield f"No decision about {short(said, 60)} is recorded." if said else "No decision is recorded."
        yield from _waiting(waiting)
    if running(place(places)) is None:
        yield "Deskbell is not running, so nothing rings. Run `deskbell run`."
    elif waiting:
        yield "Deskbell rings for what happens while it runs, and once at its start for what is blocked then."


def _waiting(sessions: Sequence[Session]) -> Iterator[str]:
    now = time.time()
    for session in sessions[:NAMED]:
        yield f"  {short(session.project, 40)} {short(headline(session), 120)}, for {ago(session.since, now)}"
    if len(sessions) > NAMED:
        yield f"  and {len(sessions) - NAMED} more: {counts(Board(tuple(sessions)))}"
