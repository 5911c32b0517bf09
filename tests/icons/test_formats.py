"""Test that the files hold each picture as it is drawn."""

import io
from itertools import permutations

import pytest
from PIL import Image, ImageChops

from deskbell_icons.formats import png, save_ico
from deskbell_icons.pixels import image as picture


@pytest.mark.parametrize("size", [1, 16, 33])
def test_pillow_reads_the_same_pixels(size: int) -> None:
    rgba = bytes(place * 7 % 256 for place in range(4 * size * size))
    with Image.open(io.BytesIO(png(size, rgba))) as image:
        image.load()
        assert (image.format, image.mode, image.size, image.tobytes()) == ("PNG", "RGBA", (size, size), rgba)


@pytest.mark.parametrize("sizes", [(20,), *permutations((16, 20, 40))], ids=str)
def test_each_size_is_there_as_it_is_drawn(sizes: tuple[int, ...]) -> None:
    file = io.BytesIO()
    save_ico([picture("blocked", 3, size) for size in sizes], file)
    with Image.open(file) as icon:
        assert icon.info["sizes"] == {(size, size) for size in sizes}
        for size in sizes:
            icon.size = size, size
            icon.load()
            assert ImageChops.difference(icon.convert("RGBA"), picture("blocked", 3, size)).getbbox() is None
