"""Test that the sheet of all icons and the pictures of README.md are those that would be drawn now."""

from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from deskbell_drawings.sheet import FINGERPRINT, PICTURES, main, pictures, sheet
from deskbell_icons import pixels
from tests.test_layers import ROOT

SHEET, FOLDER = ROOT / "docs/icons.png", ROOT / "packaging/pictures"
AGAIN = "run `make pictures` to draw it again"
NEARLY = 2.0
"""Levels of 255, averaged over a picture: another version of Pillow may draw edges and letters differently."""


def test_the_sheet_and_the_pictures_are_what_would_be_drawn_now() -> None:
    now = {SHEET: sheet(), **{FOLDER / name: picture for name, picture in pictures()}}
    for path, drawn in now.items():
        with Image.open(path) as kept:
            assert kept.size == drawn.size, f"{path.name}: {AGAIN}"
            off = ImageStat.Stat(ImageChops.difference(kept.convert("RGBA"), drawn.convert("RGBA"))).mean
            assert max(off) < NEARLY, f"{path.name}: {AGAIN}"


def test_the_sheet_shows_the_icons_that_are_kept() -> None:
    with Image.open(SHEET) as kept:
        assert kept.info[FINGERPRINT] == pixels.fingerprint(), AGAIN


@pytest.mark.parametrize("name", PICTURES)
def test_the_readme_shows_every_picture(name: str) -> None:
    assert f"packaging/pictures/{name}.png" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.long
def test_it_writes_the_sheet_and_the_pictures(tmp_path: Path) -> None:
    assert main([str(tmp_path / "sheet.png"), str(tmp_path)]) == 0
    assert {path.stem for path in tmp_path.iterdir()} == {"sheet", *PICTURES}
    with Image.open(tmp_path / "sheet.png") as written:
        assert written.info[FINGERPRINT] == pixels.fingerprint()


@pytest.mark.parametrize("arguments", [[], ["one"], ["--help", "two"], ["one", "two", "three"]])
def test_a_wrong_call_prints_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "SHEET" in capsys.readouterr().err
