"""`deskbell events`: what happened, and with --follow what happens."""

import argparse
import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from deskbell.commands._session import named_session, tell
from deskbell.desktop.watch import watch
from deskbell.errors import Problem
from deskbell.history.events import Event, Events, Wanted
from deskbell.history.past import foreign
from deskbell.history.phrases import words
from deskbell.home import home
from deskbell.text.times import end_of, exact
from deskbell.text.wording import short

VERSION = 1
LONGEST = 500
"""Characters of one event."""
LOOK_EVERY = 30.0
"""Seconds after which a follower looks even if no change was heard of."""
Show = Callable[[Event], None]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="the beginning of an id, a title or a project; without it: all sessions")
    parser.add_argument("--event", action="append", default=[], metavar="NAME", help="only these, such as Stop")
    parser.add_argument("--since", metavar="T", help="10m, 2h, 3d, 2026-11-18, 2026-11-18T10:00")
    parser.add_argument("--follow", action="store_true", help="stay; without --since only what is new")
    parser.add_argument("--json", action="store_true", help="for programs: one documented, versioned object a line")


def run(args: argparse.Namespace) -> int:
    places, now = home(), time.time()
    since = point_in_time(args.since, now) if args.since else 0.0
    only = named_session(args.id).session_id if args.id else None
    wanted = Wanted(only, frozenset(args.event), since)
    events = Events(places.events, wanted, lambda names: tell(foreign(places.events, names)))
    show = _as_json(args.follow) if args.json else _as_text(Console(highlight=False), args.id is None, args.follow)
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
    woken = asyncio.Event()
    watcher = watch(folders, woken.set)
    try:
        while True:
            woken.clear()
            for event in events.read():
                yield event
            with suppress(TimeoutError):
                await asyncio.wait_for(woken.wait(), LOOK_EVERY)
            watcher.mend()
    finally:
        watcher.close()


def point_in_time(said: str, now: float) -> float:
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(said).timestamp()
    with suppress(Problem):
        if said[:1].isdigit():
            return 2 * now - end_of(said, now)
    raise Problem(f'"{said}" is no time: say 10m, 2h, 3d, 2026-11-18 or 2026-11-18T10:00')


def _as_json(follows: bool) -> Show:
    def show(event: Event) -> None:
        fields = {name: value for name, value in event.line.items() if name != "v"}
        print(json.dumps({"version": VERSION, "session_id": event.session_id, **fields}), flush=follows)

    return show


def _as_text(console: Console, many: bool, follows: bool) -> Show:
    def show(event: Event) -> None:
        line = event.line
        whose = f"{event.session_id[:8]}  " if many else ""
        told = Text(f"{exact(line['at'])}  ", "dim")
        told.append(whose, "dim").append(f"{short(line['event'], 20):<20}  ", "bold")
        told.append("↳ " if line.get("agent") else "").append(short(words(line), LONGEST))
        if console.is_terminal:
            console.print(told, no_wrap=True, overflow="ellipsis")
        else:  # whole, and fast: there may be a million
            print(told.plain, flush=follows)

    return show
