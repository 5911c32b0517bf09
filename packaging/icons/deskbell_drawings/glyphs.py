"""Shape digits and the plus sign as strokes in a box, so that they keep their form at any size. Pure."""

from collections.abc import Sequence

from deskbell_drawings.shapes import Box, Point, Shape, Stroke, arc

Line = tuple[Point, ...]


def _bow(centre: Point, radii: Point, start: float, end: float) -> Line:
    """Return an arc, square enough to keep the spaces in an 8 open at 16 pixels."""
    return arc(centre, radii, start, end, squareness=2.6)


def number(text: str, box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    """Return the digits of TEXT side by side. Straight parts lie on the pixel grid if the box and the width do."""
    left, top, right, bottom = box
    gap = width / 2
    each = (right - left - gap * (len(text) - 1)) / len(text)
    shapes: list[Shape] = []
    for place, letter in enumerate(text):
        start = left + place * (each + gap)
        lines = _LETTERS[letter](start + width / 2, top + width / 2, start + each - width / 2, bottom - width / 2)
        shapes += [Stroke(line, width, colour) for line in lines]
    return tuple(shapes)


def _one(left: float, top: float, right: float, bottom: float) -> Sequence[Line]:
    middle = left + round((right - left) / 2)
    return [((middle - (right - left) * 0.4, top + (bottom - top) * 0.22), (middle, top), (middle, bottom))]


def _two(left: float, top: float, right: float, bottom: float) -> Sequence[Line]:
    x, rx, ry = (left + right) / 2, (right - left) / 2, (bottom - top) * 0.28
    return [(*_bow((x, top + ry), (rx, ry), 190, 385), (left, bottom), (right, bottom))]


def _three(left: float, top: float, right: float, bottom: float) -> Sequence[Line]:
    x, middle, rx = (left + right) / 2, (top + bottom) / 2, (right - left) / 2
    upper = _bow((x, (top + middle) / 2), (rx, (middle - top) / 2), 200, 450)
    lower = _bow((x, (middle + bottom) / 2), (rx, (bottom - middle) / 2), 270, 520)
    return [upper, lower]


def _four(left: float, top: float, right: float, bottom: float) -> Sequence[Line]:
    stem, bar = right - (right - left) * 0.2, top + (bottom - top) * 0.7
    return [((stem, bottom), (stem, top), (left, bar), (right, bar))]


def _five(left: float, top: float, right: float, bottom: float) -> Sequence[Line]:
    x, rx, start = (left + right) / 2, (right - left) / 2, top + (bottom - top) * 0.42
    bowl = _bow((x, (start + bottom) / 2), (rx, (bottom - start) / 2), 230, 510)
    return [((right, top), (left, top), (left, start + (bottom - start) * 0.15)), bowl]


def _six(left: float, top: float, right: float, bottom: float) -> Sequence[Line]:
    x, rx, middle = (left + right) / 2, (right - left) / 2, top + (bottom - top) * 0.42
    y, ry = (middle + bottom) / 2, (bottom - middle) / 2
    sweep = _bow((right, y), (right - left, y - top), 180, 262)
    return [_bow((x, y), (rx, ry), 0, 360), sweep]


def _seven(left: float, top: float, right: float, bottom: float) -> Sequence[Line]:
    return [((left, top), (right, top), (left + (right - left) * 0.35, bottom))]


def _eight(left: float, top: float, right: float, bottom: float) -> Sequence[Line]:
    x, rx, middle = (left + right) / 2, (right - left) / 2, (top + bottom) / 2
    upper = _bow((x, (top + middle) / 2), (rx, (middle - top) / 2), 0, 360)
    lower = _bow((x, (middle + bottom) / 2), (rx, (bottom - middle) / 2), 0, 360)
    return [upper, lower]


def _nine(left: float, top: float, right: float, bottom: float) -> Sequence[Line]:
    turned = _six(left, top, right, bottom)
    return [tuple((left + right - x, top + bottom - y) for x, y in line) for line in turned]


def _plus(left: float, top: float, right: float, bottom: float) -> Sequence[Line]:
    x, y, arm = (left + right) / 2, (top + bottom) / 2, min(right - left, bottom - top) / 2
    return [((x - arm, y), (x + arm, y)), ((x, y - arm), (x, y + arm))]


_LETTERS = {
    "1": _one,
    "2": _two,
    "3": _three,
    "4": _four,
    "5": _five,
    "6": _six,
    "7": _seven,
    "8": _eight,
    "9": _nine,
    "+": _plus,
}
