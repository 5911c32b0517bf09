"""Decide which rows of a menu stay, which are hidden and which are new, so that no row ever moves. Pure.

A host knows a row by its number. GNOME's AppIndicator extension loses rows whose numbers move: until July 2026 it
leaves them where they were (https://github.com/ubuntu/gnome-shell-extension-appindicator/issues/632), since then it
drops a row that moves past its last one (issue 649) and leaves submenus behind. For it all rows below a removed one
move. So a row that leaves its place is hidden there, and shown again if it comes back to that place.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

Kind = tuple[str, frozenset[str]]
"""What a row must have in common with another one to take over its number: its key, and which properties it has."""

Pair = tuple[int, int]
"""Where a row is in the menu before, and where in the menu after."""

SPARE = 12
"""Hidden rows of a menu at most. With more of them, the rows from the first hidden one on are made anew."""


class Old(NamedTuple):
    kind: Kind
    shown: bool = True
    can_hide: bool = True
    """False for a separator: GNOME shows it again when the menu opens."""


class Place(NamedTuple):
    """A row of the menu after the change: one that stays (both), one that is hidden (`old`) or a new one (`wanted`)."""

    old: int | None
    wanted: int | None


def places(before: Sequence[Old], wanted: Sequence[Kind], spare: int = SPARE) -> list[Place]:
    """Return the rows that turn BEFORE into a menu that shows WANTED. No kind is shown twice, before or after."""
    rows = _merged(len(before), len(wanted), _kept(before, wanted))
    hidden = [at for at, row in enumerate(rows) if row.wanted is None]
    can_hide = all(before[row.old].can_hide for row in rows if row.old is not None and row.wanted is None)
    if can_hide and len(hidden) <= spare:
        return rows
    first = hidden[0]
    return [*rows[:first], *(Place(None, row.wanted) for row in rows[first:] if row.wanted is not None)]


def _kept(before: Sequence[Old], wanted: Sequence[Kind]) -> list[Pair]:
    """As many rows as can stay without moving; of two such choices the one with more rows that are shown already."""
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
    """How many rows are the same from the start on."""
    pairs = enumerate(zip(before, wanted, strict=False))
    return next((at for at, (old, kind) in pairs if not old.shown or old.kind != kind), min(len(before), len(wanted)))


def _common(before: Sequence[Old], wanted: Sequence[Kind]) -> list[Pair]:
    """Find the longest common subsequence: `best` is the worth of the rows from each pair of places on."""
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
