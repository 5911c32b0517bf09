"""`deskbell` without a command: show the sessions, what is wrong, and what to do next."""

import argparse
import time
from collections.abc import Iterator
from textwrap import wrap

from deskbell.board import board
from deskbell.commands._world import world
from deskbell.commands._wrong import problems
from deskbell.commands.list import print_list, probe_row
from deskbell.files.there import exists
from deskbell.home import Home, home
from deskbell.program.single import place, running
from deskbell.sessions.usages import usages
from deskbell.terminal.lines import print_lines
from deskbell.terminal.out import columns
from deskbell.text.rows import Line, Span
from deskbell.text.times import clock
from deskbell.text.usage import in_words

COMFORTABLE = 100
"""The most columns of a sentence."""


def run(_args: argparse.Namespace) -> int:
    places, now = home(), time.time()
    sessions = board(world(probe=probe_row).read(now), now).sessions
    print_list(sessions, now)
    wrong = [_wrapped(Span("! ", "bold yellow"), Span(said)) for said in problems(places)]
    steps = [_wrapped(Span(""), Span(said)) for said in _steps(places, now, bool(sessions))]
    used = [_wrapped(Span(""), Span(f"Limits: {said}")) for said in in_words(usages(places.statusline, now), now)]
    print_lines([(), *(line for part in (*used, *wrong, *steps) for line in part)])
    return 0


def _steps(places: Home, now: float, sessions: bool) -> Iterator[str]:
    """Yield what the person can do next."""
    if running(place(places)) is None:
        yield "Deskbell is not running, so nothing rings. Run `deskbell run`."
    elif (until := _snooze(places, now)) is not None:
        yield f"Snoozed until {clock(until, now)}. `deskbell unsnooze` ends it."
    if sessions:
        yield "`deskbell show ID` tells more about a session. `deskbell why` explains what rang and what did not."
    else:
        yield "Start `claude` in a terminal: its session appears here. `deskbell demo` plays an afternoon without it."
    yield "`deskbell --help` lists all commands."


def _snooze(places: Home, now: float) -> float | None:
    if not exists(places.state / "quiet.json"):
        return None
    from deskbell.notices import quiet  # imported here, because it is seldom needed

    return quiet.read(places.state).snooze(now)


def _wrapped(mark: Span, said: Span) -> list[Line]:
    """Return the lines of a sentence, with its MARK before the first."""
    room = min(columns() or COMFORTABLE, COMFORTABLE) - len(mark.text)
    first, *more = wrap(said.text, room) or [""]
    indent = Span(" " * len(mark.text))
    return [(mark, said._replace(text=first)), *((indent, said._replace(text=line)) for line in more)]
