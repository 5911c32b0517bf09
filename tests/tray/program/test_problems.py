"""What a person reads of a broken part, and that every part has its sentence."""

import ast
from pathlib import Path

import pytest

from deskbell.board import board
from deskbell.program.problems import ROOM, SENTENCES, bare_face, sentence, summary
from tests.tray.making import NOON, session

PROGRAM = Path(__file__).parents[3] / "tray" / "deskbell"


def test_a_part_is_named_in_words_with_its_error() -> None:
    assert sentence("notifications", "PermissionError: no") == "Notifications do not work: PermissionError: no"
    assert sentence("flux capacitor", "boom") == "The flux capacitor does not work: boom"


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
    assert len(said) <= ROOM
    assert not more or f" and {more} more problem" in said


def test_a_long_path_does_not_push_out_the_cause_or_the_next_step() -> None:
    path = "/srv/homes/department/somebody/.local/state/deskbell"
    said = summary([f"Disk full, so events are lost: free space for {path}."]) or ""
    assert said == "Disk full, so events are lost: free space for …/somebody/.local/state/deskbell."
    denied = sentence("sessions", f"Permission denied: {path}/sessions")
    assert summary([denied, "x"]) == "The sessions cannot be read: Permission denied: …/sessions and 1 more problem"


def test_an_error_is_one_clean_line_without_secrets() -> None:
    said = summary([sentence("bell", "token=ghp_" + "a1B2" * 9 + "\n\x1b[31mred")]) or ""
    assert "ghp_a1B2" not in said
    assert "\n" not in said
    assert "\x1b" not in said


def test_without_a_menu_the_problem_is_shown_with_a_way_out() -> None:
    face = bare_face(board([session(status="permission")], NOON), "The menu cannot be made: boom")
    assert (face.look.state, face.look.count, face.look.tooltip) == ("problem", 1, "The menu cannot be made: boom")
    assert [item.text for item in face.menu if item.text] == ["The menu cannot be made: boom", "Quit"]


def named_parts() -> set[str]:
    """The parts that the program names where it calls its supervisor or its boundary."""
    found = set()
    for path in PROGRAM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
                continue
            whose, part = ast.unparse(node.func.value), node.args[0]
            if whose.endswith(("supervisor", "boundary")) and isinstance(part, ast.Constant):
                found.add(str(part.value))
    return found - {"program"}  # all of it, in the second thread of macOS


def test_every_part_of_the_program_has_its_sentence() -> None:
    assert named_parts() >= {"tray", "bell", "focus", "file watcher", "hooks"}
    assert named_parts() - SENTENCES.keys() == set()
