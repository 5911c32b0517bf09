"""Lay out what a session asks, whole, with the answers below it, and offer those that were earned by drawing it. Pure.

What is offered for approval was drawn before, to the last character: rows are wrapped and never cut, and a row counts
once it is on the screen. A row that a terminal would not draw as it is never counts.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from deskbell.asking import Asking, Choice
from deskbell.session import Session
from deskbell.text.clean import clean, visible
from deskbell.text.rows import Line, Span
from deskbell.text.width import even, first_of, width
from deskbell.text.wording import phrase, safe

COLUMNS, LINES = 30, 8
"""The smallest screen on which a request can be allowed. On a smaller one, nobody reads it."""
UNREAD, UNSURE = 0.3, 0.7
"""Seconds for which an answer is on the screen before its key counts, as in `deskbell.answers.desk`. UNSURE is for the
step that asks for confirmation."""
SURE = "allow-sure"
"""The choice that confirms, as `deskbell.answers.steps` names it."""
LETTERS = {SURE: "y", "deny": "n", "say": "t", "stop": "s"}
"""The keys of the step that confirms. No key of the step before it is among them."""
DIGITS = "123456789"
FIRST, NEXT = Span("▎  ", "yellow"), Span("▎↳ ", "yellow")
"""What stands before a line of the request, and before the rest of a line that is wrapped."""

GONE = "This request is over."
CHANGED = "It asks something else now: a shows that."
SCROLL = "Scroll on: it can be allowed once all of it was on the screen."
SMALL = f"It can be allowed on a screen of at least {COLUMNS} columns and {LINES} lines."
INEXACT = "This terminal does not draw it to the last character, so it can be allowed in its own terminal only."
TOO_SOON = "That came before anybody could have read it. Press it again."
_SELECTORS = re.compile("[\ufe0e\ufe0f]")


class Asked(NamedTuple):
    """A request that a page shows."""

    asking: Asking
    says: str
    """What the session does by asking: "wants to run a command"."""
    read: int = 0
    """How many of its characters were drawn, from the first one on."""
    over: str = ""
    """Why no key answers it any more."""
    is_sent: bool = False
    """Whether an answer is on its way."""
    is_next: bool = False
    """Whether it is a step that was not shown yet."""


class Row(NamedTuple):
    """A row of the page."""

    line: Line
    start: int = 0
    end: int = 0
    """Which characters of what has to be read are drawn in it."""
    is_exact: bool = True
    """Whether the terminal draws them as they are."""
    key: str = ""
    choice: Choice | None = None
    """The answer that stands in it, and its key."""


def asked_of(session: Session) -> Asked | None:
    """Return the request of SESSION, also one that cannot be answered here; None if it has none that is known."""
    if not session.blocked or session.asking is None:
        return None
    return Asked(session.asking, f"{phrase(session).without_about}:")


def followed(asked: Asked | None, now: Asked | None) -> Asked | None:
    """Return ASKED after its session asks NOW. What takes the place of another request gets no keys."""
    if asked is None or not asked.asking.code:
        return now or asked
    if now is None or now.asking.code != asked.asking.code:
        return asked._replace(over=CHANGED if now and now.asking.choices else GONE)
    if now.asking == asked.asking:
        return asked._replace(over="")
    is_same = now.asking.whole == asked.asking.whole
    read = min(asked.read, _length(asked.asking.whole)) if is_same else 0
    return asked._replace(asking=now.asking, read=read, over="", is_next=is_same)


def is_read(asked: Asked) -> bool:
    """Return whether every character was drawn of what is asked and of what is said about it."""
    return bool(asked.asking.whole) and asked.read >= _length(_texts(asked.asking))


def read_with(asked: Asked, drawn: Iterable[Row]) -> Asked:
    """Return ASKED after the rows DRAWN were on the screen."""
    read = asked.read
    for row in drawn:
        if row.is_exact and row.start <= read < row.end:
            read = row.end
    return asked._replace(read=read)


def offers(drawn: Sequence[Row], every: Sequence[Row], asked: Asked | None) -> dict[str, Choice]:
    """Return the answers, by their keys, of which all rows among EVERY row are among those DRAWN."""
    if asked is None or asked.is_sent:
        return {}
    needed, shown = Counter(row.key for row in every), Counter(row.key for row in drawn if row.is_exact)
    return {row.key: row.choice for row in drawn if row.choice and shown[row.key] == needed[row.key]}


def confirms(offered: Iterable[Choice]) -> bool:
    """Return whether the answers belong to the step that asks for confirmation."""
    return any(choice.id == SURE for choice in offered)


def first_of_step(asked: Asked, columns: int, lines: int, body: int) -> int:
    """Return the first of BODY rows that show what is said about a request and, if both fit, its answers."""
    every = rows(asked, columns, lines)
    about = min((at for at, row in enumerate(every) if row.start >= _length(asked.asking.whole)), default=0)
    return min(about, max(0, len(every) + 1 - body))


def rows(asked: Asked, columns: int, lines: int) -> tuple[Row, ...]:
    """Return what is asked, then what is said about it, then the answers, for a screen of COLUMNS and LINES."""
    asks = request_rows(asked, columns)
    return (*asks, Row(()), *_answers(asked, asks, columns, lines))


def request_rows(asked: Asked, columns: int) -> tuple[Row, ...]:
    """Return what is asked, and what is said about it, without the answers."""
    about = _about(asked.asking, columns)
    above = (*_plain(asked.says, columns, "bold"), *_text(asked.asking, columns))
    return (*above, Row(()), *about) if about else above


def _answers(asked: Asked, read: Sequence[Row], columns: int, lines: int) -> Iterator[Row]:
    """Yield the answers that are offered, and why others are not."""
    if asked.over:
        yield from _plain(asked.over, columns, "bold yellow")
        return
    is_small = columns < COLUMNS or lines < LINES
    has_all = is_read(asked) and not is_small
    for key, choice in _keyed(asked.asking):
        if has_all or not choice.allows:
            yield from _answer(key, choice, columns)
    if asked.asking.whole and not has_all and any(choice.allows for choice in asked.asking.choices):
        why = SMALL if is_small else SCROLL if all(row.is_exact for row in read) else INEXACT
        yield from _plain(why, columns, "yellow")


def _keyed(asking: Asking) -> Iterator[tuple[str, Choice]]:
    """Yield each choice with its key. A choice has the same key whether those before it are offered or not."""
    if confirms(asking.choices):
        yield from ((LETTERS[one.id], one) for one in asking.choices if one.id in LETTERS)
    else:
        yield from zip(DIGITS, asking.choices, strict=False)


def _answer(key: str, choice: Choice, columns: int) -> Iterator[Row]:
    for at, piece in enumerate(pieces(choice.label, columns - 6)):
        start = (Span(f"  {key}", "bold"), Span("  ")) if at == 0 else (Span("     "),)
        yield Row((*start, Span(piece)), is_exact=_is_exact(piece), key=key, choice=choice)


def _plain(text: str, columns: int, style: str) -> Iterator[Row]:
    """Yield rows of TEXT that nobody has to read before they answer."""
    for piece in pieces(clean(text), columns - 2):
        yield Row((Span(" "), Span(piece.rstrip(), style)))


def _texts(asking: Asking) -> tuple[str, ...]:
    """Return the lines that have to be read before what is asked can be allowed."""
    return (*asking.whole, *([clean(asking.why_not)] if asking.why_not else []))


def _length(lines: Iterable[str]) -> int:
    return sum(len(line) + 1 for line in lines)


@lru_cache(maxsize=8)  # while a page is scrolled, it is laid out at each key
def _text(asking: Asking, columns: int) -> tuple[Row, ...]:
    if asking.whole:
        return tuple(_wrapped(asking.whole, 0, columns, ""))
    return tuple(row._replace(start=0, end=0) for row in _wrapped(safe(asking.detail).split("\n"), 0, columns, ""))


def _about(asking: Asking, columns: int) -> tuple[Row, ...]:
    if not asking.why_not:
        return ()
    style = "bold yellow" if confirms(asking.choices) else "yellow"
    return tuple(_wrapped((clean(asking.why_not),), _length(asking.whole), columns, style))


def _wrapped(lines: Iterable[str], at: int, columns: int, style: str) -> Iterator[Row]:
    """Yield LINES in rows, of which the first begins with the character AT. The end of a line counts as one, too."""
    for text in lines:
        room = columns - len(NEXT.text) - 1
        found = pieces(text, room)
        for number, piece in enumerate(found):
            end = at + len(piece) + (number == len(found) - 1)
            margin = NEXT if number else FIRST
            yield Row((margin, Span(piece, style)), at, end, _is_exact(piece) and width(piece) <= room)
            at = end


def pieces(text: str, columns: int) -> list[str]:
    """Return TEXT in pieces of at most COLUMNS, of which each ends after a space if that costs little."""
    room = max(1, columns)
    found, at = [], 0
    while at < len(text):
        piece = first_of(text[at : at + 8 * room], room) or text[at]
        if at + len(piece) < len(text) and (space := piece.rfind(" ") + 1) > len(piece) // 2:
            piece = piece[:space]
        found.append(piece)
        at += len(piece)
    return found or [""]


def _is_exact(piece: str) -> bool:
    """Return whether the terminal draws PIECE to the last character. How an emoji is drawn does not matter."""
    return even(visible(piece)) == _SELECTORS.sub("", piece)
