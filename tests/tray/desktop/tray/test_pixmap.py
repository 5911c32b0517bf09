"""Test the form of a picture on D-Bus."""

from deskbell.desktop.tray.pixmap import pixmap
from deskbell_icons.pixels import Pixels


def test_alpha_comes_first() -> None:
    assert pixmap(Pixels(1, b"rgba")) == [1, 1, b"argb"]
