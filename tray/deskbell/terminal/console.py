"""Make the rich Console with which commands print tables. It makes text as safe as `out` does."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from deskbell.terminal.palette import readable
from deskbell.text.clean import visible_lines
from deskbell.text.rows import Line
from deskbell.text.width import even


class CleanConsole(Console):
    """Removes from every text what would act on the terminal. Colours and cursor moves of rich itself are no text."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                shown = segment.style and readable(segment.style, segment.text)
                yield segment._replace(text=even(visible_lines(segment.text)), style=shown)

    def on_broken_pipe(self) -> None:
        """Raise: `deskbell.__main__` ends quietly. rich would exit with 1, although the reader got what it wanted."""
        raise BrokenPipeError


def text(lines: Iterable[Line]) -> Text:
    """Return LINES as a Text of rich."""
    made = Text()
    for number, line in enumerate(lines):
        made.append("\n" if number else "")
        for span in line:
            made.append(*span)
    return made


def console() -> Console:
    return CleanConsole(highlight=False)
