"""`deskbell list`: print every session, the most urgent first."""

import argparse
import json
import time
from collections.abc import Sequence
from typing import Any

from deskbell.board import Board, board
from deskbell.commands._world import probe, world
from deskbell.session import Session
from deskbell.sessions.contract import VERSION, as_json
from deskbell.sessions.folder import cannot_be
from deskbell.sessions.world import World
from deskbell.terminal.lines import print_lines
from deskbell.terminal.out import columns, has_screen, say_json
from deskbell.text.rows import cells
from deskbell.text.table import lines, listing

KEPT = 24 * 3600.0
"""Seconds for which --all shows a session that has ended."""
REFRESH = 10.0
"""Seconds after which --watch draws the list again even if nothing happened, because it shows ages."""

EXAMPLES = """\
examples:
  deskbell list --watch                keep the list on the screen; Ctrl+C ends it
  deskbell list --all                  include what ended within a day, and `claude -p`
  deskbell list --json | jq '.counts'  print the numbers for a script
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("--json", action="store_true", help="print a JSON object, as docs/json.md describes it")
    parser.add_argument(
        "--all", action="store_true", help="include `claude -p` runs and sessions that ended within a day"
    )
    parser.add_argument("--watch", action="store_true", help="keep running and show every change")


def run(args: argparse.Namespace) -> int:
    there = world(ended_for=KEPT if args.all else 15.0, probe=probe_row)
    print_them = _print_json if args.json else print_list

    def show(sessions: Sequence[Session], now: float) -> None:
        print_them(_chosen(sessions, args.all, now), now)

    if not args.watch:
        now = time.time()
        show(there.read(now), now)
    elif args.json or not has_screen():
        from deskbell.commands._follow import follow  # imported here, because the import takes as long as all the rest

        follow(there, show, REFRESH)
    else:
        _watch(there, args.all)
    return 0


def _watch(there: World, everything: bool) -> None:
    """Keep the list on the screen."""
    from deskbell.commands._follow import follow  # imported here, because printing once needs neither
    from deskbell.terminal.screen import screen

    with screen() as draw:

        def show(sessions: Sequence[Session], now: float) -> None:
            chosen = _chosen(sessions, everything, now)
            draw(lambda columns, rows: lines(listing(chosen, now, columns), rows))

        follow(there, show, REFRESH)


def _chosen(sessions: Sequence[Session], everything: bool, now: float) -> Sequence[Session]:
    arranged = board(sessions, now)
    if not everything:
        return arranged.sessions
    shown = {session.key for session in (*arranged.sessions, *arranged.hidden)}
    past = sorted((session for session in sessions if session.key not in shown), key=lambda session: -session.since)
    return *arranged.sessions, *arranged.hidden, *past


def probe_row(session: Session, now: float) -> None:
    """Raise the error, if there is one, that prevents SESSION from ringing or from being listed."""
    probe(session, now)
    cells(session, now)


def _print_json(sessions: Sequence[Session], now: float) -> None:
    listed = Board(tuple(session for session in sessions if not session.hidden))
    fields = [_fields(session) for session in sessions]
    shown = {"version": VERSION, "at": now, "counts": listed.counts, "sessions": fields}
    say_json(shown, flush=True)


def _fields(session: Session) -> dict[str, Any]:
    """Return the JSON object of SESSION, or one that says why there is none. One bad session hides no other."""
    try:
        fields = as_json(session)
        json.dumps(fields, allow_nan=False)
    except Exception as error:  # noqa: BLE001  # an error in one session must not affect the others
        return {"session_id": session.session_id, "error": cannot_be("written", error)}
    return fields


def print_list(sessions: Sequence[Session], now: float) -> None:
    print_lines(lines(listing(sessions, now, columns())), flush=True)
