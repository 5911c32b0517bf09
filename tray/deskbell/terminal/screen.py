"""Draw on the whole screen of the terminal, and restore it at the end. `list --watch` uses it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.live import Live

from deskbell.terminal.console import console, text
from deskbell.text.rows import Line

Draw = Callable[[Callable[[int, int], Sequence[Line]]], None]
"""Draws the lines that its argument returns for the columns and rows of the terminal."""


@contextmanager
def screen() -> Iterator[Draw]:
    """Yield the function that draws. It reads the size of the terminal each time."""
    terminal = console()
    with Live(console=terminal, auto_refresh=False, screen=True) as live:

        def draw(picture: Callable[[int, int], Sequence[Line]]) -> None:
            columns, rows = terminal.size
            live.update(text(picture(columns, rows)), refresh=True)

        try:
            yield draw
        finally:
            terminal.clear()  # tmux 3.3 mixes up the lines of a screen that has grown with those of the normal screen
