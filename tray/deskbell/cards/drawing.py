"""Draw a card in one of four sizes, so that a lane shows as much of each session as fits. Pure."""

from collections.abc import Iterable
from typing import Literal

from deskbell.cards.card import Card, Child
from deskbell.cards.spans import apart, filled, fit, restyled, shortened, wide
from deskbell.text.rows import Line, Span
from deskbell.text.width import cut_to, width

Size = Literal["whole", "three", "two", "one"]
SIZES: tuple[Size, ...] = ("whole", "three", "two", "one")
"""`whole` shows everything, and an empty line below. The others show at most that many lines."""
EDGE, CHOSEN = "▎", "█"
"""The left edge of a card, in the colour of its status, and the left edge of the chosen card."""
GAP, DOT = "  ", " · "
CELLS = {"progress": 5, "context": 4, "tokens": 5, "cost": 7, "model": 12}
"""The columns of each figure in a card of one line, from left to right."""
WORTH = ("context", "progress", "cost", "tokens", "model")
"""The same figures, the most useful first."""
NAME, ALIGNED = 20, 50
"""Columns of a project in a card of one line, and the columns that such a card needs to align what follows it."""
ENDLESS = 1000
"""Columns that stand for no limit."""
BAR = 7
"""Columns of the progress of a task list."""


def height(card: Card, size: Size) -> int:
    """Return the lines that `drawn` returns."""
    if size == "three":
        return 2 + bool(_third(card))
    if size != "whole":
        return 2 if size == "two" else 1
    return 3 + bool(card.cells.title) + bool(_small_print(card)) + len(card.children) + bool(_other_agents(card))


def drawn(card: Card, columns: int, size: Size, chosen: bool = False) -> tuple[Line, ...]:
    """Return the lines of CARD, each of exactly COLUMNS columns."""
    edge = Span(CHOSEN if chosen else EDGE, card.cells.sign.style)
    inside = columns - 2
    if size == "one":
        lines = [_one(card, inside)]
    elif size == "two":
        lines = [_head(card, inside, bool(card.cells.title)), _second(card, inside)]
    elif size == "three":
        third = _third(card, inside)
        lines = [_head(card, inside, bool(card.cells.title)), (Span(GAP), _said(card)), *([third] if third else [])]
    else:
        lines = list(_whole(card, inside))
    shown = [fit((edge, *line), columns) for line in lines]
    if chosen:
        shown[0] = (*shown[0][:2], *restyled(shown[0][2:], "reverse"))
    return (*shown, (Span(" " * columns),)) if size == "whole" else tuple(shown)


def _whole(card: Card, columns: int) -> list[Line]:
    style = card.cells.style
    lines = [_head(card, columns, False), (Span(GAP), _said(card))]
    if card.cells.title:
        lines.append((Span(GAP), Span(card.cells.title, f"italic {style}".strip())))
    if small := _small_print(card, columns - len(GAP)):
        lines.append((Span(GAP), *small))
    lines += [_child(child, columns) for child in card.children]
    if others := _other_agents(card):
        lines.append((Span(f"{GAP}↳ ", "dim"), *others))
    return lines


def _other_agents(card: Card) -> Line:
    """Return how many more subagents run, and how many have ended: "and 2 more subagents · 3 done · 1 failed"."""
    more = (Span(f"and {card.more} more subagent{'s' if card.more > 1 else ''}", "dim"),) if card.more else ()
    parts = (*more, *card.over)
    if parts and not card.more and not card.children:
        parts = (parts[0]._replace(text=f"subagents: {parts[0].text}"), *parts[1:])
    return tuple(span for at, part in enumerate(parts) for span in ((Span(DOT, "dim"), part) if at else (part,)))


def _head(card: Card, columns: int, titled: bool) -> Line:
    said = card.cells
    name = (said.sign, Span(f" {said.project}", f"bold {said.style}".strip()))
    branch = (Span(f"{GAP}{said.extras['branch']}", "dim"),) if said.extras["branch"] else ()
    title = (Span(f"{DOT}{said.title}", said.style),) if titled else ()
    return apart((*name, *branch, *title), (Span(said.age, "dim"),), columns)


def _said(card: Card) -> Span:
    return card.what if card.what.style or not card.cells.style else card.what._replace(style=card.cells.style)


