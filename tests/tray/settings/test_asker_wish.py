"""Test when config.toml asks for the asker."""

import os
from pathlib import Path

import pytest

from deskbell.settings.asker_wish import wants_asker

TEXTS: dict[str, tuple[str, bool]] = {
    "nothing": ("", False),
    "another table": ("[burst]\nmore_than = 4\n", False),
    "an empty table": ("[answers]\n", False),
    "permissions": ("[answers]\npermission = true\n", True),
    "questions": ("answers.question = true\n", True),
    "plans": ("[answers]\nplan = true\nreply = false\n", True),
    "replies, which need none": ("[answers]\nreply = true\n", False),
    "rules alone": ("[answers]\nrules = true\n", False),
    "all off": ("[answers]\npermission = false\nquestion = false\nplan = false\n", False),
    "a mistake": ("[answers]\npermission = true\nplan = 3\n", False),
    "no TOML": ("[answers\npermission = true", False),
}


@pytest.mark.parametrize(("text", "wanted"), TEXTS.values(), ids=TEXTS)
def test_the_file_asks_for_the_asker(text: str, wanted: bool, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(text)
    assert wants_asker(tmp_path) is wanted


def test_without_a_file_nothing_is_wanted(tmp_path: Path) -> None:
    assert wants_asker(tmp_path) is False
    assert wants_asker(tmp_path / "none") is False


MISTAKE = "[rings.permision]\nring = true\n"


@pytest.mark.parametrize("wanted", [True, False])
def test_after_a_mistake_the_last_good_settings_hold(wanted: bool, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    for number, text in enumerate([f"answers.plan = {str(wanted).lower()}\n", MISTAKE, "no TOML"]):
        path.write_text(text)
        os.utime(path, ns=(number, number))
        assert wants_asker(tmp_path) is wanted


def test_a_file_that_is_removed_wants_nothing(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("answers.plan = true\n")
    assert wants_asker(tmp_path)
    path.unlink()
    assert not wants_asker(tmp_path)
    path.write_text(MISTAKE)
    assert not wants_asker(tmp_path)


def test_an_edit_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    for number, (text, wanted) in enumerate(
        [("answers.plan = true\n", True), ("", False), ("answers.plan = true", True)]
    ):
        path.write_text(text)
        os.utime(path, ns=(number, number))
        assert wants_asker(tmp_path) is wanted
