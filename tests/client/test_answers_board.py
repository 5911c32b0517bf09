"""Test answers on the board with the real client: what is allowed there was on its screen before."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from deskbell.cards.request import TOO_SOON
from tests.client.answering import Answering
from tests.client.claude import Claude
from tests.client.terminal import Pane
from tests.waiting import wait


@pytest.fixture
def answering(claude: Claude) -> Iterator[Answering]:
    person = Answering(claude)
    person.install()
    with person.running():
        yield person


@contextmanager
def board(answering: Answering, columns: int = 80, lines: int = 24) -> Iterator[Pane]:
    """The board in a pane of this size."""
    claude = answering.claude
    environment = {**answering.environment, "TERM": "tmux-256color"}
    pane = claude.terminal.open([sys.executable, "-m", "deskbell", "board"], claude.home, environment)
    claude.terminal.run("resize-window", "-t", pane.id, "-x", str(columns), "-y", str(lines))
    try:
        yield pane
    finally:
        pane.close()


def pressed(pane: Pane, key: str, *texts: str) -> str:
    """Press KEY until it counts, and return the board once it shows one of TEXTS."""
    pane.keys(key)

    def shown() -> str | None:
        screen = pane.screen()
        if TOO_SOON in screen:
            pane.keys(key)
        return screen if any(text in screen for text in texts) else None

    return str(wait(shown, str(texts), seen=pane.screen, step=0.2))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_question_is_answered_on_the_board_below_its_options_and_their_descriptions(
    answering: Answering, claude: Claude, size: tuple[int, int]
) -> None:
    tui = claude.start()
    tui.scenario("ask")
    request = answering.asked(tui)
    with board(answering, *size) as pane:
        pane.wait_for("a answer")
        pane.keys("a")
        screen = pane.wait_for(f"1  {request['choices'][0]['label']}")
        lines = [line.rstrip() for line in screen.split("\n")]
        whole = [f"▎  {line}" for line in request["whole"]]
        at = lines.index(whole[0])
        assert lines[at : at + len(whole)] == whole
        assert at + len(whole) < lines.index(f"  1  {request['choices'][0]['label']}")
        pressed(pane, "1", "answered")
    tui.wait_status("idle")


def test_a_command_is_allowed_on_the_board_by_two_keys_that_differ(answering: Answering, claude: Claude) -> None:
    tui = claude.start()
    tui.scenario("risky")
    answering.asked(tui)
    with board(answering) as pane:
        pane.wait_for("a answer")
        pane.keys("a")
        asks = "▎  curl --silent http://127.0.0.1:1/ --output page.html"
        assert asks in pane.wait_for("1  Allow…")
        screen = pressed(pane, "1", "y  Yes, allow it")
        assert asks in screen
        assert "▎  Sure?" in screen
        pane.keys("a", "1", "a", "1")
        assert "y  Yes, allow it" in pane.screen()
        assert tui.status == "waiting"
        pressed(pane, "y", "It was allowed")
    tui.wait_status("idle")
