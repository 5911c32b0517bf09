"""Define the shapes that icons are made of, and turn a scene into pixels or SVG.

A scene is a sequence of shapes, painted in order. Lengths are pixels of the finished icon.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from PIL import Image, ImageDraw

Point = tuple[float, float]
Box = tuple[float, float, float, float]

CLEAR = ""
"""The colour that erases the shapes below."""


@dataclass(frozen=True, slots=True)
class Polygon:
    points: tuple[Point, ...]
    colour: str

    def moved(self, right: float, down: float) -> "Polygon":
        return Polygon(tuple((x + right, y + down) for x, y in self.points), self.colour)

    def grown(self, by: float, colour: str) -> "Scene":
        """Return the shape in COLOUR, BY pixels larger on every side."""
        return Polygon(self.points, colour), Stroke((*self.points, self.points[0]), 2 * by, colour)

    def paint(self, canvas: ImageDraw.ImageDraw, k: float) -> None:
        across, down = [round(x * k, 6) for x, _ in self.points], [round(y * k, 6) for _, y in self.points]
        middle, centre = (min(across) + max(across)) / 2, (min(down) + max(down)) / 2
        # Pillow also paints the pixels of the right and the lower edge.
        edges = ((x - (x > middle), y - (y > centre)) for x, y in zip(across, down, strict=True))
        canvas.polygon(list(edges), fill=ink(self.colour))

    def svg(self) -> str:
        path = " ".join(f"{x:.2f},{y:.2f}" for x, y in self.points)
        return f'<polygon points="{path}" fill="{self.colour}"/>'


@dataclass(frozen=True, slots=True)
class Rounded:
    """A rectangle with round corners; a disc if the radius is half the side."""

    box: Box
    radius: float
    colour: str

    def moved(self, right: float, down: float) -> "Rounded":
        left, top, end, bottom = self.box
        return Rounded((left + right, top + down, end + right, bottom + down), self.radius, self.colour)

    def grown(self, by: float, colour: str) -> "Scene":
        left, top, right, bottom = self.box
        return (Rounded((left - by, top - by, right + by, bottom + by), self.radius + by, colour),)

    def paint(self, canvas: ImageDraw.ImageDraw, k: float) -> None:
        # The boxes of Pillow include their last pixel.
        left, top, right, bottom = (edge * k for edge in self.box)
        canvas.rounded_rectangle((left, top, right - 1, bottom - 1), self.radius * k, fill=ink(self.colour))

    def svg(self) -> str:
        left, top, right, bottom = self.box
        return (
            f'<rect x="{left:.2f}" y="{top:.2f}" width="{right - left:.2f}" height="{bottom - top:.2f}" '
            f'rx="{self.radius:.2f}" fill="{self.colour}"/>'
        )


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, with round ends and joints."""

    points: tuple[Point, ...]
    width: float
    colour: str

    def moved(self, right: float, down: float) -> "Stroke":
        return Stroke(tuple((x + right, y + down) for x, y in self.points), self.width, self.colour)

    def grown(self, by: float, colour: str) -> "Scene":
        return (Stroke(self.points, self.width + 2 * by, colour),)

    def paint(self, canvas: ImageDraw.ImageDraw, k: float) -> None:
        for (ax, ay), (bx, by) in zip(self.points, self.points[1:], strict=False):
            length = math.hypot(bx - ax, by - ay) or 1.0
            dx, dy = (by - ay) / length * self.width / 2, (ax - bx) / length * self.width / 2
            sides = (ax + dx, ay + dy), (bx + dx, by + dy), (bx - dx, by - dy), (ax - dx, ay - dy)
            Polygon(sides, self.colour).paint(canvas, k)
        for x, y in self.points:
            disc(x, y, self.width / 2, self.colour).paint(canvas, k)

    def svg(self) -> str:
        path = " ".join(f"{x:.2f},{y:.2f}" for x, y in self.points)
        return (
            f'<polyline points="{path}" fill="none" stroke="{self.colour}" stroke-width="{self.width:.2f}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )


Shape = Polygon | Rounded | Stroke
Scene = tuple[Shape, ...]


def edged(shapes: Iterable[Shape], by: float, colour: str) -> Scene:
    """Return SHAPES with an edge of COLOUR around them, BY pixels wide; 0 is none."""
    shapes = tuple(shapes)
    return shapes if not by else (*(part for shape in shapes for part in shape.grown(by, colour)), *shapes)


def whole(length: float) -> int:
    """Return the nearest whole number of pixels; halves go up."""
    return int(length + 0.5)


def disc(x: float, y: float, radius: float, colour: str) -> Rounded:
    return Rounded((x - radius, y - radius, x + radius, y + radius), radius, colour)


def ink(colour: str) -> str | tuple[int, int, int, int]:
    return colour or (0, 0, 0, 0)


def arc(
    centre: Point, radii: Point, start: float, end: float, squareness: float = 2, steps: int = 32
) -> tuple[Point, ...]:
    """Return points of a (super)ellipse between two angles, in degrees: 0 is right, 90 is down."""
    power = 2 / squareness
    angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return tuple(
        (
            centre[0] + radii[0] * math.copysign(abs(math.cos(a)) ** power, math.cos(a)),
            centre[1] + radii[1] * math.copysign(abs(math.sin(a)) ** power, math.sin(a)),
        )
        for a in angles
    )


def raster(scene: Iterable[Shape], size: int) -> Image.Image:
    """Draw SCENE enlarged and average it down: edges are smooth, and sharp where a shape lies on the pixel grid."""
    k = 8 if size <= 64 else 4
    large = Image.new("RGBA", (size * k, size * k))
    canvas = ImageDraw.Draw(large)
    for shape in scene:
        shape.paint(canvas, k)
    return large.reduce(k)


def svg(scene: Iterable[Shape], size: int) -> str:
    body = "\n  ".join(shape.svg() for shape in scene)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">\n  {body}\n</svg>\n'