def _second(card: Card, columns: int) -> Line:
    """Return the line that says what the session does, with as many figures at its end as fit."""
    end = _ending((*_marks(card), *_figures(card)), columns // 2 if columns > 50 else columns // 3)
    return apart((Span(GAP), _said(card)), end, columns)


def _third(card: Card, columns: int = ENDLESS) -> Line:
    subagents = len(card.children) + card.more
    agents = (Span(f"↳ {subagents} subagent{'s' if subagents > 1 else ''}", "green"),) if subagents else ()
    small = _small_print(card, columns - len(GAP) - wide(agents))
    between = (Span(DOT, "dim"),) if agents and small else ()
    return (Span(GAP), *agents, *between, *small) if agents or small else ()


def _one(card: Card, columns: int) -> Line:
    said = card.cells
    title = (Span(f"{DOT}{said.title}", "dim"),) if said.title else ()
    what = (Span(GAP), _said(card), *title)
    end = _cells(card, columns)
    room = min(NAME, max(12, columns // 4))
    name = shortened((said.sign, Span(f" {said.project}", f"bold {said.style}".strip())), room)
    return apart((*(filled(name, room) if columns > ALIGNED else name), *what), end, columns)


def _cells(card: Card, columns: int) -> Line:
    """Return the end of a line: the marks and the figures. A figure has the same columns on every card."""
    figures = card.figures
    written = {
        "progress": f"{card.progress[0]}/{card.progress[1]}" if card.progress else "",
        "context": figures.context,
        "tokens": figures.tokens,
        "cost": figures.cost,
        "model": figures.model,
    }
    shown, room = [], columns // 2 - 24
    for name in WORTH:
        if (room := room - CELLS[name] - len(GAP)) >= -len(GAP):
            shown.append(name)
    ages = f"{card.cells.age:>6}"
    figured = "".join(f"{cut_to(written[name], CELLS[name]):>{CELLS[name]}}{GAP}" for name in CELLS if name in shown)
    marks = _ending(_marks(card), columns // 5)
    return (*marks, *((Span(GAP),) if marks else ()), Span(f"{figured}{ages}", "dim"))


def _marks(card: Card) -> Line:
    subagents = len(card.children) + card.more
    return (*_short_marks(card), *((Span(f"↳{subagents}", "green"),) if subagents else ()))


def _figures(card: Card) -> Line:
    progress = f"{card.progress[0]}/{card.progress[1]}" if card.progress else ""
    figures = card.figures
    parts = (progress, figures.context, figures.tokens, figures.cost, figures.model)
    return tuple(Span(part, "dim") for part in parts if part)


def _ending(parts: Line, room: int) -> Line:
    """Return as many of PARTS as fit into ROOM columns, with gaps between them."""
    kept: list[Span] = []
    for part in parts:
        needed = width(part.text) + (len(GAP) if kept else 0)
        if needed > room:
            break
        kept += [Span(GAP), part] if kept else [part]
        room -= needed
    return tuple(kept)


def _small_print(card: Card, columns: int = ENDLESS) -> Line:
    """Return the figures, the marks and the progress in one line, with shorter marks if it would not fit."""
    line = _with_dots(card, card.marks)
    return line if wide(line) <= columns else _with_dots(card, _short_marks(card))


def _with_dots(card: Card, marks: Iterable[Span]) -> Line:
    parts: list[Line] = [(Span(figure, "dim"),) for figure in card.figures if figure]
    parts += [(mark,) for mark in marks]
    if card.progress:
        parts.append(_progress(*card.progress))  # last, because only its bar is cut then
    joined: list[Span] = []
    for part in parts:
        joined += [Span(DOT, "dim"), *part] if joined else [*part]
    return tuple(joined)


def _short_marks(card: Card) -> Iterable[Span]:
    return (Span(mark.text.removeprefix("cache ").replace(" for ", " "), mark.style) for mark in card.marks)


def _progress(done: int, every: int) -> Line:
    full = min(BAR, max(0, done) * BAR // max(1, every))
    return Span(f"{done}/{every} ", "dim"), Span("▰" * full, "green"), Span("▱" * (BAR - full), "dim")


def _child(child: Child, columns: int) -> Line:
    name = Span(f"{GAP}↳ "), child.sign, Span(f" {child.type}  "), Span(child.does, "dim")
    return apart(name, (Span(child.age, "dim"),), columns)
