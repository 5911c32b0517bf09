"""`deskbell events`: print the events of one session or of all, and with --follow new ones as they come."""

import argparse
import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
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
from deskbell.nearest import suggestion
from deskbell.program.boundary import Boundary
from deskbell.terminal.console import console
from deskbell.terminal.out import complain, say, say_json
from deskbell.text.clean import clean, cut
from deskbell.text.times import exact, start_of
from deskbell.text.width import fitted
from deskbell.text.wording import short, short_id, without_secrets_inside
from deskbell.wake import Wake
from deskbell_hooks.fold import TABLE
from deskbell_hooks.record import read_record

VERSION = 1
LONGEST = 500
"""Characters of the words of one event."""
PROJECT = 14
"""Columns of the name of a project."""
LOOK_EVERY = 30.0
"""Seconds after which --follow reads the journals even if the watcher reported no change."""
TEXTS = frozenset(("subject", "error", "facts", "tasks"))
"""The fields in which an older version may have written secrets."""
Show = Callable[[Event], None]

EXAMPLES = """\
examples:
  deskbell events api --since 2h             print what happened in a session within two hours
  deskbell events --follow --event Stop      print the end of every turn as it comes
  deskbell events --json --since 2026-11-18  print JSON of what happened since that day
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
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
        "--since", metavar="T", help="show only events since then: 10m, 2h, 17:30, yesterday or 2026-11-18T10:00"
    )
    parser.add_argument(
        "--follow", action="store_true", help="keep printing new events; add --since to start with older ones"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object a line, as docs/json.md describes it"
    )


def run(args: argparse.Namespace) -> int:
    places, now = home(), time.time()
    _check(args.event, places.events)
    since = start_of(args.since, now) if args.since else 0.0
    only = named_session(args.id).session_id if args.id else None
    chosen = Filter(only, frozenset(args.event), since)
    events = Events(places.events, chosen, lambda names: complain(foreign(places.events, names)))
    project = _Projects(places.sessions) if args.id is None else None
    show = _as_json(args.follow) if args.json else _as_text(console(), project, args.follow)
    if not args.follow:
        empty = True
        for event in events.read():
            show(event)
            empty = False
        if empty and not args.json:
            say("No such event is recorded." if args.event or args.since else "No event is recorded.")
        return 0
    if not args.since:
        events.skip()
    asyncio.run(_follow(events, show))
    return 0


def _check(names: Sequence[str], folder: Path) -> None:
    """Raise Misuse for a name that is neither known nor recorded. A newer client may record unknown events."""
    for name in names:
        recorded = Events(folder, Filter(names=frozenset((name,))), lambda _: None)
        if name not in TABLE and next(recorded.read(), None) is None:
            step = suggestion(name, TABLE, "`deskbell events` prints all that were recorded.")
            raise Misuse(f'No event is called "{cut(clean(name), 60)}". {step}')


class _Projects:
    """The project of each session, from its record. It is read again until there is one."""

    def __init__(self, sessions: Path) -> None:
        self._sessions = sessions
        self._known: dict[str, str] = {}

    def of(self, session_id: str) -> str:
        if not self._known.get(session_id):
            record = read_record(f"{self._sessions}/{session_id}.json", session_id) or {}
            self._known[session_id] = fitted(short(str(record.get("project") or ""), PROJECT), PROJECT)
        return self._known[session_id]


async def _follow(events: Events, show: Show) -> None:
    async for event in follow(events, [home().sessions]):
        show(event)


async def follow(events: Events, folders: Sequence[Path]) -> AsyncIterator[Event]:
    """Yield events as they happen, without end. FOLDERS: those to watch for changes.

    The hook replaces the record after every line in the journal, so it is enough to watch the folder of the records.
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


def _as_json(follows: bool) -> Show:
    def show(event: Event) -> None:
        shown = {name: without_secrets_inside(value) if name in TEXTS else value for name, value in event.line.items()}
        fields = {name: value for name, value in shown.items() if name != "v"}
        say_json({"version": VERSION, "session_id": event.session_id, **fields}, flush=follows)

    return show


def _as_text(terminal: Console, projects: _Projects | None, follows: bool) -> Show:
    """Return what prints an event as a line. PROJECTS: None if all events are of one session."""

    def show(event: Event) -> None:
        line = event.line
        row = Text(f"{exact(line['at'])}  ", "dim")
        if projects:
            row.append(f"{short_id(event.session_id):<8}  ", "dim").append(f"{projects.of(event.session_id)}  ")
        row.append(f"{short(line['event'], 20):<20}  ", "bold")
        row.append("↳ " if line.get("agent") else "").append(short(words(line), LONGEST))
        if terminal.is_terminal:
            terminal.print(row, no_wrap=True, overflow="ellipsis")
        else:  # uncut, and without rich, which is slow for a million events
            say(row.plain, flush=follows)

    return show
