"""Test the size of an icon in Xfce's panel. Xfce 4.18 was seen to draw these sizes."""

from collections.abc import Mapping

import pytest

from deskbell.desktop.tray.xfce import icon_size

TRAY, ICON, ROW = "/plugins/plugin-6", "/plugins/plugin-6/icon-size", "/panels/panel-1/size"
SET: Mapping[str, object] = {TRAY: "systray", "/panels/panel-1/plugin-ids": [1, 6]}

SIZES: dict[str, tuple[Mapping[str, object], int]] = {
    "nothing is known": ({}, 22),
    "nothing is set": (SET, 22),
    "the person has set a size": (SET | {ICON: 32}, 32),
    "an odd size": (SET | {ICON: 25}, 24),
    "a size above that of the panel": (SET | {ICON: 64, ROW: 48}, 48),
    "a low panel": (SET | {ROW: 20}, 20),
    "it follows a panel of the usual height": (SET | {ICON: 0}, 44),
    "it follows a panel of 96 pixels": (SET | {ICON: 0, ROW: 96}, 92),
    "it follows a panel of 42 pixels": (SET | {ICON: 0, ROW: 42}, 38),
    "it follows a panel of 41 pixels": (SET | {ICON: 0, ROW: 41}, 32),
    "it follows a panel of 35 pixels": (SET | {ICON: 0, ROW: 35}, 24),
    "it follows a panel of 28 pixels": (SET | {ICON: 0, ROW: 28}, 24),
    "it follows a panel of 27 pixels": (SET | {ICON: 0, ROW: 27}, 16),
    "it follows a panel of 16 pixels": (SET | {ICON: 0, ROW: 16}, 12),
    "it follows the icons of the panel": (SET | {ICON: 0, "/panels/panel-1/icon-size": 20}, 20),
    "a panel of several rows": (SET | {ICON: 40, ROW: 30, "/panels/panel-1/nrows": 2}, 30),
    "the tray of the older plugin": ({TRAY: "statusnotifier", ICON: 18}, 18),
    "a tray in no panel": ({TRAY: "systray", ICON: 0}, 44),
    "a tray in the second panel": (
        {TRAY: "systray", ICON: 0, "/panels/panel-1/plugin-ids": [1], ROW: 24}
        | {"/panels/panel-2/plugin-ids": [6], "/panels/panel-2/size": 36},
        32,
    ),
    "another plugin": ({TRAY: "clock", ICON: 32}, 22),
    "values of other kinds": (SET | {ICON: "big", ROW: True, "/panels/panel-0/plugin-ids": 6}, 22),
    "values below the bounds": (SET | {ICON: -3, ROW: 0}, 22),
    "values above the bounds": (SET | {ICON: 10**9, ROW: 10**9}, 128),
}


@pytest.mark.parametrize(("settings", "size"), SIZES.values(), ids=SIZES)
def test_the_size_is_that_of_the_panel(settings: Mapping[str, object], size: int) -> None:
    assert icon_size(settings) == size


def test_a_scaled_desktop_has_larger_icons() -> None:
    assert icon_size(SET, scale=2) == 44
