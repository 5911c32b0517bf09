"""Shape the signs in the bell: one for each state and status, in a box, with a line width. Pure."""

from collections.abc import Callable

from deskbell_icons.shapes import Box, Polygon, Rounded, Shape, Stroke, arc, disc

Sign = Callable[[Box, float, str], tuple[Shape, ...]]


def nothing(_box: Box, _width: float, _colour: str) -> tuple[Shape, ...]:
    return ()


def check(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = _inner(box, width)
    foot = left + (right - left) * 0.36
    drop = min(right - foot, bottom - top)
    return (Stroke(((left, bottom - (foot - left)), (foot, bottom), (right, bottom - drop)), width, colour),)


def dots(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = box
    y, radius = (top + bottom) / 2, max(width / 2, (right - left) / 9)
    places = left + radius, (left + right) / 2, right - radius
    return tuple(disc(x, y, radius, colour) for x in places)


def turning(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    """Return two bars that chase each other."""
    left, top, right, bottom = _inner(box, width)
    middle, reach = ((left + right) / 2, (top + bottom) / 2), min(right - left, bottom - top) / 2
    return tuple(Stroke(arc(middle, (reach, reach), start, start + 120), width, colour) for start in (200, 20))


def moon(box: Box, _width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = _square(box)
    (x, y), reach = ((left + right) / 2, (top + bottom) / 2), (right - left) / 2
    # A disc minus another of 0.8 its size, moved by 0.55 to the upper right: their edges cross at these angles.
    bite = reach * 0.8
    outer = arc((x, y), (reach, reach), -45 + 53, -45 + 360 - 53)
    inner = arc((x + reach * 0.389, y - reach * 0.389), (bite, bite), -45 + 360 - 86.3, -45 + 86.3)
    return (Polygon((*outer, *inner), colour),)


def plus(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = _square(box)
    x, y, half = (left + right) / 2, (top + bottom) / 2, _even(box, width) / 2
    return (
        Rounded((left, y - half, right, y + half), half / 3, colour),
        Rounded((x - half, top, x + half, bottom), half / 3, colour),
    )


def question(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = _inner(box, width)
    x, reach = (left + right) / 2, min(right - left, (bottom - top) * 0.56) / 2
    hook = arc((x, top + reach), (reach, reach), 180, 420)
    return (
        Stroke((*hook, (x, top + (bottom - top) * 0.66)), width, colour),
        disc(x, bottom, width * 0.6, colour),
    )


def exclamation(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = box
    x, half, gap = (left + right) / 2, width / 2, max(1, round(width * 0.4))
    return (
        Rounded((x - half, top, x + half, bottom - width - gap), width / 4, colour),
        Rounded((x - half, bottom - width, x + half, bottom), width / 4, colour),
    )


def lock(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = _square(box)
    x, body, reach = (left + right) / 2, top + (bottom - top) * 0.45, (right - left) * 0.25
    shackle = (x - reach, body), *arc((x, top + width / 2 + reach), (reach, reach), 180, 360), (x + reach, body)
    inset = (right - left) * 0.08
    return (
        Stroke(shackle, width, colour),
        Rounded((left + inset, body, right - inset, bottom), width * 0.6, colour),
    )


def bars(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = _square(box)
    x, half = (left + right) / 2, (right - left) * 0.35
    return tuple(
        Rounded((x + side - width * 0.75, top, x + side + width * 0.75, bottom), width / 4, colour)
        for side in (-half, half)
    )


def cursor(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = _inner(box, width)
    x, reach = (left + right) / 2, (bottom - top) * 0.28
    return (
        Stroke(((x, top), (x, bottom)), width, colour),
        *(Stroke(((x - reach, y), (x + reach, y)), width, colour) for y in (top, bottom)),
    )


def page(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = _inner(_square(box), width)
    rows = top, (top + bottom) / 2, bottom
    return tuple(
        shape
        for y in rows
        for shape in (
            disc(left, y, width * 0.55, colour),
            Stroke(((left + width * 1.7, y), (right + width * 0.6, y)), width, colour),
        )
    )


def dash(box: Box, width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = _inner(box, width)
    return (Stroke(((left, (top + bottom) / 2), (right, (top + bottom) / 2)), width, colour),)


def bolt(box: Box, _width: float, colour: str) -> tuple[Shape, ...]:
    left, top, right, bottom = _square(box)
    across, down = right - left, bottom - top
    corners = (0.62, 0), (0.12, 0.58), (0.46, 0.58), (0.34, 1), (0.88, 0.38), (0.54, 0.38)
    return (Polygon(tuple((left + x * across, top + y * down) for x, y in corners), colour),)


def _inner(box: Box, width: float) -> Box:
    left, top, right, bottom = box
    return left + width / 2, top + width / 2, right - width / 2, bottom - width / 2


def _even(box: Box, width: float) -> float:
    """Return WIDTH, made smaller until it leaves whole pixels on both sides."""
    return width - (box[2] - box[0] + width) % 2


def _square(box: Box) -> Box:
    left, top, right, bottom = box
    side = min(right - left, bottom - top)
    x, y = (left + right - side) / 2, (top + bottom - side) / 2
    return x, y, x + side, y + side
