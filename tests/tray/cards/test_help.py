"""Test the page that explains the keys and the signs."""

from pathlib import Path

from deskbell.cards.help import page
from deskbell.cards.keys import BINDINGS
from deskbell.cards.spans import wide
from deskbell.session import STATUSES
from deskbell.text.wording import CALLED
from tests.tray.cards.boards import plain


def test_the_page_explains_every_key_and_every_status() -> None:
    text = "\n".join(plain(page().lines))
    assert [binding.help for binding in BINDINGS if f"{binding.shown:<12}{binding.help}" not in text] == []
    assert [status for status in STATUSES if CALLED.get(status, status) not in text] == []


def test_no_line_of_it_is_wider_than_a_small_terminal() -> None:
    assert max(wide(line) for line in page().lines) <= 79


def test_the_documentation_names_every_key() -> None:
    text = (Path(__file__).parents[3] / "docs" / "board.md").read_text(encoding="utf-8")
    assert [binding.shown for binding in BINDINGS if f"    {binding.shown:<12}{binding.help}\n" not in text] == []
