"""Shape a desk bell of button, dome and base, fitted to the pixel grid of a size. Pure."""

from dataclasses import dataclass

from deskbell_icons.shapes import Box, Point, Polygon, Rounded, Shape, arc


@dataclass(frozen=True, slots=True)
class Bell:
    button: Box
    dome: Box
    base: Box
    line: float
    """The width of the outline."""

    def filled(self, colour: str) -> tuple[Shape, ...]:
        return (
            Rounded(self.button, (self.button[3] - self.button[1]) / 3, colour),
            Polygon(half_round(self.dome), colour),
            Rounded(self.base, (self.base[3] - self.base[1]) / 2.5, colour),
        )

    def outlined(self, colour: str, core: str) -> tuple[Shape, ...]:
        left, top, right, bottom = self.dome
        hollow = left + self.line, top + self.line, right - self.line, bottom - self.line
        return (*self.filled(colour), Polygon(half_round(hollow), core))


def bell(size: int, gap: int) -> Bell:
    """Return a bell with every straight edge on a whole pixel, and GAP pixels between dome and base."""
    unit = size / 16
    thick, inset = round(2 * unit), round(unit)
    half = round(2 * unit) - (size % 2) / 2
    return Bell(
        button=(size / 2 - half, 0, size / 2 + half, thick * 2),
        dome=(inset, thick, size - inset, size - thick - gap),
        base=(0, size - thick, size, size),
        line=max(1.5, round(1.6 * unit * 2) / 2),
    )


def half_round(box: Box) -> tuple[Point, ...]:
    """Return a dome with square shoulders, which leave more room inside than round ones."""
    left, top, right, bottom = box
    return arc(((left + right) / 2, bottom), ((right - left) / 2, bottom - top), 180, 360, squareness=2.8, steps=64)
