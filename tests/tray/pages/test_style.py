"""Test that the style needs nothing but itself, in light and in dark."""

import re

from deskbell.pages.style import STYLE


def test_the_style_loads_nothing_and_stays_in_its_element() -> None:
    assert not re.search(r"url\(|@import|@font-face|<|expression", STYLE)
    assert STYLE.count("{") == STYLE.count("}")


def test_every_colour_is_defined_for_light_and_for_dark() -> None:
    light, dark = (set(re.findall(r"(--[a-z]+):", part)) for part in STYLE.split("@media (prefers-color-scheme: dark)"))
    assert light == dark
    assert set(re.findall(r"var\((--[a-z]+)\)", STYLE)) == light
