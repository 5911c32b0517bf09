"""Test that a file for Windows holds each picture as it is drawn."""

import io
from itertools import permutations

import pytest
from PIL import Image, ImageChops

from deskbell_icons import draw
from deskbell_icons.ico import save_ico


@pytest.mark.parametrize("sizes", [(20,), *permutations((16, 20, 40))], ids=str)
def test_each_size_is_there_as_it_is_drawn(sizes: tuple[int, ...]) -> None:
    file = io.BytesIO()
    save_ico([draw("blocked", 3, size) for size in sizes], file)
    with Image.open(file) as icon:
        assert icon.info["sizes"] == {(size, size) for size in sizes}
        for size in sizes:
            icon.size = size, size
            icon.load()
            assert ImageChops.difference(icon.convert("RGBA"), draw("blocked", 3, size)).getbbox() is None
