"""Compose the shapes and colours of each icon. Pure.

The form alone tells one state from another. The colour does so faster, also for people who confuse red and green.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from deskbell_icons import MOST, IconState, Panel, Sign, signs
from deskbell_icons.bell import Bell, bell
from deskbell_icons.glyphs import number
from deskbell_icons.shapes import CLEAR, Box, Polygon, Rounded, Scene, Shape, Stroke, arc

Hue = Literal["red", "blue", "green", "amber", "grey"]


@dataclass(frozen=True, slots=True)
class Palette:
    """Hues after Okabe and Ito, which differ for every kind of colour vision, also in lightness."""

    fill: dict[Hue, str]
    on: str
    """The colour of a sign on a fill."""
    line: dict[Hue, str]
    sign: dict[Hue, str]
    """The colour of a sign in an outline."""
    core: str = CLEAR
    """The colour inside an outline."""


BRIGHT: dict[Hue, str] = {
    "red": "#ff7043",
    "blue": "#64b5f6",
    "green": "#4fd1a5",
    "amber": "#f5d442",
    "grey": "#d4d4d4",
}
MIDDLE: dict[Hue, str] = {
    "red": "#d83a00",
    "blue": "#1877c9",
    "green": "#0f9470",
    "amber": "#b07d00",
    "grey": "#8a8a8a",
}
LINE: dict[Hue, str] = MIDDLE | {"green": "#2fb58a", "amber": "#d9a520", "grey": "#a0a0a0"}
DEEP: dict[Hue, str] = {"red": "#c62f00", "blue": "#0062a8", "green": "#00785a", "amber": "#8a6100", "grey": "#4a4a4a"}
BLACK: dict[Hue, str] = dict.fromkeys(BRIGHT, "#000000")

PALETTES: dict[Panel, Palette] = {
    "dark": Palette(BRIGHT, "#101010", BRIGHT, BRIGHT),
    "light": Palette(DEEP, "#ffffff", DEEP, DEEP),
    # Bright signs on a dark core stand out on any panel, and so does either the outline or the core.
    "any": Palette(MIDDLE, "#ffffff", LINE, BRIGHT, "#303030"),
    "template": Palette(BLACK, CLEAR, BLACK, BLACK),
}


@dataclass(frozen=True, slots=True)
class Form:
    hue: Hue
    body: Literal["filled", "outlined"]
    sign: signs.Sign


FORMS: dict[IconState, Form] = {
    "your_turn": Form("blue", "filled", signs.check),
    "working": Form("green", "outlined", signs.dots),
    "quiet": Form("grey", "outlined", signs.nothing),
    "snoozed": Form("grey", "outlined", signs.moon),
    "uninstalled": Form("amber", "outlined", signs.plus),
}

NOTICES: dict[Sign, Form] = {
    "permission": Form("red", "filled", signs.lock),
    "question": Form("red", "filled", signs.question),
    "input": Form("red", "filled", signs.cursor),
    "interrupted": Form("red", "filled", signs.bars),
    "error": Form("red", "filled", signs.exclamation),
    "plan": Form("red", "filled", signs.page),
    "idle": Form("blue", "filled", signs.check),
    "working": Form("green", "filled", signs.dots),
    "background": Form("green", "filled", signs.turning),
    "ended": Form("grey", "filled", signs.dash),
    "crashed": Form("grey", "filled", signs.bolt),
}


def tray(state: IconState, count: int, size: int, panel: Panel) -> Scene:
    palette = PALETTES[panel]
    if state == "problem":
        return _warning(size, palette)
    if state == "blocked":
        return _counted(count, size, palette)
    return _formed(FORMS[state], size, palette)


def notice(sign: Sign, size: int) -> Scene:
    form, palette, unit = NOTICES[sign], PALETTES["any"], size / 16
    box = size / 2 - 3.9 * unit, 4.4 * unit, size / 2 + 3.9 * unit, 12.2 * unit
    return (*bell(size, size // 32).filled(palette.fill[form.hue]), *form.sign(box, 1.3 * unit, palette.on))


def _formed(form: Form, size: int, palette: Palette) -> Scene:
    if form.body == "filled":
        shape, ink = bell(size, size // 32), palette.on
        body = shape.filled(palette.fill[form.hue])
    else:
        shape, ink = bell(size, max(1, round(size / 20))), palette.sign[form.hue]
        body = shape.outlined(palette.line[form.hue], palette.core)
    unit = size / 16
    box = _box(shape, size, round(8 * unit), 2 * round(3 * unit), round(1.7 * unit))
    return (*body, *form.sign(box, round(2 * unit), ink))


def _counted(count: int, size: int, palette: Palette) -> Scene:
    """Return the bell with its number as large as it fits: lines and spaces of equal width, five in its height."""
    shape, line = bell(size, gap=0), round(size / 8)
    if count <= MOST:
        return (
            *shape.filled(palette.fill["red"]),
            *number(str(count), _box(shape, size, 3 * line, 5 * line), line, palette.on),
        )
    box = _box(shape, size, round(size * 0.69), round(size * 0.55))
    return (*shape.filled(palette.fill["red"]), *number(f"{MOST}+", box, size * 0.11, palette.on))


def _box(shape: Bell, size: int, wide: int, high: int, above: int = 0) -> Box:
    """Return a box in the middle of the dome, ABOVE pixels from its bottom, on whole pixels."""
    wide += (wide + size) % 2
    low = shape.dome[3] - above
    return (size - wide) / 2, low - high, (size + wide) / 2, low


def _warning(size: int, palette: Palette) -> Scene:
    """Return a warning sign in place of the bell: Deskbell itself needs help."""
    unit, width = size / 16, 2 * round(size / 14) - size % 2
    edge = round(1.6 * unit)
    corners = (size / 2, edge / 2), (size - edge / 2, size - edge / 2), (edge / 2, size - edge / 2)
    box = 0, size / 2 - round(2.6 * unit), size, size - round(1.8 * unit)
    return (
        Polygon(corners, palette.fill["amber"]),
        Stroke((*corners, corners[0]), edge, palette.fill["amber"]),
        *signs.exclamation(box, width, palette.on),
    )


GOLD, SHADE, SHINE, NIGHT = "#ffb547", "#f0942a", "#ffe2ad", "#182433"


def app(size: int) -> Scene:
    """Return a ringing bell on a night-blue plate. Below 48 pixels there is no room for its sound and shine."""
    plate = Rounded((0, 0, size, size), size * 0.22, NIGHT)
    if size < 48:
        inner = 2 * round(size * 0.375) + size % 2
        return (plate, *_moved(bell(inner, 1).filled(GOLD), (size - inner) // 2, (size - inner) // 2))
    shape = bell(round(size * 0.6), round(size * 0.03))
    button, dome, base = shape.filled(GOLD)
    body = replace(button, colour=SHADE), dome, replace(base, colour=SHADE), _shine(shape)
    middle, reach = (size / 2, size * 0.56), size * 0.37
    sound = (Stroke(arc(middle, (reach, reach), start, start + 34), 0.045 * size, GOLD) for start in (193, 313))
    return (plate, *_moved(body, size * 0.2, size * 0.2), *sound)


def _shine(shape: Bell) -> Stroke:
    """Return the light on the left shoulder of the dome."""
    left, top, right, bottom = shape.dome
    wide, high = right - left, bottom - top
    centre, radii = ((left + right) / 2, bottom), (wide * 0.34, high * 0.74)
    return Stroke(arc(centre, radii, 196, 238, squareness=2.4), wide * 0.055, SHINE)


def _moved(shapes: Iterable[Shape], right: float, down: float) -> Scene:
    return tuple(shape.moved(right, down) for shape in shapes)
