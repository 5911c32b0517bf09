"""Compute how an eye sees a colour: contrast as WCAG 2 defines it, colour blindness after Machado et al. (2009)."""

from collections import Counter
from typing import Literal

from PIL import Image, ImageColor

Rgb = tuple[float, float, float]
Sight = Literal["normal", "protanopia", "deuteranopia"]

_SIGHTS: dict[Sight, tuple[Rgb, Rgb, Rgb]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}


def linear(colour: str) -> Rgb:
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return _light(red / 255), _light(green / 255), _light(blue / 255)


def contrast(one: str, other: str) -> float:
    dark, bright = sorted(_luminance(linear(colour)) for colour in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def distance(one: str, other: str, sight: Sight) -> float:
    """Return the distance of two colours in Oklab: 0.02 is just noticeable."""
    pair = zip(_oklab(seen(one, sight)), _oklab(seen(other, sight)), strict=True)
    return float(sum((a - b) ** 2 for a, b in pair) ** 0.5)


def seen(colour: str, sight: Sight) -> Rgb:
    rgb = linear(colour)
    red, green, blue = (min(1.0, max(0.0, sum(w * c for w, c in zip(row, rgb, strict=True)))) for row in _SIGHTS[sight])
    return red, green, blue


def visible(image: Image.Image, ground: str, least: float) -> int:
    """Return how many pixels of IMAGE have at least this contrast to the GROUND that it lies on."""
    return sum(count for count, found in _contrasts(image, ground) if found >= least)


def strongest(image: Image.Image, ground: str) -> float:
    """Return the highest contrast of a pixel of IMAGE to the GROUND that it lies on."""
    return max(found for _, found in _contrasts(image, ground))


def _contrasts(image: Image.Image, ground: str) -> list[tuple[int, float]]:
    """Return how many pixels there are of each contrast."""
    whole = Image.new("RGBA", image.size, ground)
    whole.alpha_composite(image)
    pixels = Counter(zip(*(whole.getchannel(band).tobytes() for band in "RGB"), strict=True))
    return [(count, contrast(f"#{r:02x}{g:02x}{b:02x}", ground)) for (r, g, b), count in pixels.items()]


def unlike(one: Image.Image, other: Image.Image) -> float:
    """Return how many whole pixels of the form differ: in alpha alone, as a panel without colours shows it."""
    pairs = zip(one.getchannel("A").tobytes(), other.getchannel("A").tobytes(), strict=True)
    return sum(abs(a - b) for a, b in pairs) / 255


def _light(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _luminance(rgb: Rgb) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def _oklab(rgb: Rgb) -> Rgb:
    r, g, b = rgb
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )
