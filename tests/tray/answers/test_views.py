"""Test that a command line allows only what it has shown."""

from dataclasses import replace

import pytest

from deskbell.answers.views import REMEMBERED, Views, view
from deskbell.asking import Asking, Choice

ASKING = Asking("c0de", "Bash: ls", ("ls",), (Choice("allow", "Allow", allows=True), Choice("deny", "Deny")))


def test_what_was_shown_can_be_allowed() -> None:
    views = Views()
    assert not views.permits(ASKING, "allow")
    views.note([view(ASKING)])
    assert views.permits(ASKING, "allow")


def test_what_allows_nothing_needs_not_to_be_shown() -> None:
    assert Views().permits(ASKING, "deny")
    assert Views().permits(ASKING, "unknown")
    assert Views().permits(None, "allow"), "the desk refuses it"


CHANGES = (
    {"code": "0ther"},
    {"whole": ("ls", "-l")},
    {"why_not": "Sure? It lists."},
    {"choices": (Choice("allow", "✓ Allow", allows=True), Choice("deny", "Deny"))},
)


@pytest.mark.parametrize("change", CHANGES)
def test_another_request_text_reason_or_choice_was_not_shown(change: dict[str, object]) -> None:
    views = Views()
    views.note([view(ASKING)])
    assert not views.permits(replace(ASKING, **change), "allow")  # type: ignore[arg-type]  # fields of Asking


@pytest.mark.parametrize("odd", [None, 1, "f1", [1, None, ["f1"]], {"f1": 1}])
def test_what_is_no_list_of_views_notes_nothing(odd: object) -> None:
    views = Views()
    views.note(odd)
    assert not views.permits(ASKING, "allow")


def test_the_oldest_views_are_forgotten() -> None:
    views = Views()
    views.note([view(ASKING), *map(str, range(REMEMBERED - 1))])
    assert views.permits(ASKING, "allow")
    views.note(["one more"])
    assert not views.permits(ASKING, "allow")
