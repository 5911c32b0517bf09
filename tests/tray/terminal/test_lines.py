"""Test that styled lines have their colours where a terminal shows them, and that they load rich there only."""

import os
import subprocess
import sys

import pytest

from deskbell.terminal.lines import print_lines
from deskbell.text.rows import Span

LINES = [(Span("●", "bold red"), Span(" api "), Span("\x1b[2Jmain", "dim")), (), (Span("1 blocked"),)]
Out = pytest.CaptureFixture[str]


def test_a_pipe_gets_plain_text(capsys: Out) -> None:
    print_lines(LINES)
    assert capsys.readouterr().out == "● api main\n\n1 blocked\n"


COLOURED = "\x1b[1;31m●\x1b[0m api \x1b[2mmain\x1b[0m\n\n1 blocked\n"


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({"FORCE_COLOR": "1"}, COLOURED),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, "● api main\n\n1 blocked\n"),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, "● api main\n\n1 blocked\n"),
    ],
    ids=["colours", "NO_COLOR", "dumb"],
)
def test_a_terminal_gets_colours_unless_they_are_not_wanted(
    capsys: Out, monkeypatch: pytest.MonkeyPatch, more: dict[str, str], shown: str
) -> None:
    for name, value in {"TERM": "xterm", **more}.items():
        monkeypatch.setenv(name, value)
    print_lines(LINES)
    assert capsys.readouterr().out == shown


def test_rich_is_loaded_for_colours_only() -> None:
    program = (
        "import sys; from deskbell.terminal.lines import print_lines; from deskbell.text.rows import Span; "
        "print_lines([(Span('api', 'bold'),)]); print('rich' in sys.modules, file=sys.stderr)"
    )
    for more, loaded in (({}, "False\n"), ({"FORCE_COLOR": "1", "TERM": "xterm"}, "True\n")):
        environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
        environment |= {"PYTHONPATH": os.pathsep.join(sys.path), **more}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stderr == loaded
