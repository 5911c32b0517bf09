"""Let the person choose a session to resume from a list, the newest first."""

import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from deskbell.errors import Misuse, NotFound
from deskbell.home import home
from deskbell.sessions.written import Glance, Written, glance
from deskbell.terminal.console import console
from deskbell.terminal.out import ask, say
from deskbell.text.times import ago
from deskbell.text.wording import short, short_id
from deskbell_hooks.record import read_record

PAGE = 20
"""Sessions that are shown at once."""


class Listed(NamedTuple):
    """A session in the list."""

    session_id: str
    project: str
    title: str
    at: float


def chosen(transcripts: Sequence[Written]) -> str | None:
    """Return the id of the session that the person chooses; None if they choose none.

    Raise NotFound if TRANSCRIPTS has no session, and Misuse if stdin is not a terminal.
    """
    rest, shown = _listed(transcripts), list[Listed]()
    more = _show_more(rest, shown)
    if not shown:
        raise NotFound("There is no session to resume.", "Run `deskbell list` to see those that run.")
    if not sys.stdin.isatty():
        raise Misuse("Name the session to resume: `deskbell resume ID`.", "The list is only for a terminal.")
    while True:
        said = ask(f"Number{', m for more' if more else ''}, or Enter for none: ")
        word = (said or "").strip().lower()
        if not word:
            return None
        if word in ("m", "more") and more:
            more = _show_more(rest, shown)
        elif word.isascii() and word.isdigit() and 0 < int(word[:9]) <= len(shown):
            return shown[int(word) - 1].session_id
        else:
            say(f"Type a number from 1 to {len(shown)}.")


def _listed(transcripts: Sequence[Written]) -> Iterator[Listed]:
    """Yield the sessions of TRANSCRIPTS, but no runs of `claude -p`. Each is read only when asked for."""
    for one in transcripts:
        seen = glance(one.path)
        if not seen.printed:
            yield Listed(one.session_id, _project(one, seen), _title(one, seen), one.at)


def _title(one: Written, seen: Glance) -> str:
    record = read_record(f"{home().sessions}/{one.session_id}.json", one.session_id) or {}
    return str(seen.title or record.get("title") or seen.prompt or record.get("prompt") or "")


def _project(one: Written, seen: Glance) -> str:
    return Path(seen.first).name or one.kept_in


def _show_more(rest: Iterator[Listed], shown: list[Listed]) -> bool:
    """Show the next sessions and add them to SHOWN. Return whether there may be more."""
    page = list(islice(rest, PAGE))
    if page:
        table = Table(box=None, pad_edge=False, show_header=False)
        for column in ("number", "id", "project", "title", "age"):
            table.add_column(column, no_wrap=True, overflow="ellipsis")
        for number, one in enumerate(page, len(shown) + 1):
            title, project = short(one.title, 60), short(one.project, 30)
            table.add_row(*map(Text, (str(number), short_id(one.session_id), project, title, ago(one.at, time.time()))))
        console().print(table)
    shown += page
    return len(page) == PAGE
