"""Define the colours of the icons. Pure.

The hues follow Okabe and Ito. Every state also has a form of its own: colours that stand out from light and from dark
panels do not all differ for every kind of colour vision.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from deskbell_drawings.shapes import CLEAR
from deskbell_icons import Ground, Panel

Hue = Literal["red", "blue", "green", "amber", "grey", "violet", "magenta"]


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of an icon in one hue.

    A rim and what it surrounds differ, so that one of them stands out on any panel. They are the same in LIGHT and
    DARK, for a background that is known, and in BLACK, which the system colours.
    """

    rim: str
    """The rim of a fill."""
    fill: str
    base: str
    """The base of a filled bell."""
    on: str
    """A mark on a fill."""
    line: str
    case: str
    """The rim of a line."""
    edge: str
    """The rim of a mark in an outline."""


Hues = Mapping[Hue, Paint]


def _rimmed(rim: str, fill: str, line: str, on: str = "#ffffff", edge: str = "") -> Paint:
    return Paint(rim, fill, rim, on, line, case=rim, edge=edge or rim)


def _full(fill: str, line: str = "#ffffff") -> Paint:
    """Return white around fills and black around lines: on every panel one of the two colours stands out."""
    return Paint("#ffffff", fill, fill, "#ffffff", line, case="#000000", edge="#000000")


def _flat(colour: str, on: str) -> Paint:
    return Paint(colour, colour, colour, on, colour, case=colour, edge=CLEAR)


ANY: Hues = {
    "red": _rimmed("#a52a00", "#d83a00", "#ff8f6b"),
    "blue": _rimmed("#0a5596", "#1877c9", "#6bb8f7"),
    "green": _rimmed("#085c45", "#0f8a68", "#4fd1a5"),
    "amber": _rimmed("#7d5600", "#f5b90f", "#f7c93c", on="#2b1d00"),
    "grey": _rimmed("#63686d", "#6b7076", "#dce0e4"),
    "violet": _rimmed("#4b4a8f", "#6c6ab8", "#d3d0ff", edge="#2f2e66"),
    "magenta": _rimmed("#8a0f5c", "#b5187a", "#f27cc4"),
}
FULL: Hues = {
    "red": _full("#990000"),
    "blue": _full("#003c94"),
    "green": _full("#005c3f", "#6dffc8"),
    "amber": _rimmed("#000000", "#ffd400", "#ffe14d", on="#000000"),
    "grey": _full("#404040"),
    "violet": _full("#3d3a8c"),
    "magenta": _full("#85005a"),
}
LIGHT: Hues = {
    "red": _flat("#c93400", "#ffffff"),
    "blue": _flat("#0d66b0", "#ffffff"),
    "green": _flat("#0a7a5a", "#ffffff"),
    "amber": _flat("#a06900", "#ffffff"),
    "grey": _flat("#6b7076", "#ffffff"),
    "violet": _flat("#5e5cab", "#ffffff"),
    "magenta": _flat("#b0127a", "#ffffff"),
}
DARK: Hues = {
    "red": _flat("#ff7a50", "#1a1a1a"),
    "blue": _flat("#6bb8f7", "#1a1a1a"),
    "green": _flat("#4fd1a5", "#1a1a1a"),
    "amber": _flat("#f7c93c", "#1a1a1a"),
    "grey": _flat("#aab0b6", "#1a1a1a"),
    "violet": _flat("#bdbaf5", "#1a1a1a"),
    "magenta": _flat("#ff7ccb", "#1a1a1a"),
}
BLACK = Paint("#000000", "#000000", "#000000", CLEAR, "#000000", case="#000000", edge=CLEAR)

PANELS: Mapping[Panel, Hues] = {"any": ANY, "contrast": FULL, "template": dict.fromkeys(ANY, BLACK)}
GROUNDS: Mapping[Ground, Hues] = {"any": ANY, "light": LIGHT, "dark": DARK}
