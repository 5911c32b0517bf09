"""Draw the whole board as the lines of a screen, from the sessions and what the person has chosen. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from deskbell.asking import Choice
from deskbell.board import Board, board
from deskbell.cards.deck import Deck
from deskbell.cards.ends import NAME, Button, foot, head, message_lines, page_foot, spent_today
from deskbell.cards.lanes import Lane, View, lanes, past
from deskbell.cards.panes import LOW, Pane, panes
from deskbell.cards.request import Row, first_of_step, offers, read_with, rows
from deskbell.cards.spans import fit, restyled, wide
from deskbell.cards.state import Page, State, settled
from deskbell.face.facts import Facts
from deskbell.session import Session
from deskbell.text.rows import Line, Span
from deskbell.text.table import trimmed

THUMB = Span("▐", "dim")
"""The part of the scroll bar that shows which part of a pane is visible."""


TALL = 20
"""Lines of a screen with room for both lines of a problem."""


class Content(NamedTuple):
    """All sessions at one moment."""

    sessions: Sequence[Session]
    board: Board
    past: Sequence[Session]
    """The sessions that ended within a day and have left the board."""
    spent: str
    """What was spent today, in words."""


NOTHING = Content((), Board(), (), "")


def content(sessions: Sequence[Session], now: float) -> Content:
    """Return what the board shows of SESSIONS at NOW."""
    arranged = board(sessions, now)
    return Content(sessions, arranged, past(arranged, sessions), spent_today(sessions, now))


class Picture(NamedTuple):
    """One screen, and what clicks on it mean."""

    lines: tuple[Line, ...]
    state: State
    """The state that is shown, with an existing card chosen."""
    panes: tuple[Pane, ...]
    buttons: tuple[Button, ...]
    page_lines: int
    """The lines of the screen that a page can use."""
    page_rows: int = 0
    """The lines of the whole page."""
    offers: Mapping[str, Choice] = MappingProxyType({})
    """The answers that are on the screen, by their keys."""


def picture(what: Content, state: State, facts: Facts, now: float, columns: int, lines: int, deck: Deck) -> Picture:
    """Return what a screen of COLUMNS and LINES shows. Each of its lines has exactly COLUMNS columns."""
    above = _room_above(lines)
    top = head(what.board, what.spent, facts, now, columns, above)[:above]
    if state.page and state.mode in ("page", "reply"):
        deck.keep(one.key for one in what.sessions)
        return _paged(state, state.page, top, columns, lines)
    body = max(0, lines - len(top) - 1)
    shown = lanes(what.board, what.past, state.view, now)
    laid = panes(shown, lambda one: deck.card(one, facts, now), columns, body, len(top))
    state = settled(state, laid)
    every = lanes(what.board, what.past, replace(state.view, query=""), now) if state.view.query else shown
    chosen = next((one for one in what.sessions if one.key == state.chosen), None)
    last = foot(state, _count(shown), _count(every), columns, chosen, facts)
    said = message_lines(state, columns)[:lines]
    middle = _cards(laid, state, deck, columns, body, len(top))
    drawn = (*(*top, *middle, last.line)[: lines - len(said)], *said)
    deck.keep(one.key for one in what.sessions)
    return Picture(drawn, state, laid, () if said else last.buttons, max(0, body - 1))


def _room_above(lines: int) -> int:
    """Return how many lines the counts and a problem may take. On a low screen the cards are more important."""
    return 3 if lines >= TALL else 2 if lines >= LOW else min(1, lines - 1)


def waiting(columns: int, lines: int) -> tuple[Line, ...]:
    """Return what a screen shows until the sessions have been read for the first time."""
    said = fit((Span(" "), Span(NAME, "bold"), Span("  reading the sessions…", "dim")), columns)
    return (said, *[(Span(" " * columns),)] * (lines - 1))


def printed(what: Content, view: View, facts: Facts, now: float, columns: int) -> tuple[Line, ...]:
    """Return the whole board for `--once`, without a scroll bar and a chosen card."""
    deck = Deck()
    top = head(what.board, what.spent, facts, now, columns)
    shown = lanes(what.board, what.past, view, now)
    laid = panes(shown, lambda one: deck.card(one, facts, now), columns, None)
    body = max(pane.y + pane.lines for pane in laid)
    return (*top, (), *(trimmed(line) for line in _cards(laid, State(view=view), deck, columns, body, 0)))


def _count(shown: Iterable[Lane]) -> int:
    return sum(lane.many for lane in shown)


def _cards(laid: Sequence[Pane], state: State, deck: Deck, columns: int, body: int, top: int) -> list[Line]:
    """Return BODY lines with all panes, each at its place."""
    rows: list[list[tuple[Pane, Line]]] = [[] for _ in range(body)]
    for pane in laid:
        for at, line in enumerate(_lines(pane, state, deck), pane.y - top):
            rows[at].append((pane, line))
    return [_joined(row, columns) for row in rows]


def _joined(row: Sequence[tuple[Pane, Line]], columns: int) -> Line:
    joined: list[Span] = []
    at = 0
    for pane, line in row:
        if pane.x > at:
            joined.append(Span(" " * (pane.x - at)))
        joined += line
        at = pane.x + pane.columns
    return (*joined, Span(" " * (columns - at))) if at < columns else tuple(joined)


def _lines(pane: Pane, state: State, deck: Deck) -> list[Line]:
    """Return the lines of a pane that are on the screen."""
    scrolls = pane.whole > pane.body
    columns = pane.columns - 1 if scrolls else pane.columns
    top = state.tops.get(pane.name, 0)
    found: list[Line] = []
    place = next((at for at, start in enumerate(pane.starts[1:]) if start > top), len(pane.rows))
    skipped = top - pane.starts[place]
    while place < len(pane.rows) and len(found) < pane.body + skipped:
        row = pane.rows[place]
        if row.card:
            found += deck.lines(row.card, columns, pane.sizes[place], row.card.key == state.chosen)
        else:
            found.append(fit(row.line, columns))
        place += 1
    shown = found[skipped : skipped + pane.body]
    shown += [(Span(" " * columns),)] * (pane.body - len(shown))
    if scrolls:
        first, end = _thumb(pane, top)
        shown = [(*line, THUMB if first <= at < end else Span(" ")) for at, line in enumerate(shown)]
    return [_heading(pane, state), *shown][: pane.lines]


def _heading(pane: Pane, state: State) -> Line:
    has_chosen = state.chosen is not None and pane.name == state.lane
    line = (Span("▎" if has_chosen else " ", "bold"), *pane.heading)
    below = pane.whole - pane.body - state.tops.get(pane.name, 0)
    more = (Span("  ↓ more", "dim"),) if below > 0 else ()
    return fit(restyled((*line, *more), "bold") if has_chosen else (*line, *more), pane.columns)


def _thumb(pane: Pane, top: int) -> tuple[int, int]:
    """Return the first line of the thumb of the scroll bar, and the line after its last one."""
    size = max(1, pane.body * pane.body // pane.whole)
    most = pane.whole - pane.body
    first = (pane.body - size) * top // most if most > 0 else 0
    return first, first + size


def _paged(state: State, page: Page, above: tuple[Line, ...], columns: int, lines: int) -> Picture:
    """Draw a page in place of the board: what its session asks, and its lines below that.

    What is on the screen is noted as read, and if that was the rest of the request, its answers appear at once.
    """
    said = message_lines(state, columns)[: max(0, lines - len(above) - 1)]
    body = max(0, lines - len(above) - 1 - max(1, len(said)))
    every = _rows(page, columns, lines)
    top = max(0, min(_top(state.page_top, page, columns, lines, body), len(every) - body))
    if page.asked:
        seen = read_with(page.asked, _uncut(every[top : top + body], columns))._replace(is_next=False)
        page = page._replace(asked=seen)
        every = _rows(page, columns, lines)
    shown = every[top : top + body]
    given = offers(_uncut(shown, columns), every, page.asked) if state.mode == "page" else {}
    state = replace(state, page=page, page_top=top)
    last = said or (page_foot(state, given, len(every) - top - len(shown), columns),)
    drawn = [_page_title(page, columns), *(fit(row.line, columns) for row in shown)]
    drawn += [(Span(" " * columns),)] * (body + 1 - len(drawn))
    return Picture((*above, *drawn, *last)[:lines], state, (), (), body, len(every), given)


def _rows(page: Page, columns: int, lines: int) -> tuple[Row, ...]:
    asked = rows(page.asked, columns, lines) if page.asked else ()
    return (*asked, *([Row(())] if asked and page.lines else []), *(Row((Span(" "), *line)) for line in page.lines))


def _top(top: int, page: Page, columns: int, lines: int, body: int) -> int:
    """Return the first row to show. A step that has just come is shown with what is said about it, and its answers."""
    if page.asked is None or not page.asked.is_next:
        return top
    return max(top, first_of_step(page.asked, columns, lines, body))


def _uncut(shown: Iterable[Row], columns: int) -> list[Row]:
    return [row for row in shown if wide(row.line) <= columns]


def _page_title(page: Page, columns: int) -> Line:
    return restyled(fit((Span(f" {page.title}", "bold"),), columns), "reverse")
