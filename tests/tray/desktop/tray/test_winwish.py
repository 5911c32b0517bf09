"""Test what is asked of Windows about the icon, with a library that answers as the documentation says."""

import ctypes
from typing import Any

import pytest

from deskbell.desktop.tray.winwish import HighContrast, full_contrast, icon_size


class User32:
    def __init__(self, flags: int = 0, small: int = 16, fails: bool = False) -> None:
        self.flags, self.small, self.fails = flags, small, fails
        self.asked: list[tuple[int, ...]] = []

    def SystemParametersInfoW(self, action: int, size: int, pointer: Any, change: int) -> int:
        structure = pointer._obj
        self.asked.append((action, size, structure.size, change))
        structure.flags = self.flags
        return 0 if self.fails else 1

    def GetSystemMetrics(self, which: int) -> int:
        self.asked.append((which,))
        return self.small


@pytest.mark.parametrize(
    ("user32", "wanted"),
    [
        (User32(flags=0x7E), False),
        (User32(flags=0x7F), True),
        (User32(flags=0x7F, fails=True), False),
    ],
)
def test_full_contrast_is_wanted_where_the_flag_is_set(user32: User32, wanted: bool) -> None:
    size = ctypes.sizeof(HighContrast)
    assert full_contrast(user32) == wanted
    assert user32.asked == [(0x0042, size, size, 0)]


@pytest.mark.parametrize(("small", "size"), [(16, 16), (20, 20), (32, 32), (0, 16)])
def test_the_icon_has_the_size_of_small_icons(small: int, size: int) -> None:
    user32 = User32(small=small)
    assert icon_size(user32) == size
    assert user32.asked == [(49,)]
