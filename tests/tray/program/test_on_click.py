"""Test that what a click needs is imported when it comes, and that the click then does what it says."""

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from deskbell.desktop.jump.arrival import Arrival
from deskbell.errors import Problem
from deskbell.home import home
from deskbell.program import on_click
from tests.tray.making import session

CAME = Arrival(None, complete=False, sentence="It is detached.", offer=("tmux", "attach"))
OPENS: dict[str, Callable[[], None]] = {
    "the board": lambda: on_click.board_in_terminal(None, home()),
    "details": lambda: on_click.board_in_terminal(session(), home()),
    "an attached tmux": lambda: on_click.attach_in_terminal(CAME, session(cwd=os.getcwd()), home()),
}


@pytest.mark.skipif(os.name == "nt", reason="the settings name a program that is not installed")
@pytest.mark.parametrize("opens", OPENS.values(), ids=OPENS)
def test_the_terminal_of_the_settings_is_opened(opens: Callable[[], None]) -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text("[terminal]\ncommand = 'no-such-terminal'\n")
    with pytest.raises(Problem, match="no-such-terminal, is not installed"):
        opens()


def test_a_session_that_was_never_written_is_not_resumed() -> None:
    with pytest.raises(Problem, match="a1"):
        on_click.resume_in_terminal(session(status="crashed"), home())


def test_a_session_without_a_process_is_not_reached() -> None:
    assert on_click.go_to(session(pid=None), None, home()).reached is None


def test_nothing_of_it_is_imported_before_a_click() -> None:
    code = """
import sys
from deskbell.program import on_click
print([name for name in sys.modules if name.startswith(("deskbell.desktop", "deskbell.program."))])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['deskbell.program.on_click']\n"
