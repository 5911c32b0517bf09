"""Test the icon files for packages."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

from deskbell_drawings import app
from deskbell_drawings.__main__ import ICNS_SIZES, ICO_SIZES, PNG_SIZES, main


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("icons") / "new"
    assert main([str(folder)]) == 0
    return folder


@pytest.mark.parametrize("size", PNG_SIZES)
def test_each_png_has_the_size_in_its_name(written: Path, size: int) -> None:
    with Image.open(written / f"deskbell-{size}.png") as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGBA", (size, size))


def test_the_ico_holds_every_size_as_it_is_drawn(written: Path) -> None:
    with Image.open(written / "deskbell.ico") as icon:
        assert icon.info["sizes"] == {(size, size) for size in ICO_SIZES}
        for size in ICO_SIZES:
            icon.size = size, size
            icon.load()
            assert ImageChops.difference(icon.convert("RGBA"), app(size)).getbbox() is None


def test_the_icns_holds_every_size(written: Path) -> None:
    with Image.open(written / "deskbell.icns") as icon:
        assert {width * scale for width, _, scale in icon.info["sizes"]} >= set(ICNS_SIZES)


def test_the_svg_is_the_same_drawing(written: Path) -> None:
    root = ElementTree.parse(written / "deskbell.svg").getroot()
    fills = {shape.get("fill") for shape in root} | {shape.get("stroke") for shape in root}
    with Image.open(written / "deskbell-256.png") as image:
        painted = {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b, a) in image.getcolors(1 << 16) or [] if a == 255}
    assert root.get("viewBox") == "0 0 256 256"
    assert fills - {None, "none"} <= painted


@pytest.mark.parametrize("arguments", [[], ["one", "two"], ["--help"]])
def test_a_wrong_call_prints_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "FOLDER" in capsys.readouterr().err
