"""Save one icon in several sizes as an .ico file, as Windows needs it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from PIL.Image import Image


def save_ico(images: Sequence[Image], file: Path | BinaryIO) -> None:
    """Save each of IMAGES as it is. Pillow alone would scale the largest one, and leave out unusual sizes."""
    *smaller, largest = sorted(images, key=lambda image: image.width)
    largest.save(file, "ICO", sizes=[image.size for image in images], append_images=smaller)
