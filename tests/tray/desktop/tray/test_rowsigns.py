"""Test the signs in the rows of the menu."""

import io

import pytest
from PIL import Image

from deskbell.desktop.tray.rowsigns import SIZE, picture, words
from deskbell.session import STATUSES
from deskbell_hooks.schema import Status
from deskbell_icons.pixels import sign


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_a_picture(status: Status) -> None:
    drawn = Image.open(io.BytesIO(picture(status)))
    assert (drawn.format, drawn.size, drawn.tobytes()) == ("PNG", (SIZE, SIZE), sign(status, SIZE).rgba)


@pytest.mark.parametrize("status", STATUSES)
def test_words_say_what_the_heading_above_does_not(status: Status) -> None:
    assert bool(words(status)) == (status not in ("idle", "working", "crashed", "ended", "new"))
