"""Keep the cards that have not changed, with their lines, so that a board of 500 sessions draws only a few. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from deskbell.cards.card import Card, card, changing
from deskbell.cards.drawing import Size, drawn
from deskbell.face.facts import Facts
from deskbell.session import Key, Session
from deskbell.text.rows import Line

Way = tuple[int, Size, bool]
"""How a card is drawn: its columns, its size, and whether it is chosen."""


@dataclass
class _Known:
    session: Session
    when: tuple[object, ...]
    card: Card
    lines: dict[Way, tuple[Line, ...]] = field(default_factory=dict)


class Deck:
    """The cards of the last picture, with their lines."""

    def __init__(self) -> None:
        self._known: dict[Key, _Known] = {}

    def card(self, session: Session, facts: Facts, now: float) -> Card:
        """Return the card of SESSION; the same object as last time if nothing on it has changed."""
        known, when = self._known.get(session.key), changing(session, facts, now)
        if known is None or known.session is not session or known.when != when:
            new = card(session, facts, now)
            if known is not None and known.card == new:
                known.session, known.when = session, when
            else:
                self._known[session.key] = known = _Known(session, when, new)
        return known.card

    def lines(self, one: Card, columns: int, size: Size, chosen: bool) -> tuple[Line, ...]:
        """Return the lines of a card that `card` has returned."""
        known, way = self._known[one.key], (columns, size, chosen)
        if way not in known.lines:
            if len(known.lines) > 8:  # while a window is resized, it has many widths once each
                known.lines.clear()
            known.lines[way] = drawn(one, columns, size, chosen)
        return known.lines[way]

    def keep(self, keys: Iterable[Key]) -> None:
        """Forget all cards but those of KEYS."""
        for key in self._known.keys() - set(keys):
            del self._known[key]
