"""Test what is drawn on the terminal of the board, and that no text of a session acts on it."""

import pytest
from rich.table import Table
from rich.text import Text
from textual.strip import Strip

from deskbell.terminal.strips import lines, strip
from deskbell.text.rows import Span
from tests.tray.cards.boards import plain


def test_a_line_becomes_a_strip_of_the_same_width() -> None:
    made = strip((Span("日本", "bold red"), Span(" x")))
    assert isinstance(made, Strip)
    assert (made.text, made.cell_length) == ("日本 x", 6)
    assert str(made._segments[0].style) == "bold red"


@pytest.mark.parametrize("text", ["\x1b[2Ja", "a\x07", "a\nb", "\x9b2Ja", "\u202ea"])
def test_no_text_acts_on_the_terminal(text: str) -> None:
    assert set(strip((Span(text),)).text) <= {"a", "b", " "}


def test_markup_in_a_text_is_text() -> None:
    assert strip((Span("[bold]x[/bold]"),)).text == "[bold]x[/bold]"


def test_what_rich_lays_out_becomes_lines_with_its_styles() -> None:
    table = Table.grid(padding=(0, 1))
    table.add_row(Text("name", "bold"), Text("\x1b[2Ja long value that does not fit"))
    found = lines(table, 20)
    assert [line.rstrip() for line in plain(found)] == ["name a long value", "     that does not", "     fit"]
    assert found[0][0] == Span("name", "bold")
