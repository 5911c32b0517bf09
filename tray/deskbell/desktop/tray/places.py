"""Decide which rows of a menu stay, which are hidden and which are new, so that no row ever moves. Pure.

A host identifies a row by its number. GNOME's AppIndicator extension loses rows that move. Versions before July 2026
leave them where they were (https://github.com/ubuntu/gnome-shell-extension-appindicator/issues/632). Newer ones drop a
row that moves past the last one (issue 649), and leave submenus behind. When a row is removed, all rows below it move.
So a row that leaves its place is hidden there, and shown again if it comes back to that place.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

Kind = tuple[str, frozenset[str]]
"""The key of a row, and the names of its properties. A row can take over the number of a row of the same kind."""

Pair = tuple[int, int]
"""The position of a row in the menu before, and its position in the menu after."""

SPARE = 12
"""The most hidden rows of a menu. If there are more, all rows from the first hidden one on are made anew."""


class Old(NamedTuple):
    """A row of the menu before the change."""

    kind: Kind
    shown: bool = True
    can_hide: bool = True
    """False for a separator, which GNOME would show again when the menu opens."""


class Place(NamedTuple):
    """A row of the new menu: one that stays (both fields), one that is hidden (only `old`) or a new one (`wanted`)."""

    old: int | None
    wanted: int | None


def places(before: Sequence[Old], wanted: Sequence[Kind], spare: int = SPARE) -> list[Place]:
    """Return the rows that turn BEFORE into a menu that shows WANTED. Neither menu may show a kind twice."""
    rows = _merged(len(before), len(wanted), _kept(before, wanted))
    hidden = [at for at, row in enumerate(rows) if row.wanted is None]
    can_hide = all(before[row.old].can_hide for row in rows if row.old is not None and row.wanted is None)
    if can_hide and len(hidden) <= spare:
        return rows
    first = hidden[0]
    return [*rows[:first], *(Place(None, row.wanted) for row in rows[first:] if row.wanted is not None)]


def _kept(before: Sequence[Old], wanted: Sequence[Kind]) -> list[Pair]:
    """Return the most rows that can stay without moving; of equal choices, the one with more visible rows."""
    start = _alike(before, wanted)
    end = _alike(before[start:][::-1], wanted[start:][::-1])
    last, until = len(before) - end, len(wanted) - end
    middle = _common(before[start:last], wanted[start:until])
    return [
        *((at, at) for at in range(start)),
        *((start + old, start + new) for old, new in middle),
        *zip(range(last, len(before)), range(until, len(wanted)), strict=True),
    ]


def _alike(before: Sequence[Old], wanted: Sequence[Kind]) -> int:
    """Return how many rows are the same at the start."""
    pairs = enumerate(zip(before, wanted, strict=False))
    return next((at for at, (old, kind) in pairs if not old.shown or old.kind != kind), min(len(before), len(wanted)))


def _common(before: Sequence[Old], wanted: Sequence[Kind]) -> list[Pair]:
    """Return the longest common subsequence. `best` is the worth of the rows from each pair of positions on."""
    most = len(before) + 1
    best = [[0] * (len(wanted) + 1) for _ in range(len(before) + 1)]
    for old in range(len(before) - 1, -1, -1):
        row, below, one = best[old], best[old + 1], before[old]
        for new in range(len(wanted) - 1, -1, -1):
            found = below[new + 1] + most + one.shown if one.kind == wanted[new] else 0
            row[new] = max(found, below[new], row[new + 1])
    return list(_path(best, before, wanted))


def _path(best: Sequence[Sequence[int]], before: Sequence[Old], wanted: Sequence[Kind]) -> Iterator[Pair]:
    old = new = 0
    while old < len(before) and new < len(wanted):
        if best[old][new] == best[old + 1][new]:
            old += 1
        elif best[old][new] == best[old][new + 1]:
            new += 1
        else:
            yield old, new
            old, new = old + 1, new + 1


def _merged(before: int, wanted: int, kept: Sequence[Pair]) -> list[Place]:
    rows, old, new = list[Place](), 0, 0
    for until_old, until_new in (*kept, (before, wanted)):
        rows += [Place(None, at) for at in range(new, until_new)]
        rows += [Place(at, None) for at in range(old, until_old)]
        rows.append(Place(until_old, until_new))
        old, new = until_old + 1, until_new + 1
    return rows[:-1]
