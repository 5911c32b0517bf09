"""Compose the tray icon of each state, and the icon of the program. Pure.

The form alone distinguishes the states; the colour makes that faster. A filled bell waits for the person, an outlined
one does not. Lengths are fractions of the size, rounded to whole pixels.
"""

from collections.abc import Callable, Iterable

from deskbell_drawings import marks
from deskbell_drawings.bell import Bell, bell
from deskbell_drawings.glyphs import number
from deskbell_drawings.palettes import PANELS, Hues, Paint
from deskbell_drawings.shapes import Box, Polygon, Rounded, Scene, Shape, Stroke, arc, disc, edged, whole
from deskbell_icons import MOST, IconState, Panel


def tray(state: IconState, count: int, size: int, panel: Panel) -> Scene:
    """Return the tray icon of STATE. COUNT is the number of blocked sessions."""
    hues = PANELS[panel]
    if state == "blocked":
        return _counted(count, size, hues["red"])
    if state == "snoozed" and count:
        return _counted_with_moon(count, size, hues["violet"])
    return _OTHERS[state](size, hues)


def _quiet(size: int, hues: Hues) -> Scene:
    return _outlined(bell(size), hues["grey"])


def _working(size: int, hues: Hues) -> Scene:
    shape, paint = bell(size), hues["green"]
    wide, gap = max(2, int(size / 8 + 0.26)), max(1, size // 24)
    wide += (wide + size) % 2
    y = _middle(shape, wide) + max(0, size // 28)
    box = (size - wide) / 2 - wide - gap, y, (size + wide) / 2 + wide + gap, y + wide
    return _outlined(shape, paint, marks.dots(box, wide, paint.line))


def _snoozed(size: int, hues: Hues) -> Scene:
    shape, paint = bell(size), hues["violet"]
    return _outlined(shape, paint, marks.moon(_inside(shape, size, 0.38), paint.line))


def _uninstalled(size: int, hues: Hues) -> Scene:
    shape, paint = bell(size), hues["amber"]
    width = 2 * max(1, size // 16) + size % 2
    return _outlined(shape, paint, marks.plus(_inside(shape, size, 0.4), width, paint.line))


def _your_turn(size: int, hues: Hues) -> Scene:
    shape, paint = bell(size), hues["blue"]
    wide, high, low = _even(size / 2, size), whole(0.36 * size), shape.floor - whole(0.14 * size)
    box = (size - wide) / 2, low - high, (size + wide) / 2, low
    return *_filled(shape, paint), *marks.check(box, max(2, whole(size / 8)), paint.on)


def _problem(size: int, hues: Hues) -> Scene:
    """Return a warning sign in place of the bell: Deskbell itself needs help."""
    paint, rim, edge = hues["amber"], bell(size).rim, 0.1 * size
    inset = rim + edge / 2
    corners = (size / 2, inset), (size - inset, size - inset), (inset, size - inset)
    sides = (*corners, corners[0])
    width = 2 * max(1, whole(size / 18)) + size % 2
    box = 0, size / 2 - whole(0.16 * size), size, size - whole(0.12 * size) - rim
    return (
        Stroke(sides, edge + 2 * rim, paint.rim),
        Polygon(corners, paint.fill),
        Stroke(sides, edge, paint.fill),
        *marks.exclamation(box, width, paint.on),
    )


_OTHERS: dict[IconState, Callable[[int, Hues], Scene]] = {
    "quiet": _quiet,
    "working": _working,
    "snoozed": _snoozed,
    "uninstalled": _uninstalled,
    "your_turn": _your_turn,
    "problem": _problem,
}


def _counted(count: int, size: int, paint: Paint) -> Scene:
    """Return the bell with the largest number that fits."""
    shape = bell(size)
    low = shape.floor
    if count <= MOST:
        wide, high, line = _digit(size, stroke=0.12, high=0.62)
        box = (size - wide) / 2, low - high, (size + wide) / 2, low
        return *_filled(shape, paint), *number(str(count), box, line, paint.on)
    wide, high, low = _even(0.69 * size, size), whole(0.55 * size), low - whole(size / 32)
    box = (size - wide) / 2, low - high, (size + wide) / 2, low
    return *_filled(shape, paint), *number(f"{MOST}+", box, 0.11 * size, paint.on)


def _counted_with_moon(count: int, size: int, paint: Paint) -> Scene:
    """Return the bell with its number, and with the moon on a disc at its upper right."""
    shape = bell(size)
    night = whole(0.49 * size)
    inside = size - night + shape.rim, shape.rim, size - shape.rim, night - shape.rim
    sky = disc(size - night / 2, night / 2, night / 2, paint.edge), *marks.moon(inside, paint.line)
    low = shape.floor
    if count <= MOST:
        wide, high, line = _digit(size, stroke=0.1, high=0.58)
        left = min((size - wide) // 2, size - night - wide + max(1, size // 22))
        digits = number(str(count), (left, low - high, left + wide, low), line, paint.on)
    else:
        start = shape.whole[0] + size // 40
        box = start, low - whole(size / 2), start + 0.63 * size, low
        digits = number(f"{MOST}+", box, 0.11 * size, paint.on)
    return *_filled(shape, paint), *sky, *digits


def _digit(size: int, stroke: float, high: float) -> tuple[int, int, int]:
    """Return width, height and stroke of a digit. In an 8 all lines and spaces are whole pixels."""
    line = max(2, whole(stroke * size))
    space = max(1, whole((high * size - 3 * line) / 2))
    return 2 * line + 2 * max(1, whole(0.07 * size)) + size % 2, 3 * line + 2 * space, line


def _filled(shape: Bell, paint: Paint) -> Scene:
    return shape.filled(paint.rim, paint.fill, paint.base)


def _outlined(shape: Bell, paint: Paint, mark: Scene = ()) -> Scene:
    return *shape.outlined(paint.case, paint.line), *edged(mark, shape.rim, paint.edge)


def _inside(shape: Bell, size: int, share: float) -> Box:
    """Return a square in the middle of the dome."""
    side = _even(min(share * size, shape.hollow[3] - shape.hollow[1] - 2 * shape.rim), size)
    top = _middle(shape, side)
    return (size - side) / 2, top, (size + side) / 2, top + side


def _middle(shape: Bell, high: int) -> int:
    return whole((shape.hollow[1] + shape.hollow[3] - high) / 2)


def _even(length: float, size: int) -> int:
    """Return a whole number of pixels that leaves as many on the left as on the right."""
    return int((length - size % 2) / 2 + 0.5) * 2 + size % 2


GOLD, SHADE, SHINE, NIGHT = "#ffb547", "#f0942a", "#ffe2ad", "#182433"


def app(size: int) -> Scene:
    """Return a ringing bell on a night-blue plate. Below 48 pixels there is no room for its sound and shine."""
    plate = Rounded((0, 0, size, size), size * 0.22, NIGHT)
    if size < 48:
        inner = 2 * round(size * 0.375) + size % 2
        gold = bell(inner).filled(SHADE, GOLD, SHADE)
        return (plate, *_moved(gold, (size - inner) // 2, (size - inner) // 2))
    shape = bell(round(size * 0.6))
    body = *shape.filled(SHADE, GOLD, SHADE), _shine(shape)
    middle, reach = (size / 2, size * 0.56), size * 0.37
    sound = (Stroke(arc(middle, (reach, reach), start, start + 34), 0.045 * size, GOLD) for start in (193, 313))
    return (plate, *_moved(body, size * 0.2, size * 0.2), *sound)


def _shine(shape: Bell) -> Stroke:
    """Return the light on the left shoulder of the dome."""
    left, top, right, bottom = shape.whole
    wide, high = right - left, bottom - top
    centre, radii = ((left + right) / 2, bottom), (wide * 0.34, high * 0.74)
    return Stroke(arc(centre, radii, 196, 238, squareness=2.4), wide * 0.055, SHINE)


def _moved(shapes: Iterable[Shape], right: float, down: float) -> Scene:
    return tuple(shape.moved(right, down) for shape in shapes)
