"""Shape a desk bell: its button, dome and base, with their edges on the pixel grid of a size. Pure.

Every part has a rim around it, usually of another colour, so that it stands out from light and from dark panels.
"""

from dataclasses import dataclass

from deskbell_drawings.shapes import CLEAR, Box, Point, Polygon, Rounded, Shape, arc, whole

SQUARENESS = 2.7
"""The squareness of the dome. An ellipse has 2; more leaves more room inside."""


@dataclass(frozen=True, slots=True)
class Bell:
    """The parts without their rims."""

    rim: int
    line: int
    """The width of the outline inside the rim."""
    button: Box
    stem: Box
    dome: Box
    base: Box

    @property
    def hollow(self) -> Box:
        left, top, right, bottom = self.dome
        return left + self.line, top + self.line, right - self.line, bottom

    @property
    def whole(self) -> Box:
        """The dome of a filled bell, which stands on its base."""
        left, top, right, _ = self.dome
        return left, top, right, self.base[1]

    @property
    def floor(self) -> float:
        """The lowest line for a mark in a filled bell."""
        return self.base[1] - self.rim

    def filled(self, rim: str, fill: str, base: str) -> tuple[Shape, ...]:
        return (
            *self._rims(rim, self.whole),
            *self._top(fill),
            Rounded(self.base, _radius(self.base), base),
            Polygon(half_round(self.whole), fill),
        )

    def outlined(self, rim: str, line: str) -> tuple[Shape, ...]:
        """Return the outline of the bell. The dome ends above the base, and the panel shows through."""
        return (
            *self._rims(rim, self.dome),
            *self._top(line),
            Polygon(half_round(self.dome), line),
            Rounded(self.base, _radius(self.base), line),
            Polygon(half_round(self.hollow), CLEAR),
        )

    def _rims(self, colour: str, dome: Box) -> tuple[Shape, ...]:
        left, top, right, bottom = dome
        around = left - self.rim, top - self.rim, right + self.rim, bottom
        boxes = grown(self.button, self.rim), grown(self.base, self.rim)
        return (
            *(Rounded(box, _radius(box), colour) for box in boxes),
            Rounded(grown(self.stem, self.rim), 0, colour),
            Polygon(half_round(around, SQUARENESS + 0.2), colour),
        )

    def _top(self, colour: str) -> tuple[Shape, ...]:
        return Rounded(self.button, _radius(self.button), colour), Rounded(self.stem, 0, colour)


def bell(size: int) -> Bell:
    """Return a bell with every straight edge on a whole pixel."""
    rim, line = max(1, whole(size / 24)), max(1, whole(size / 16 - 0.12))
    high, stem, thick = max(1, whole(size * 0.08)), whole(size * 0.035), max(1, whole(size * 0.09))
    wide = 2 * whole(size / 8) + size % 2
    narrow = wide - 2 * max(1, whole(size / 16)) if stem else wide
    high = high if stem else high + 1
    inset, gap = rim + max(1, whole(size / 20)), max(1, whole(size / 28))
    top, floor = rim + high + stem, size - rim - thick
    return Bell(
        rim=rim,
        line=line,
        button=((size - wide) / 2, rim, (size + wide) / 2, rim + high),
        stem=((size - narrow) / 2, rim + high, (size + narrow) / 2, top + line),
        dome=(inset, top, size - inset, floor - rim - gap),
        base=(rim, floor, size - rim, size - rim),
    )


def half_round(box: Box, squareness: float = SQUARENESS) -> tuple[Point, ...]:
    """Return a dome with square shoulders."""
    left, top, right, bottom = box
    return arc(((left + right) / 2, bottom), ((right - left) / 2, bottom - top), 180, 360, squareness, steps=64)


def grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _radius(box: Box) -> float:
    return min(box[2] - box[0], box[3] - box[1]) / 2.2
