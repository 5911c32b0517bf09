"""Convert lines of styled text to those of Textual and rich, and back. Every text is made safe for the terminal."""

from collections.abc import Iterable
from functools import lru_cache

from rich.console import RenderableType
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from deskbell.terminal.console import console
from deskbell.terminal.palette import readable
from deskbell.text.clean import visible
from deskbell.text.rows import Line, Span
from deskbell.text.width import even


@lru_cache(maxsize=1024)  # scrolling draws the same lines at another place
def strip(line: Line) -> Strip:
    return Strip(Segment(even(visible(span.text)), readable(style(span.style), span.text)) for span in line)


@lru_cache(maxsize=256)
def style(words: str) -> Style:
    """Return the Style of WORDS, such as "bold red". Empty words stand for the default colours of the terminal."""
    return Style.parse(words or "default on default")


def lines(shown: RenderableType, columns: int) -> tuple[Line, ...]:
    """Return what rich makes of SHOWN, in lines of at most COLUMNS columns."""
    terminal = console()
    options = terminal.options.update(width=columns, height=None)
    return tuple(map(_line, terminal.render_lines(shown, options, pad=False)))


def _line(segments: Iterable[Segment]) -> Line:
    return tuple(Span(one.text, str(one.style or "")) for one in segments if not one.control)
