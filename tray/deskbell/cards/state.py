"""Hold what is chosen and visible on the board, and keep it while sessions come, move and go. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from deskbell.cards.draft import Draft
from deskbell.cards.lanes import Name, View
from deskbell.cards.panes import Pane
from deskbell.cards.request import Asked
from deskbell.session import Key
from deskbell.text.rows import Line

Mode = Literal["board", "filter", "snooze", "page", "reply"]
"""What keys do: act on the board, add to the filter, choose how long to snooze, scroll a page and answer what it shows,
or write a reply."""


ALL = View()


class Page(NamedTuple):
    """What is shown in place of the board."""

    title: str
    lines: tuple[Line, ...]
    about: Key | None = None
    """The session that the page shows; None for another page."""
    asked: Asked | None = None
    """What the session asks, which stands above the lines."""
    has_details: bool = True
    """Whether the lines are the details of the session, which are read again when it changes."""


@dataclass(frozen=True, slots=True)
class State:
    """What the person has chosen on the board, and which part of it is visible."""

    view: View = ALL
    mode: Mode = "board"
    chosen: Key | None = None
    lane: Name = "needs_you"
    """The pane of the chosen card, by the lane that it begins with."""
    place: int = 0
    """The row of the chosen card."""
    tops: Mapping[Name, int] = field(default_factory=dict)
    """The first line that each pane shows."""
    loose: bool = False
    """Whether the chosen card may be off the screen, because the person has scrolled away from it."""
    page: Page | None = None
    page_top: int = 0
    draft: Draft | None = None
    """The reply that is being written."""
    message: str = ""
    """What came of the last order, shown in place of the keys."""


def settled(state: State, panes: Sequence[Pane]) -> State:
    """Return STATE with an existing card chosen and, unless STATE is loose, visible.

    The choice follows its session wherever it moves, so that a key never acts on another one. If the session is gone,
    the card that took its place is chosen.
    """
    found = _found(state, panes)
    if found is None:
        return replace(state, chosen=None, place=0, tops={})
    pane, place = found
    card = pane.rows[place].card
    tops = {one.name: _clamped(state.tops.get(one.name, 0), one) for one in panes}
    if not state.loose or (card and card.key != state.chosen):
        tops[pane.name] = _showing(tops[pane.name], pane, place)
    return replace(state, chosen=card.key if card else None, lane=pane.name, place=place, tops=tops)


def _found(state: State, panes: Sequence[Pane]) -> tuple[Pane, int] | None:
    """Return the pane and the row of the card to choose; None if there is no card."""
    for pane in panes:
        if state.chosen is not None and (place := pane.place_of(state.chosen)) is not None:
            return pane, place
    before = [pane for pane in panes if pane.name == state.lane]
    for pane in (*before, *panes):
        if places := pane.places:
            nearest = [place for place in places if place >= state.place] if pane.name == state.lane else places
            return pane, (nearest or places[-1:])[0]
    return None


def _clamped(top: int, pane: Pane) -> int:
    return max(0, min(top, pane.whole - pane.body))


def _showing(top: int, pane: Pane, place: int) -> int:
    """Return the first line to show so that the row PLACE is visible, with the heading of its group before it."""
    first, end = pane.starts[place], pane.starts[place + 1]
    while place and pane.rows[place - 1].card is None:
        place -= 1
        first = pane.starts[place]
    return _clamped(min(max(top, end - pane.body), first), pane)


def moved(state: State, panes: Sequence[Pane], by: int) -> State:
    """Choose the card that is BY cards below. The first card of the pane below follows the last card of a pane."""
    pane = _pane(state, panes)
    if pane is None or not (places := pane.places):
        return state
    at = sum(place < state.place for place in places)
    wanted = max(0, min(at + by, len(places) - 1))
    if at == wanted and abs(by) == 1 and (other := _over(pane, panes, by)):
        return _chosen(state, other, other.places[0 if by > 0 else -1])
    return _chosen(state, pane, places[wanted])


def screenful(state: State, panes: Sequence[Pane]) -> int:
    """Return how many cards a screen has in the pane of the chosen card, less one so that the person keeps track."""
    pane = _pane(state, panes)
    if pane is None or not pane.rows:
        return 1
    return max(1, pane.body * len(pane.rows) // max(1, pane.whole) - 1)


def crossed(state: State, panes: Sequence[Pane], by: int, around: bool = False) -> State:
    """Choose a card at the same height in the pane beside this one; with AROUND, in the next pane with cards."""
    pane = _pane(state, panes)
    full = [one for one in panes if one.places and (around or pane is None or one.y == pane.y)]
    if pane is None or pane not in full:
        return state
    wanted = full.index(pane) + by
    if around:
        wanted %= len(full)
    if not 0 <= wanted < len(full) or full[wanted] is pane:
        return state
    other = full[wanted]
    line = pane.starts[state.place] - state.tops.get(pane.name, 0) + state.tops.get(other.name, 0)
    nearest = min(other.places, key=lambda place: abs(other.starts[place] - line))
    return _chosen(state, other, nearest)


def scrolled(state: State, pane: Pane, by: int) -> State:
    """Scroll PANE by BY lines. The chosen card stays chosen."""
    top = _clamped(state.tops.get(pane.name, 0) + by, pane)
    return replace(state, tops={**state.tops, pane.name: top}, loose=True)


class Hit(NamedTuple):
    """What is at one position of the screen."""

    pane: Pane
    key: Key | None
    lane: Name | None
    """The lane of the heading or line that is there; None on a card."""


def hit(state: State, panes: Sequence[Pane], x: int, y: int) -> Hit | None:
    """Return what is at column X and line Y; None outside of all panes."""
    for pane in panes:
        if pane.x <= x < pane.x + pane.columns and pane.y <= y < pane.y + pane.lines:
            if y == pane.y:
                return Hit(pane, None, pane.name)
            row = pane.row_at(y - pane.y - 1 + state.tops.get(pane.name, 0))
            if row is None or row.card:
                return Hit(pane, row.card.key if row and row.card else None, None)
            return Hit(pane, None, row.lane)
    return None


def picked(state: State, key: Key) -> State:
    """Choose the card that the person clicked."""
    return replace(state, chosen=key, loose=True)


def _pane(state: State, panes: Sequence[Pane]) -> Pane | None:
    return next((pane for pane in panes if pane.name == state.lane), None)


def _over(pane: Pane, panes: Sequence[Pane], by: int) -> Pane | None:
    """Return the next pane below, or above, that has cards."""
    others = [one for one in panes if one.places and (one.y > pane.y if by > 0 else one.y < pane.y)]
    return others[0] if others else None


def _chosen(state: State, pane: Pane, place: int) -> State:
    card = pane.rows[place].card
    return replace(state, chosen=card.key if card else None, lane=pane.name, place=place, loose=False)
