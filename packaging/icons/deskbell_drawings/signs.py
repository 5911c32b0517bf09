"""Shape the sign of each status, for rows of the menu and for notifications. Pure.

A status that waits for the person has a filled sign with a mark in it. The others are drawn in lines.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from deskbell_drawings.bell import bell, half_round
from deskbell_drawings.marks import moon
from deskbell_drawings.palettes import GROUNDS, Hue
from deskbell_drawings.shapes import Box, Point, Polygon, Rounded, Scene, Shape, Stroke, arc, disc, edged, whole
from deskbell_icons import Ground, Sign


class Grid(NamedTuple):
    """A square of SIDE pixels. Sixteen units are as long as a side."""

    left: float
    top: float
    side: int

    def length(self, units: float) -> float:
        return units * self.side / 16

    def pixels(self, units: float) -> int:
        return max(1, whole(self.length(units)))

    def points(self, *places: Point) -> tuple[Point, ...]:
        return tuple((self.left + self.length(x), self.top + self.length(y)) for x, y in places)

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        """Return a box on whole pixels. What is symmetric about the middle stays so."""
        return (
            self.left + self._at(left),
            self.top + self._at(top),
            self.left + self._at(right),
            self.top + self._at(bottom),
        )

    @property
    def middle(self) -> Point:
        return self.left + self.side / 2, self.top + self.side / 2

    def _at(self, units: float) -> int:
        return whole(self.length(units)) if units <= 8 else self.side - whole(self.length(16 - units))


class Drawing(NamedTuple):
    body: tuple[Shape, ...]
    mark: tuple[Shape, ...] = ()


class Form(NamedTuple):
    hue: Hue
    drawn: Callable[[Grid, str, str], Drawing]
    """Its arguments are the grid, the colour of the body and that of the mark."""
    filled: bool = True


def sign(status: Sign, size: int, ground: Ground) -> Scene:
    """Return the sign of STATUS. It has a rim if the background may have any colour."""
    form = FORMS[status]
    paint = GROUNDS[ground][form.hue]
    rim = bell(size).rim if ground == "any" else 0
    grid = Grid(rim, rim, size - 2 * rim)
    if form.filled:
        body, mark = form.drawn(grid, paint.fill, paint.on)
        return *edged(body, rim, paint.rim), *mark
    body, mark = form.drawn(grid, paint.line, paint.line)
    return *edged(body, rim, paint.case), *edged(mark, rim or grid.pixels(1), paint.edge)


def _lock(grid: Grid, body: str, mark: str) -> Drawing:
    width = grid.pixels(2)
    left, top, right, bottom = grid.box(3, 0, 13, 8)
    reach = (right - left - width) / 2
    bow = arc(((left + right) / 2, top + width / 2 + reach), (reach, reach), 180, 360)
    shackle = Stroke(((left + width / 2, bottom), *bow, (right - width / 2, bottom)), width, body)
    keyhole = Rounded(grid.box(7, 10, 9, 13), grid.length(0.7), mark)
    return Drawing((shackle, Rounded(grid.box(1, 7, 15, 16), grid.length(2), body)), (keyhole,))


def _bubble(grid: Grid, body: str, mark: str) -> Drawing:
    width = reach = grid.pixels(2)
    _, top, _, end = grid.box(0, 3, 16, 7.5)
    x = grid.middle[0]
    hook = arc((x, top + width / 2), (reach, reach), 190, 405)
    tail = Polygon(grid.points((3, 12), (3, 16), (8, 12)), body)
    return Drawing(
        (Rounded(grid.box(0, 0, 16, 13), grid.length(3.5), body), tail),
        (Stroke((*hook, (x, end)), width, mark), Rounded(grid.box(7, 9, 9, 11), grid.length(0.5), mark)),
    )


def _prompt(grid: Grid, body: str, mark: str) -> Drawing:
    arrow = Stroke(grid.points((3.5, 5.5), (6, 8), (3.5, 10.5)), grid.length(1.8), mark)
    return Drawing(
        (Rounded(grid.box(0, 2, 16, 14), grid.length(2.5), body),),
        (arrow, Rounded(grid.box(8, 10, 13, 12), grid.length(0.5), mark)),
    )


def _page(grid: Grid, body: str, mark: str) -> Drawing:
    left, top, right, bottom = grid.box(2, 0, 14, 16)
    fold, thick = grid.pixels(4), grid.pixels(1.2)
    edge = (left, top), (right - fold, top), (right, top + fold), (right, bottom), (left, bottom)
    starts = (grid.box(4, y, 12, y) for y in (6, 9, 12))
    return Drawing((Polygon(edge, body),), tuple(Rounded((x, y, end, y + thick), 0, mark) for x, y, end, _ in starts))


def _stop(grid: Grid, body: str, mark: str) -> Drawing:
    return Drawing(_disc(grid, body), (Rounded(grid.box(5, 5, 11, 11), grid.length(0.8), mark),))


def _cross(grid: Grid, body: str, mark: str) -> Drawing:
    octagon = grid.points((4.7, 0), (11.3, 0), (16, 4.7), (16, 11.3), (11.3, 16), (4.7, 16), (0, 11.3), (0, 4.7))
    strokes = grid.points((5.2, 5.2), (10.8, 10.8)), grid.points((5.2, 10.8), (10.8, 5.2))
    return Drawing((Polygon(octagon, body),), tuple(Stroke(line, grid.pixels(2), mark) for line in strokes))


def _check(grid: Grid, body: str, mark: str) -> Drawing:
    tick = Stroke(grid.points((4.4, 8.6), (7, 11.2), (11.8, 5.6)), grid.length(2), mark)
    return Drawing(_disc(grid, body), (tick,))


def _dots(grid: Grid, body: str, mark: str) -> Drawing:
    wide = grid.pixels(2)
    wide, gap = wide + (wide + grid.side) % 2, grid.pixels(1)
    x, y = grid.middle[0] - wide / 2, grid.middle[1] - wide / 2
    starts = (x + step * (wide + gap) for step in (-1, 0, 1))
    return Drawing(_ring(grid, body), tuple(Rounded((x, y, x + wide, y + wide), wide * 0.35, mark) for x in starts))


def _clock(grid: Grid, body: str, mark: str) -> Drawing:
    width = grid.pixels(2)
    hands = grid.points((8, 3.8), (8, 8.6), (11.4, 8.6))
    return Drawing(_ring(grid, body), (Stroke(hands, width, mark),))


def _turning(grid: Grid, body: str, _mark: str) -> Drawing:
    """Return two arrows that chase each other."""
    reach = grid.length(5.6)
    arcs = (Stroke(arc(grid.middle, (reach, reach), start, start + 105), grid.pixels(2), body) for start in (205, 25))
    return Drawing((*arcs, *(_arrow(grid, reach, math.radians(turn), body) for turn in (317, 137))))


def _arrow(grid: Grid, reach: float, turn: float, colour: str) -> Polygon:
    """Return the head of an arrow on a circle, at an angle."""
    (x, y), out = grid.middle, (math.cos(turn), math.sin(turn))
    outer, inner, long = reach + grid.length(2.9), reach - grid.length(2.9), grid.length(3.6)
    tip = x + reach * out[0] - long * out[1], y + reach * out[1] + long * out[0]
    return Polygon(((x + outer * out[0], y + outer * out[1]), (x + inner * out[0], y + inner * out[1]), tip), colour)


def _burst(grid: Grid, body: str, mark: str) -> Drawing:
    (x, y), tips = grid.middle, 10
    turns = ((math.pi * (n / tips - 0.5), grid.length(8 if n % 2 == 0 else 5.9)) for n in range(2 * tips))
    star = tuple((x + reach * math.cos(turn), y + reach * math.sin(turn)) for turn, reach in turns)
    bolt = grid.points((9.2, 3.4), (5, 8.7), (7.6, 8.7), (6.8, 12.6), (11, 7.3), (8.4, 7.3))
    return Drawing((Polygon(star, body),), (Polygon(bolt, mark),))


def _off(grid: Grid, body: str, _mark: str) -> Drawing:
    """Return the symbol on a switch: a bar in a circle that is open at the top."""
    width = grid.pixels(2)
    x, y, reach = grid.middle[0], grid.middle[1] + grid.length(0.7), (grid.side - width) / 2 - grid.length(0.7)
    _, top, _, bottom = grid.box(7, 0, 9, 8)
    bar = Rounded((x - width / 2, top, x + width / 2, bottom), width / 2.5, body)
    return Drawing((Stroke(arc((x, y), (reach, reach), -55, 235, steps=64), width, body), bar))


def _blank(grid: Grid, body: str, _mark: str) -> Drawing:
    """Return an empty ring, thicker than that of a session that works."""
    width = grid.pixels(2.6)
    reach = (grid.side - width) / 2
    return Drawing((Stroke(arc(grid.middle, (reach, reach), 0, 360, steps=96), width, body),))


def _bell(grid: Grid, body: str, _mark: str) -> Drawing:
    return Drawing(
        (
            Rounded(grid.box(6, 0, 10, 3), grid.length(1), body),
            Polygon(half_round(grid.box(2, 2, 14, 12)), body),
            Rounded(grid.box(1, 13, 15, 16), grid.length(1), body),
        )
    )


def _silent(grid: Grid, body: str, mark: str) -> Drawing:
    slash = Stroke(grid.points((1.8, 1.8), (14.2, 14.2)), grid.length(1.8), mark)
    return Drawing(_bell(grid, body, mark).body, (slash,))


def _moon(grid: Grid, body: str, _mark: str) -> Drawing:
    return Drawing(moon(grid.box(0, 0, 16, 16), body))


def _plus(grid: Grid, body: str, mark: str) -> Drawing:
    arms = grid.box(7, 4, 9, 12), grid.box(4, 7, 12, 9)
    return Drawing(_disc(grid, body), tuple(Rounded(arm, grid.length(0.4), mark) for arm in arms))


def _disc(grid: Grid, colour: str) -> tuple[Shape, ...]:
    return (disc(*grid.middle, grid.side / 2, colour),)


def _ring(grid: Grid, colour: str) -> tuple[Shape, ...]:
    width = grid.pixels(1.4)
    reach = (grid.side - width) / 2
    return (Stroke(arc(grid.middle, (reach, reach), 0, 360, steps=96), width, colour),)


FORMS: dict[Sign, Form] = {
    "permission": Form("red", _lock),
    "question": Form("red", _bubble),
    "input": Form("red", _prompt),
    "plan": Form("red", _page),
    "interrupted": Form("blue", _stop),
    "error": Form("blue", _cross),
    "idle": Form("blue", _check),
    "limit": Form("green", _clock, filled=False),
    "working": Form("green", _dots, filled=False),
    "background": Form("green", _turning, filled=False),
    "crashed": Form("magenta", _burst),
    "ended": Form("grey", _off, filled=False),
    "new": Form("grey", _blank, filled=False),
    "muted": Form("grey", _silent, filled=False),
    "later": Form("violet", _moon, filled=False),
    "install": Form("amber", _plus),
    "plain": Form("green", _bell, filled=False),
}
