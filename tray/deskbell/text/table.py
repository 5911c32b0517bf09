"""Lay out a list of sessions for a terminal of any width. Pure.

`lines` turns what `listing` returns into lines of styled text, which `deskbell.terminal.lines` prints. A wide terminal
gets those columns in which some session has a value; a narrow one gets two lines for each session. What a session asks
or does gets its room first.
"""

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import NamedTuple

from deskbell.board import Board
from deskbell.session import Session
from deskbell.text.rows import Cells, Line, Span, cells, heading
from deskbell.text.width import cut_to, fitted, width
from deskbell.text.wording import counts

STYLES = {
    "Blocked": "bold red",
    "Your turn": "bold cyan",
    "Running": "bold green",
    "Crashed": "bold red",
    "Ended": "dim",
    "New": "dim",
}
"""The headings in their order, with their colours."""
NARROW = 60
"""Columns. A narrower terminal gets two lines for each session."""
ENDLESS = 1000
"""The columns of a place without a width, such as a pipe."""
GAP = "  "
DOT = " · "
"""Separates what a session does from its title, if they share a column."""
TITLE = 20
"""The fewest columns for titles in a column of their own. With fewer, they follow what the session does."""
LEAST = 8
"""The fewest columns in which the beginning of a title is shown."""
LONGEST = {"project": 24, "title": 40, "branch": 20, "model": 16, "context": 7}
EXTRAS = ("branch", "context", "model")
"""The columns that are shown if there is room after the others, the most useful first."""


class Section(NamedTuple):
    heading: Line
    rows: tuple[tuple[Line, ...], ...]
    """The lines of each session."""


class Listing(NamedTuple):
    names: Line
    """The names of the columns; empty if there are no columns."""
    sections: tuple[Section, ...]
    summary: tuple[Line, ...]


class Widths(NamedTuple):
    project: int
    age: int
    what: int
    title: int
    """0: the title follows what the session does."""
    extras: dict[str, int]


def listing(sessions: Sequence[Session], now: float, columns: int | None) -> Listing:
    """Return the listing for COLUMNS of the terminal; None if nothing limits the width."""
    rows = [(heading(session), cells(session, now)) for session in sessions]
    room = columns or ENDLESS
    widths = _widths([row for _, row in rows], room)
    drawn = [(title, _two_lines(row, room) if room < NARROW else (_line(row, widths),)) for title, row in rows]
    sections = [
        Section((Span(title, style),), tuple(lines for named, lines in drawn if named == title))
        for title, style in STYLES.items()
    ]
    summary = counts(Board(tuple(session for session in sessions if not session.hidden)))
    return Listing(
        () if room < NARROW or not rows else _names(widths),
        tuple(section for section in sections if section.rows),
        tuple((Span(line, "bold"),) for line in wrap(summary, room)),
    )


def lines(shown: Listing, height: int | None = None) -> list[Line]:
    """Return the lines of SHOWN, at most HEIGHT. If sessions are left out, one line says how many."""
    if not shown.sections:
        return [*shown.summary]
    loose = [*_all(shown, space=True), (), *shown.summary]
    if height is None or len(loose) <= height:
        return loose
    tight = [*_all(shown, space=False), (), *shown.summary]
    return tight if len(tight) <= height else _cut(shown, height)


def _widths(rows: Sequence[Cells], room: int) -> Widths:
    """Give what each session asks the room that it needs, then the titles, then the other columns."""

    def widest(texts: Iterable[str], most: int = ENDLESS) -> int:
        return min(max(map(width, texts), default=0), most)

    longest = min(LONGEST["project"], max(LEAST, room // 6))
    project = max(widest((row.project for row in rows), longest), len("project"))
    age = max(widest(row.age for row in rows), len("for"))
    left = room - width("●") - 1 - LEAST - 3 * len(GAP) - age - project
    what = max(widest(row.what.text for row in rows), len("what"))
    title = widest((row.title for row in rows), LONGEST["title"])
    if not title or left - what - len(GAP) < min(title, TITLE):
        return Widths(project, age, left, 0, {})
    title = min(title, left - what - len(GAP))
    left -= what + len(GAP) + title
    extras = {}
    for name in EXTRAS:
        wanted = widest((row.extras[name] for row in rows), LONGEST[name])
        wanted = max(wanted, len(name)) if wanted else 0
        if wanted and left >= len(GAP) + wanted:
            extras[name] = wanted
            left -= len(GAP) + wanted
    return Widths(project, age, what, title, extras)


def _names(widths: Widths) -> Line:
    named = ["  id      ", f"{'for':>{widths.age}}", fitted("project", widths.project)]
    if widths.title:
        named += [fitted("what", widths.what), fitted("title", widths.title)]
        named += [fitted(name, columns) for name, columns in widths.extras.items()]
    else:
        named.append("what")
    return (Span(GAP.join(named).rstrip(), "dim"),)


def _line(row: Cells, widths: Widths) -> Line:
    first = (
        row.sign,
        Span(f" {fitted(row.id, LEAST)}{GAP}{row.age:>{widths.age}}{GAP}", "dim"),
        Span(fitted(row.project, widths.project), f"bold {row.style}".strip()),
        Span(GAP),
    )
    if not widths.title:
        return trimmed((*first, *_what_and_title(row, widths.what)))
    return trimmed(
        (
            *first,
            _styled(fitted(row.what.text, widths.what), row),
            Span(f"{GAP}{fitted(row.title, widths.title)}", row.style),
            *(Span(f"{GAP}{fitted(row.extras[name], room)}", "dim") for name, room in widths.extras.items()),
        )
    )


def _two_lines(row: Cells, room: int) -> tuple[Line, ...]:
    first = f" {row.id}{GAP}{row.age}{GAP}"
    project = cut_to(row.project, room - width(first) - 1)
    second = _what_and_title(row, room - len(GAP))
    top = trimmed((row.sign, Span(first, "dim"), Span(project, f"bold {row.style}".strip())))
    return (top, (Span(GAP), *second)) if second else (top,)


def _what_and_title(row: Cells, room: int) -> Line:
    what = cut_to(row.what.text, room)
    left = room - width(what) - (len(DOT) if what else 0)
    title = cut_to(row.title, left) if left >= LEAST else ""
    spans = [_styled(what, row)] if what else []
    spans += [Span(f"{DOT if what else ''}{title}", "dim" if what else row.style)] if title else []
    return tuple(spans)


def _styled(text: str, row: Cells) -> Span:
    return Span(text, row.what.style or row.style)


def trimmed(line: Line) -> Line:
    """Return LINE without the spaces at its end."""
    kept = list(line)
    while kept and not kept[-1].text.rstrip():
        kept.pop()
    return (*kept[:-1], kept[-1]._replace(text=kept[-1].text.rstrip())) if kept else ()


def _all(shown: Listing, space: bool) -> list[Line]:
    found = [shown.names] if shown.names else []
    for number, section in enumerate(shown.sections):
        found += [()] if space and number else []
        found += [section.heading, *(line for row in section.rows for line in row)]
    return found


def _cut(shown: Listing, height: int) -> list[Line]:
    """Return as many whole sessions as fit, then the number of the others, and the summary."""
    found = [shown.names] if shown.names else []
    room, left_out = max(0, height - 2 - len(shown.summary)), 0
    for section in shown.sections:
        for number, row in enumerate(section.rows):
            new = [section.heading, *row] if number == 0 else [*row]
            if left_out or len(found) + len(new) > room:
                left_out += 1
            else:
                found += new
    more = (Span(f"… {left_out} more", "dim"),)
    return [*found[:room], more, (), *shown.summary][-max(1, height) :]
