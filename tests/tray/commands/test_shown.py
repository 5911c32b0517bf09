"""Test what is said of a jump that came all the way, and what is offered where it did not."""

import pytest

from deskbell.commands._shown import shown
from deskbell.desktop.jump.arrival import Arrival
from tests.tray.making import session

HERE = session(session_id="aaaa1111-2222")
CAME = {
    "all the way": (Arrival("pane", True, "In front."), 0, "web runs. In front.\n"),
    "nobody tells": (Arrival("pane", None, "Asked for."), 0, "web runs. Asked for.\n"),
    "not all the way": (Arrival(None, False, "No display."), 1, "deskbell: web runs. No display.\n"),
    "a command that shows it": (
        Arrival(None, False, "Nobody is attached.", ("tmux", "attach", "-t", "a 'b")),
        1,
        "deskbell: web runs. Nobody is attached.\n  Run this in a terminal: tmux attach -t 'a '\"'\"'b'\n",
    ),
    "it has ended": (
        Arrival(None, False, "It has ended.", over=True),
        1,
        "deskbell: web runs. It has ended.\n  Run `deskbell resume aaaa1111` to go on with it.\n",
    ),
}


@pytest.mark.parametrize(("came", "code", "text"), CAME.values(), ids=CAME)
def test_a_jump_says_how_far_it_came_and_what_to_do(
    came: Arrival, code: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shown(HERE, came, "web runs.") == code
    told = capsys.readouterr()
    assert told.out + told.err == text
