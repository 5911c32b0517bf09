"""Test the bytes of a settings file with and without hooks, and the place that a refusal names."""

from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings.file_text import NEW_FILE, standing, with_hooks, without_hooks
from tests.tray.settings_texts import WANTED

PATH = Path("/home/zoë/settings.json")
STOP = {"Stop": WANTED["Stop"]}


def test_a_file_that_does_not_exist_gets_the_hooks_and_loses_them_again() -> None:
    installed = with_hooks(PATH, None, STOP)

    assert standing(PATH, installed, STOP).as_wanted
    assert without_hooks(PATH, installed) == NEW_FILE


def test_without_a_file_uninstall_has_nothing_to_do() -> None:
    assert without_hooks(PATH, None) is None
    assert standing(PATH, None, STOP).missing == ("Stop",)


REFUSED = {
    "a broken text": (b'{\n "model":}', "line 2 column 10: expected a value."),
    "no UTF-8": (b'{"model":\n "\xff"}', "line 2 column 3: this is not UTF-8 text."),
    "no UTF-8 after letters of two bytes": ('"zoë'.encode() + b"\xff", "line 1 column 5: this is not UTF-8 text."),
    "no object": (b"[]", "line 1 column 1: the settings are not an object."),
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_a_text_that_is_not_understood_is_refused_with_its_place(content: bytes, said: str) -> None:
    with pytest.raises(Problem) as refused:
        with_hooks(PATH, content, STOP)

    assert refused.value.what == f"{PATH} {said} Nothing was changed."
    assert refused.value.step == "Mend the file, or put a copy back with `deskbell restore`."


def test_an_error_of_reading_alone_does_not_say_that_nothing_was_changed() -> None:
    with pytest.raises(Problem) as refused:
        standing(PATH, b"{", STOP)

    assert refused.value.what == f'{PATH} line 1 column 2: expected a key in "quotes" or }}.'


def test_uninstall_refuses_a_broken_text_and_accepts_one_without_an_object() -> None:
    with pytest.raises(Problem, match=r"Nothing was changed\."):
        without_hooks(PATH, b"{")
    assert without_hooks(PATH, b"[]") == b"[]"


def test_hooks_are_not_installed_where_all_are_switched_off() -> None:
    with pytest.raises(Problem) as refused:
        with_hooks(PATH, b'{\n "disableAllHooks": true}', STOP)

    assert refused.value.what == f'{PATH} line 2 column 2: "disableAllHooks" stops every hook. Nothing was changed.'
    assert refused.value.step == "Set it to false, then try again."
