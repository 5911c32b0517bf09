"""Test how paths are shortened in sentences that are too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.text.paths import fitting

LONG = "Cannot read /home/me/.config/deskbell/known.json: Permission denied. Make it readable."


@pytest.mark.parametrize(
    ("room", "fits"),
    [
        (200, LONG),
        (80, "Cannot read …/.config/deskbell/known.json: Permission denied. Make it readable."),
        (72, "Cannot read …/deskbell/known.json: Permission denied. Make it readable."),
        (62, "Cannot read …/known.json: Permission denied. Make it readable."),
        (20, "Cannot read …/known.json: Permission denied. Make it readable."),
    ],
)
def test_folders_go_from_the_front_until_the_sentence_fits(room: int, fits: str) -> None:
    assert fitting(LONG, room) == fits


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("~/.local/state/deskbell is full", "…/deskbell is full"),
        ("Disk full: C:\\Users\\me\\AppData\\deskbell", "Disk full: …\\deskbell"),
        ("from /one/two/three/four to /a/b", "from …/four to …/b"),
        ("No such file: '/var/run/bus'", "No such file: '…/bus'"),
    ],
)
def test_every_kind_of_path_is_shortened_and_the_words_stay(text: str, fits: str) -> None:
    assert fitting(text, 1) == fits


@pytest.mark.parametrize(
    "text", ["", "no path", "and/or", "/tmp", "https://example.org/a/very/long/path", "1/2 of 3/4"]
)
def test_what_is_no_long_path_stays(text: str) -> None:
    assert fitting(text, 1) == text


@given(st.text(alphabet="/\\~.:… abC", max_size=60), st.integers(0, 60))
def test_it_ends_and_never_makes_a_text_longer(text: str, room: int) -> None:
    found = fitting(text, room)
    assert len(found) <= len(text)
    assert len(text) > room or found == text
