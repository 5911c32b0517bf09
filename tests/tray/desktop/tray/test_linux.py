"""Test which sizes of the icon each panel gets."""

from collections.abc import Mapping

import pytest

from deskbell.desktop.tray.linux import SIZES, picture, sizes
from deskbell.face.look import Look


@pytest.mark.parametrize(
    ("env", "wanted"),
    [
        ({}, SIZES),
        ({"XDG_CURRENT_DESKTOP": "KDE"}, SIZES),
        ({"XDG_CURRENT_DESKTOP": "XFCE"}, (22,)),
        ({"XDG_CURRENT_DESKTOP": "Xfce:Debian", "GDK_SCALE": "2"}, (44,)),
        ({"XDG_CURRENT_DESKTOP": "XFCE", "GDK_SCALE": "big"}, (22,)),
    ],
)
def test_a_panel_that_scales_gets_its_own_size(env: Mapping[str, str], wanted: tuple[int, ...]) -> None:
    assert sizes(env) == wanted


def test_a_look_is_drawn_in_every_size() -> None:
    assert [(p.size, len(p.rgba)) for p in picture(Look("blocked", 3, ""))] == [
        (size, size * size * 4) for size in SIZES
    ]
