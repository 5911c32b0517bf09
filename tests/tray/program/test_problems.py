"""Test what a person reads of a broken part, and that every part has its sentence."""

import re

import pytest

from deskbell.board import board
from deskbell.program.problems import ROOM, SENTENCES, bare_face, sentence, summary
from tests.tray.making import NOON, session
from tests.tray.program.parts import computed_parts, named_parts


def test_a_part_is_named_in_words_with_its_error() -> None:
    assert sentence("sound", "PermissionError: no") == "Cannot play the sound: PermissionError: no"
    assert sentence("flux capacitor", "boom") == "The part 'flux capacitor' does not work: boom"


@pytest.mark.parametrize(
    ("problems", "said"),
    [
        ([], None),
        (["One."], "One."),
        (["One.", "Two."], "One. and 1 more problem"),
        (["One.", "Two.", "Three."], "One. and 2 more problems"),
    ],
)
def test_the_first_problem_is_named_and_the_others_are_counted(problems: list[str], said: str | None) -> None:
    assert summary(problems) == said


@pytest.mark.parametrize("more", [0, 1, 11])
def test_the_number_of_the_others_is_never_cut_off(more: int) -> None:
    said = summary(["x" * 500] * (more + 1)) or ""
    assert said.startswith("x" * 20)
    assert len(said) <= ROOM
    assert not more or f" and {more} more problem" in said


def test_a_long_path_does_not_push_out_the_cause_or_the_next_step() -> None:
    path = "/srv/homes/department/somebody/.local/state/deskbell"
    said = summary([f"Disk full, so events are lost: free space for {path}."]) or ""
    assert said == "Disk full, so events are lost: free space for …/somebody/.local/state/deskbell."
    denied = sentence("sessions", f"Permission denied: {path}/sessions")
    assert summary([denied, "x"]) == "Cannot read the sessions: Permission denied: …/sessions and 1 more problem"


def test_an_error_is_one_clean_line_without_secrets() -> None:
    said = summary([sentence("bell", "token=ghp_" + "a1B2" * 9 + "\n\x1b[31mred")]) or ""
    assert "ghp_a1B2" not in said
    assert "\n" not in said
    assert "\x1b" not in said


def test_without_a_menu_the_problem_is_shown_with_a_way_out() -> None:
    face = bare_face(board([session(status="permission")], NOON), "Cannot make the menu: boom")
    assert (face.look.state, face.look.count, face.look.tooltip) == ("problem", 1, "Cannot make the menu: boom")
    assert [item.text for item in face.menu if item.text] == ["Cannot make the menu: boom", "Quit"]


def test_every_part_of_the_program_has_its_sentence_and_every_sentence_its_part() -> None:
    assert named_parts() == SENTENCES.keys()


def test_a_part_is_named_by_a_word_that_this_test_can_find() -> None:
    """Where it is not, all words that the expression stands for are named elsewhere."""
    assert computed_parts() == {"program/loop.py: part", "desktop/bus.py: part"}


def test_all_sentences_have_one_of_a_few_forms() -> None:
    forms = (
        r"Cannot \w+ |Deskbell (notices late when|does not notice) |The .+ (does|did) not work$|Something .+ failed$"
    )
    assert [said for said in SENTENCES.values() if not re.match(forms, said)] == []
