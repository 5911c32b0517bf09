"""Print lines of styled text: with colours if the terminal has them, else as plain text."""

from collections.abc import Iterable

from deskbell.terminal.out import has_colours, say
from deskbell.text.rows import Line
from deskbell.text.width import even


def print_lines(lines: Iterable[Line], flush: bool = False) -> None:
    """Print LINES. rich is imported only for colours, because the import takes longer than reading the sessions."""
    if has_colours():
        from deskbell.terminal.console import console, text

        console().print(text(lines), no_wrap=True, overflow="ignore", crop=False)
    else:
        say(*(even("".join(span.text for span in line)) for line in lines), flush=flush)
