"""Lay the lanes out on a screen: where each lane is, how large its cards are, and which part is visible. Pure.

On a wide screen two lanes are side by side, and the ended and the new sessions are below them. A narrow screen has one
column.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from deskbell.cards.card import Card
from deskbell.cards.drawing import SIZES, Size, height
from deskbell.cards.lanes import HEADINGS, Lane, Name
from deskbell.session import Key, Session
from deskbell.text.rows import Line, Span
from deskbell.text.table import STYLES
from deskbell.text.wording import short

NARROW = 72
"""Columns. A narrower screen has one column of cards."""
LOW = 12
"""Lines. On a lower screen, the ended sessions are in the same pane as the running ones."""
BETWEEN = 2
"""Columns between two panes."""
MANY = 12
"""Cards that are shown whole if the number of lines has no limit."""
COLOURS: dict[Name, str] = {
    "needs_you": STYLES["Blocked"],
    "running": STYLES["Running"],
    "ended": "bold",
    "new": STYLES["New"],
}
NONE_FOUND = "Nothing here has these words."
EMPTY: dict[Name, str] = {"needs_you": "Nothing needs you.", "running": "Nothing runs.", "ended": "Nothing has ended."}
"""What an empty lane says. There is no lane of new sessions if there are none."""


class Row(NamedTuple):
    """A card in a pane, or a line of text between cards."""

    lane: Name
    card: Card | None = None
    line: Line = ()
    """The text of a row that is not a card."""


class Pane(NamedTuple):
    """A part of the screen. Its first line is its heading, which does not scroll."""

    x: int
    y: int
    columns: int
    lines: int
    heading: Line
    name: Name
    """The first lane that the pane shows."""
    rows: tuple[Row, ...]
    sizes: tuple[Size, ...]
    """The size of the card in each row."""
    starts: tuple[int, ...]
    """The line at which each row begins, counted from 0, and the line at which the last one ends."""

    @property
    def body(self) -> int:
        """The number of lines that scroll: those below the heading."""
        return max(0, self.lines - 1)

    @property
    def whole(self) -> int:
        """The number of lines of all rows, visible or not."""
        return self.starts[-1]

    @property
    def places(self) -> list[int]:
        """The numbers of the rows that can be chosen."""
        return [at for at, row in enumerate(self.rows) if row.card]

    def row_at(self, line: int) -> Row | None:
        at = bisect_right(self.starts, line) - 1
        return self.rows[at] if 0 <= at < len(self.rows) else None

    def place_of(self, key: Key) -> int | None:
        return next((at for at, row in enumerate(self.rows) if row.card and row.card.key == key), None)


Cards = Callable[[Session], Card]


def panes(lanes: Sequence[Lane], card: Cards, columns: int, lines: int | None, top: int = 0) -> tuple[Pane, ...]:
    """Return the panes of LANES from the line TOP on. LINES: how many lines there are; None for no limit."""
    low = lines is not None and lines < LOW
    waiting, *others = lanes
    beside = [lane for lane in others if lane.name == "running"]
    last = [lane for lane in others if lane.name != "running" and lane.many]
    if columns < NARROW or not others:
        return (_pane([waiting, *beside, *last], card, 0, top, columns, lines),)
    left = (columns - BETWEEN) // 2
    right = columns - BETWEEN - left
    if low or not last:
        stacks = ([waiting], [*beside, *last])
        return _beside(stacks, card, (left, right), top, lines)
    below = _height(last, lines)
    above = None if lines is None else lines - below
    upper = _beside(([waiting], beside), card, (left, right), top, above)
    under = top + max(pane.lines for pane in upper)
    return *upper, _pane(last, card, 0, under, columns, below if lines is not None else None, "one")


def _beside(
    stacks: tuple[Sequence[Lane], Sequence[Lane]], card: Cards, widths: tuple[int, int], top: int, lines: int | None
) -> tuple[Pane, ...]:
    left, right = (
        _pane(stack, card, x, top, columns, lines)
        for stack, columns, x in zip(stacks, widths, (0, widths[0] + BETWEEN), strict=True)
    )
    if lines is None:
        lines = max(left.lines, right.lines)
        return left._replace(lines=lines), right._replace(lines=lines)
    return left, right


def _height(last: Sequence[Lane], lines: int | None) -> int:
    """Return the height of the lower pane: what it needs, but at most a third of LINES."""
    needed = sum(1 + len(one.sessions) + sum(bool(group.name) for group in one.groups) for one in last)
    return needed if lines is None else min(needed, max(2, lines // 3))


def _pane(
    lanes: Sequence[Lane], card: Cards, x: int, y: int, columns: int, lines: int | None, only: Size | None = None
) -> Pane:
    rows = tuple(_rows(lanes, card))
    heading = _heading(lanes[0])
    sizes = (only,) * len(rows) if only else _sizes(rows, None if lines is None else lines - 1)
    starts = tuple(accumulate(map(_height_of, rows, sizes), initial=0))
    return Pane(x, y, columns, 1 + starts[-1] if lines is None else lines, heading, lanes[0].name, rows, sizes, starts)


def _sizes(rows: Sequence[Row], room: int | None) -> tuple[Size, ...]:
    """Return the largest sizes with which all cards fit into ROOM lines; the smallest if they do not fit at all.

    What room is left makes the first cards larger: those are the ones that matter most.
    """
    if room is None:
        return ("whole" if len(rows) <= MANY else "three",) * len(rows)
    larger: Size = "whole"
    for size in SIZES:
        left = room - sum(_height_of(row, size) for row in rows)
        if left >= 0:
            break
        larger = size
    if left < 0 or size == larger:
        return (size,) * len(rows)
    needed = accumulate(_height_of(row, larger) - _height_of(row, size) for row in rows)
    grown = sum(lines <= left for lines in needed)
    return (larger,) * grown + (size,) * (len(rows) - grown)


def _height_of(row: Row, size: Size) -> int:
    return height(row.card, size) if row.card else 1


def _rows(lanes: Sequence[Lane], card: Cards) -> Iterator[Row]:
    for number, lane in enumerate(lanes):
        if number:
            yield Row(lane.name, line=(Span(" "), *_heading(lane)))
        if not lane.many:
            yield Row(lane.name, line=(Span(f"  {NONE_FOUND if lane.filtered else EMPTY[lane.name]}", "dim"),))
        for group in lane.groups:
            if group.name:
                yield Row(lane.name, line=_group(group.name, len(group.sessions)))
            yield from (Row(lane.name, card(session)) for session in group.sessions)


def _heading(lane: Lane) -> Line:
    name = Span(HEADINGS[lane.name], COLOURS[lane.name])
    if lane.name == "new":
        return (name,)
    title = name, Span(f" {lane.many}", "dim")
    if lane.name != "ended":
        return title
    crashed = len(lane.sessions) if lane.folded else sum(one.status == "crashed" for one in lane.sessions)
    crashes = Span(f", {crashed} crashed", STYLES["Crashed"])
    fold = Span("  ▸ e shows them" if lane.folded else "  ▾ e folds them", "dim")
    shown = (fold,) if lane.folded or crashed < lane.many else ()
    return (*title, *((crashes,) if crashed else ()), *shown)


def _group(name: str, count: int) -> Line:
    return Span(f"  {short(name, 40)}", "bold underline"), Span(f" {count}", "dim")
