"""Draw again and again on the whole screen of the terminal, and leave it as it was before."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.live import Live

from deskbell.terminal.console import console, text
from deskbell.text.rows import Line

Draw = Callable[[Callable[[int, int], Sequence[Line]]], None]
"""Takes what returns the lines for so many columns and rows."""


@contextmanager
def screen() -> Iterator[Draw]:
    """Yield what draws. It asks for the size of the terminal each time, because a person changes it."""
    terminal = console()
    with Live(console=terminal, auto_refresh=False, screen=True) as live:

        def draw(picture: Callable[[int, int], Sequence[Line]]) -> None:
            columns, rows = terminal.size
            live.update(text(picture(columns, rows)), refresh=True)

        try:
            yield draw
        finally:
            terminal.clear()  # tmux 3.3 takes lines of a screen that has grown for lines of the one below
