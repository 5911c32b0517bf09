"""Test that a mistyped name suggests the one that was meant, and none where nothing is like it."""

import subprocess
import sys

import pytest

from deskbell.nearest import MOST, nearest, suggestion

NAMES = ("PermissionRequest", "PermissionDenied", "Stop", "web")


@pytest.mark.parametrize(
    ("word", "name"),
    {
        "permissionrequest": "PermissionRequest",
        "PermisionRequest": "PermissionRequest",
        " stop ": "Stop",
        "WEB": "web",
        "wep": "web",
        "xyzzy": None,
        "": None,
    }.items(),
)
def test_the_nearest_name_is_found_whatever_the_case(word: str, name: str | None) -> None:
    assert nearest(word, NAMES) == name


def test_a_suggestion_names_the_nearest_or_what_to_do_otherwise() -> None:
    assert suggestion("wep", NAMES, "List them.") == 'Did you mean "web"?'
    assert suggestion("xyzzy", NAMES, "List them.") == "List them."


def test_of_very_many_or_very_long_names_only_a_part_is_compared() -> None:
    assert nearest("web", [*map(str, range(MOST)), "web"]) is None
    assert nearest("x" * 100_000, ["x" * 100_000]) == "x" * 100_000


def test_the_library_that_compares_is_loaded_for_a_mistyped_name_only() -> None:
    program = "import sys, deskbell.__main__, deskbell.nearest; print('difflib' in sys.modules)"
    path = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=path, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
