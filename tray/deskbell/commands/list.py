"""`deskbell list`: print every session, the most urgent first."""

import argparse
import asyncio
import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from deskbell.board import Board, board
from deskbell.commands._world import follow, world
from deskbell.notices.probe import probe
from deskbell.session import Session
from deskbell.sessions.contract import VERSION, as_json
from deskbell.sessions.folder import cannot_be
from deskbell.terminal.console import console
from deskbell.terminal.out import say_json
from deskbell.text.table import cells, table
from deskbell.text.wording import counts

KEPT = 24 * 3600.0
"""Seconds for which --all shows a session that has ended."""
REFRESH = 10.0
"""Seconds after which --watch draws the table again even if nothing happened, because it shows how long ago."""

Show = Callable[[Sequence[Session], float], None]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print a JSON object, as docs/json.md describes it")
    parser.add_argument(
        "--all", action="store_true", help="include `claude -p` runs and sessions that ended within a day"
    )
    parser.add_argument("--watch", action="store_true", help="keep running and show every change")


def run(args: argparse.Namespace) -> int:
    there = world(ended_for=KEPT if args.all else 15.0, probe=_probe)
    terminal = console()

    def once(show: Show) -> None:
        now = time.time()
        show(_chosen(there.read(now), args.all, now), now)

    def endlessly(show: Show) -> None:
        asyncio.run(follow(there, lambda sessions, now: show(_chosen(sessions, args.all, now), now), REFRESH))

    go = endlessly if args.watch else once
    if args.json:
        go(_print_json)
    elif args.watch and terminal.is_terminal:
        with Live(console=terminal, auto_refresh=False, screen=True) as live:
            go(lambda sessions, now: live.update(_picture(sessions, now, terminal.width), refresh=True))
    else:
        go(lambda sessions, now: terminal.print(_picture(sessions, now, terminal.width)))
    return 0


def _chosen(sessions: Sequence[Session], everything: bool, now: float) -> Sequence[Session]:
    arranged = board(sessions, now)
    if not everything:
        return arranged.sessions
    shown = {session.key for session in (*arranged.sessions, *arranged.hidden)}
    past = sorted((session for session in sessions if session.key not in shown), key=lambda session: -session.since)
    return *arranged.sessions, *arranged.hidden, *past


def _probe(session: Session, now: float) -> None:
    probe(session, now)
    cells(session, now)


def _print_json(sessions: Sequence[Session], now: float) -> None:
    listed = Board(tuple(session for session in sessions if not session.hidden))
    fields = [_fields(session) for session in sessions]
    shown = {"version": VERSION, "at": now, "counts": listed.counts, "sessions": fields}
    say_json(shown, flush=True)


def _fields(session: Session) -> dict[str, Any]:
    """Return the object of SESSION, or why it has none: one bad session does not take the others away from a script."""
    try:
        fields = as_json(session)
        json.dumps(fields, allow_nan=False)
    except Exception as error:  # noqa: BLE001  # an error in one session must not affect the others
        return {"session_id": session.session_id, "error": cannot_be("written", error)}
    return fields


def _picture(sessions: Sequence[Session], now: float, width: int) -> RenderableType:
    if not sessions:
        return Text("No Claude Code session is running here.", "dim")
    return Group(table(sessions, now, width), Text(""), Text(counts(Board(tuple(sessions))), "dim"))
