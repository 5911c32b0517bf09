"""`deskbell events`: print the events of one session or of all, and with --follow those that come."""

import argparse
import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from deskbell.commands._session import named_session
from deskbell.desktop.watch import watch
from deskbell.errors import Misuse
from deskbell.history.events import Event, Events, Filter
from deskbell.history.past import foreign
from deskbell.history.phrases import words
from deskbell.home import home
from deskbell.program.boundary import Boundary
from deskbell.terminal.console import console
from deskbell.terminal.out import complain, say, say_json
from deskbell.text.clean import clean, cut
from deskbell.text.times import end_of, exact
from deskbell.text.wording import short, short_id, without_secrets_inside
from deskbell.wake import Wake

VERSION = 1
LONGEST = 500
"""Characters of the words of one event."""
LOOK_EVERY = 30.0
"""Seconds after which a follower reads the journals even if the watcher reported no change."""
TEXTS = frozenset(("subject", "error", "facts", "tasks"))
"""The fields with texts that an older version may have written with secrets."""
Show = Callable[[Event], None]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id",
        nargs="?",
        metavar="ID",
        help="show one session, named by the start of its id, title or project (default: all)",
    )
    parser.add_argument(
        "--event",
        action="append",
        default=[],
        metavar="NAME",
        help="show only these events, such as Stop; repeat it for several",
    )
    parser.add_argument(
        "--since", metavar="T", help="show only events since then: 10m, 2h, 3d, 2026-11-18 or 2026-11-18T10:00"
    )
    parser.add_argument(
        "--follow", action="store_true", help="keep printing new events; add --since to start with older ones"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object a line, as docs/json.md describes it"
    )


def run(args: argparse.Namespace) -> int:
    places, now = home(), time.time()
    since = point_in_time(args.since, now) if args.since else 0.0
    only = named_session(args.id).session_id if args.id else None
    chosen = Filter(only, frozenset(args.event), since)
    events = Events(places.events, chosen, lambda names: complain(foreign(places.events, names)))
    show = _as_json(args.follow) if args.json else _as_text(console(), args.id is None, args.follow)
    if not args.follow:
        for event in events.read():
            show(event)
        return 0
    if not args.since:
        events.skip()
    asyncio.run(_follow(events, show))
    return 0


async def _follow(events: Events, show: Show) -> None:
    async for event in follow(events, [home().sessions]):
        show(event)


async def follow(events: Events, folders: Sequence[Path]) -> AsyncIterator[Event]:
    """Yield events as they happen, without end, whenever something changes in FOLDERS.

    A recorder replaces its record after every line of its journal, so the folder of the records is the one to watch.
    """
    wake, boundary = Wake(), Boundary()
    watcher = watch(folders, wake, boundary)
    try:
        while True:
            wake.clear()
            for event in events.read():
                yield event
            await wake.wait(LOOK_EVERY)
            watcher.mend()
    finally:
        watcher.close()
        await boundary.stopped()


def point_in_time(said: str, now: float) -> float:
    """Seconds since the epoch for a date, a date with a time, or a duration before NOW. Raise Misuse for the rest."""
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(said).timestamp()
    with suppress(Misuse):
        if said[:1].isdigit():
            return 2 * now - end_of(said, now)
    raise Misuse(f'"{cut(clean(said), 60)}" is not a point in time. Use 10m, 2h, 3d, 2026-11-18 or 2026-11-18T10:00.')


def _as_json(follows: bool) -> Show:
    def show(event: Event) -> None:
        told = {name: without_secrets_inside(value) if name in TEXTS else value for name, value in event.line.items()}
        fields = {name: value for name, value in told.items() if name != "v"}
        say_json({"version": VERSION, "session_id": event.session_id, **fields}, flush=follows)

    return show


def _as_text(terminal: Console, many: bool, follows: bool) -> Show:
    def show(event: Event) -> None:
        line = event.line
        whose = f"{short_id(event.session_id)}  " if many else ""
        row = Text(f"{exact(line['at'])}  ", "dim")
        row.append(whose, "dim").append(f"{short(line['event'], 20):<20}  ", "bold")
        row.append("↳ " if line.get("agent") else "").append(short(words(line), LONGEST))
        if terminal.is_terminal:
            terminal.print(row, no_wrap=True, overflow="ellipsis")
        else:  # not cut, and faster than rich: there may be a million events
            say(row.plain, flush=follows)

    return show
