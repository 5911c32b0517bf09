"""Print to the person's terminal. Everything but tables (`console`), the board and the statusline is printed here.

Parts of what is printed come from elsewhere: names of files, prompts, the settings of a cloned repository, the answer
of a server. This module removes what would act on the terminal. A pipe gets the same, because it may end in a terminal.
"""

import argparse
import codecs
import os
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import IO, Any

from deskbell.errors import Problem, reason
from deskbell.nearest import suggestion
from deskbell.text.clean import escaped, visible, visible_lines
from deskbell.text.width import width

SIGNS = {
    "●": "*", "◐": "!", "✖": "x", "○": "o", "▶": ">", "▷": ">", "·": "-", "…": "~", "↳": ">", "✓": "+", "✗": "x",
    "▎": "|", "▸": ">", "▾": "v", "▰": "#", "▱": "-",
}  # fmt: skip
"""What is printed for each sign that stdout cannot encode."""


def prepare() -> None:
    """Make stdout replace what it cannot encode: on Windows a pipe has a code page, and locales vary."""
    codecs.register_error("deskbell", _instead)
    with suppress(AttributeError):  # a program without a console has no stdout
        sys.stdout.reconfigure(errors="deskbell")  # type: ignore[union-attr]


def _instead(error: UnicodeError) -> tuple[str, int]:
    """Return a replacement of the same width for what cannot be encoded, and where that ends."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(SIGNS.get(char, "?" * width(char)) for char in text), error.end


def is_terminal() -> bool:
    """Return whether stdout is a terminal, or FORCE_COLOR asks to treat it as one."""
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout is not None and sys.stdout.isatty())


def has_screen() -> bool:
    """Return whether stdout is a terminal that understands cursor moves."""
    return is_terminal() and os.environ.get("TERM") not in ("dumb", "unknown")


def takes_keys() -> bool:
    """Return whether Textual can run: it reads keys from stdin and draws on stderr."""
    return has_screen() and all(one is not None and one.isatty() for one in (sys.stdin, sys.stdout, sys.stderr))


def has_colours() -> bool:
    """Return whether what is printed may be coloured. https://no-color.org"""
    return has_screen() and not os.environ.get("NO_COLOR")


def columns() -> int | None:
    """Return the columns of the terminal; None for no limit, in a pipe without COLUMNS."""
    from shutil import get_terminal_size  # imported here, because few commands lay out tables

    bounded = is_terminal() or os.environ.get("COLUMNS", "").isdigit()
    return get_terminal_size().columns if bounded else None


def say(*lines: str, flush: bool = False) -> None:
    """Print LINES, the result of a command. A newline in one becomes a space, so no name can pretend to be a line."""
    _write("".join(f"{visible(line)}\n" for line in lines), sys.stdout, flush)


def say_exactly(text: str) -> None:
    """Print TEXT, such as a diff, with numbers in place of the characters that `say` would remove."""
    _write(escaped(text), sys.stdout)


def say_json(value: object, indent: int | None = None, flush: bool = False) -> None:
    """Print VALUE in ASCII, so that no text in it acts on a terminal. A number that JSON cannot write becomes null."""
    import json  # imported here, because most commands print none

    try:
        text = json.dumps(value, indent=indent, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), indent=indent)
    _write(text.replace("\x7f", "\\u007f") + "\n", sys.stdout, flush)


def complain(sentence: str) -> None:
    """Print SENTENCE to stderr, without secrets. Indent its further lines, so that none can pretend to be a message.

    Do nothing if that fails, because there is no other place to say so.
    """
    from deskbell_hooks.trim import without_secrets  # imported here, because few commands complain

    first, *more = without_secrets(visible_lines(sentence)).split("\n")
    lines = [f"deskbell: {first}", *(line if line.startswith("  ") else f"  {line}" for line in more)]
    with suppress(OSError, Problem):
        _write("".join(f"{line}\n" for line in lines), sys.stderr)


def ask(question: str) -> str | None:
    """Print QUESTION and return the line that the person types, without its newline; None at the end of the input."""
    _write(visible(question), sys.stdout, flush=True)
    line = sys.stdin.readline()
    return line.rstrip("\r\n") if line else None


def flush() -> None:
    """Flush stdout. Raise Problem if that fails, and BrokenPipeError if the reader has left."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        with suppress(OSError):  # otherwise the interpreter tries again at its end, and prints a traceback
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise _problem_of(error) from None


class _Commands(argparse._SubParsersAction):  # type: ignore[type-arg]  # it is not generic at run time
    def add_parser(self, name: str, **named: Any) -> Any:
        """Make the help line of a command its description, too, so that its own help begins with a sentence."""
        return super().add_parser(name, **{"description": named.get("help"), **named})


class Parser(argparse.ArgumentParser):
    """Prints help and errors through this module, because an error repeats what was typed."""

    def __init__(self, **named: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **named)
        self.register("action", "parsers", _Commands)

    def _print_message(self, message: str, file: object = None) -> None:
        failed = file is sys.stderr
        _write(visible_lines(message), sys.stderr if failed else sys.stdout)


def one_of(words: Collection[str]) -> Callable[[str], str]:
    """Return a type for an argument that takes one of WORDS. Its error suggests the nearest one."""

    def checked(word: str) -> str:
        if word not in words:
            what = f"{word!r} is not one of {', '.join(words)}."
            raise argparse.ArgumentTypeError(f"{what} {suggestion(word, words, '')}".rstrip())
        return word

    return checked


def _write(text: str, stream: IO[str] | None, flush: bool = False) -> None:
    try:
        if stream is not None:
            print(text, end="", file=stream, flush=flush)
    except OSError as error:
        raise _problem_of(error) from None


def _problem_of(error: OSError) -> Exception:
    if isinstance(error, BrokenPipeError):
        return error
    return Problem(f"The output cannot be written: {reason(error)}.", "Free some space, or print to another place.")


def _finite(value: object) -> object:
    """Return VALUE with None in place of the numbers that JSON cannot write: NaN and the infinities."""
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not -float("inf") < value < float("inf") else value
