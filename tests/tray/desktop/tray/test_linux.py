"""Test which pictures of the icon the panel gets."""

import pytest

from deskbell.desktop.tray.linux import picture
from deskbell.desktop.tray.wish import Wish
from deskbell.face.look import Look
from deskbell_icons import pixels

THREE = Look("blocked", 3, "")


def test_a_panel_that_chooses_gets_every_size() -> None:
    found = picture(THREE)(Wish())
    assert [(one.size, len(one.rgba)) for one in found] == [(size, size * size * 4) for size in pixels.SIZES]


@pytest.mark.parametrize(("size", "got"), [(22, 22), (44, 44), (12, 16), (30, 32), (60, 64), (88, 64)])
def test_a_panel_that_does_not_choose_gets_its_own_size_or_the_next_that_is_kept(size: int, got: int) -> None:
    (found,) = picture(THREE)(Wish(size=size))
    assert (found.size, len(found.rgba)) == (got, got * got * 4)


def test_who_wants_full_contrast_gets_it() -> None:
    (found,) = picture(THREE)(Wish(contrast=True, size=22))
    assert found.rgba == pixels.icon("blocked", 3, 22, "contrast").rgba != pixels.icon("blocked", 3, 22).rgba


def test_the_snoozed_bell_keeps_its_number() -> None:
    one, three = (picture(Look("snoozed", count, ""))(Wish(size=22)) for count in (1, 3))
    assert one != three
