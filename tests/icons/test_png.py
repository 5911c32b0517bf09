"""Test that a PNG file made without Pillow is what Pillow reads."""

import io

import pytest
from PIL import Image

from deskbell_icons.png import png


@pytest.mark.parametrize("size", [1, 16, 33])
def test_pillow_reads_the_same_pixels(size: int) -> None:
    rgba = bytes(place * 7 % 256 for place in range(4 * size * size))
    with Image.open(io.BytesIO(png(size, rgba))) as image:
        image.load()
        assert (image.format, image.mode, image.size, image.tobytes()) == ("PNG", "RGBA", (size, size), rgba)
