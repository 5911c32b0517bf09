"""Test that a table of rich does nothing to a terminal either, whatever its cells hold."""

import io

from rich.live import Live
from rich.table import Table
from rich.text import Text

from deskbell.terminal.console import CleanConsole

HOSTILE = "web\x9b2J\u202e\x1b]0;owned\x07"


def printed(cell: str, terminal: bool) -> str:
    shown = io.StringIO()
    console = CleanConsole(file=shown, width=40, force_terminal=terminal, color_system=None, legacy_windows=False)
    table = Table.grid()
    table.add_row(Text(cell), Text("end"))
    console.print(table)
    if terminal:
        with Live(console=console, auto_refresh=False, screen=True) as live:
            live.update(table, refresh=True)
    return shown.getvalue()


def test_a_cell_loses_what_would_act_on_the_terminal() -> None:
    assert "".join(printed(HOSTILE, terminal=False).split()) == "webend"
    shown = printed(HOSTILE, terminal=True)
    assert not {"\x9b", "\x07", "\u202e", "]"} & set(shown)


def test_an_ordinary_cell_stays_as_it_is() -> None:
    assert printed("● ▶ wéb 日本", terminal=False) == "● ▶ wéb 日本end\n"
