"""Shape the marks in the bell, each in a box. Pure."""

from deskbell_drawings.shapes import Box, Polygon, Rounded, Scene, Stroke, arc


def check(box: Box, width: float, colour: str) -> Scene:
    left, top, right, bottom = box
    left, top, right, bottom = left + width / 2, top + width / 2, right - width / 2, bottom - width / 2
    foot = left + (right - left) * 0.36
    drop = min(right - foot, bottom - top)
    return (Stroke(((left, bottom - (foot - left)), (foot, bottom), (right, bottom - drop)), width, colour),)


def dots(box: Box, width: float, colour: str) -> Scene:
    """Return three dots in a row, each as wide as WIDTH and as high as the box."""
    left, top, right, bottom = box
    starts = left, (left + right - width) / 2, right - width
    return tuple(Rounded((x, top, x + width, bottom), width * 0.3, colour) for x in starts)


def moon(box: Box, colour: str) -> Scene:
    left, top, right, bottom = box
    (x, y), reach = ((left + right) / 2, (top + bottom) / 2), (right - left) / 2
    # A disc minus another of 0.8 its size, moved by 0.55 to the upper right: their edges cross at these angles.
    bite = reach * 0.8
    outer = arc((x, y), (reach, reach), -45 + 53, -45 + 360 - 53)
    inner = arc((x + reach * 0.389, y - reach * 0.389), (bite, bite), -45 + 360 - 86.3, -45 + 86.3)
    return (Polygon((*outer, *inner), colour),)


def plus(box: Box, width: float, colour: str) -> Scene:
    left, top, right, bottom = box
    x, y, half = (left + right) / 2, (top + bottom) / 2, width / 2
    return (
        Rounded((left, y - half, right, y + half), half / 3, colour),
        Rounded((x - half, top, x + half, bottom), half / 3, colour),
    )


def exclamation(box: Box, width: float, colour: str) -> Scene:
    left, top, right, bottom = box
    x, half, gap = (left + right) / 2, width / 2, max(1, round(width * 0.4))
    return (
        Rounded((x - half, top, x + half, bottom - width - gap), width / 4, colour),
        Rounded((x - half, bottom - width, x + half, bottom), width / 4, colour),
    )
