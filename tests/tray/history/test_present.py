"""Test the labels of what is known of a session."""

from collections.abc import Callable, Iterator

import pytest

from deskbell.history.present import Fact, of_model, of_place, of_turns, of_words, of_work, where
from deskbell.session import Place, Session
from tests.tray.making import NOON, session

IN_TMUX = Place("/dev/pts/3", (("TMUX", "/tmp/tmux-1000/default,7,0"), ("TMUX_PANE", "%5")))
FULL = session(
    branch="main",
    cwd="/srv/api",
    place=IN_TMUX,
    host="desk",
    model="claude-opus-5-5",
    permission_mode="plan",
    context_tokens=50_000,
    context_percent=25.0,
    output_tokens=1234,
    cost_usd=0.5,
    todo=(1, 3),
    tasks=("npm run dev", "tail -f log"),
    started=NOON - 7200,
    turn_started=NOON - 90,
    last_turn_seconds=62.0,
    turns=3,
    last_line="Shipped.",
    last_error="rate limit",
)


def known(facts: Iterator[Fact]) -> dict[str, str]:
    return {label: value for label, value in facts if value}


def test_everything_that_is_known_has_its_label() -> None:
    said = known(of_turns(FULL, NOON + 30))
    assert said["started"].endswith("(2 h ago)")
    assert said["turn began"].endswith("(2 min ago)")
    assert (said["last turn"], said["turns"]) == ("took 1 min 2 s", "3")
    assert said["last event"].endswith("(30 s ago)")
    assert known(of_place(FULL)) == {
        "project": "api",
        "folder": "/srv/api",
        "branch": "main",
        "terminal": "/dev/pts/3, tmux pane %5",
        "process": "100",
        "machine": "desk",
    }
    assert known(of_model(FULL)) == {
        "model": "claude-opus-5-5",
        "mode": "plan",
        "context": "50,000 tokens (25 %)",
        "spent": "1,234 tokens written, $0.50 at list price",
    }
    assert known(of_work(FULL)) == {"tasks": "1 of 3 done", "runs": "npm run dev, tail -f log"}
    assert known(of_words(FULL)) == {"last line": "Shipped.", "last error": "rate limit"}


@pytest.mark.parametrize("facts", [of_model, of_work, of_words])
def test_what_is_not_known_has_no_value(facts: Callable[[Session], Iterator[Fact]]) -> None:
    assert known(facts(session())) == {}


def test_a_part_that_is_not_known_is_left_out_of_a_value() -> None:
    bare = session(context_tokens=50_000, output_tokens=7)
    assert known(of_model(bare)) == {"context": "50,000 tokens", "spent": "7 tokens written"}


@pytest.mark.parametrize(
    ("place", "said"),
    [(IN_TMUX, "/dev/pts/3, tmux pane %5"), (Place("/dev/pts/3"), "/dev/pts/3"), (Place(), "")],
)
def test_a_place_is_its_terminal_and_its_pane(place: Place, said: str) -> None:
    assert where(place) == said


def test_a_pane_without_its_server_is_left_out() -> None:
    """TMUX_PANE may be left over from a tmux in which the session no longer runs."""
    assert where(Place(None, (("TMUX_PANE", "%5"),))) == ""
