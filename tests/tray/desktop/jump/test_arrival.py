"""Test the sentence of a jump: how far it came, and where the session is if it did not come all the way."""

import pytest

from deskbell.desktop.jump.arrival import Arrival, Taken, arrival

WINDOW, TAB, PANE = (
    Taken("window", "the window of xterm", True),
    Taken("tab", "its tab in xfce4-terminal", True),
    Taken("pane", "tmux pane %3", True),
)
HIDDEN = Taken("window", "the window of xterm", False)
UNSEEN = Taken("window", "the window of foot", None)
TAKEN_BACK = Taken("window", "the window of xterm", False, instead="the window of xfce4-terminal")
HUNG = Taken("pane", "tmux pane %3", False, "tmux does not answer. It may hang.")
ATTACH = ("tmux", "attach")

ARRIVALS = {
    "all the way": ([WINDOW, TAB, PANE], "", "pane", True, "In front: the window of xterm, its tab in xfce4-terminal, tmux pane %3."),
    "all the way, without panes": ([WINDOW], "", "window", True, "In front: the window of xterm."),
    "a window that stays behind": (
        [HIDDEN, PANE], "", None, False,
        "Chosen: tmux pane %3. The window of xterm did not come to the front. The session runs in pts/1.",
    ),
    "a window whose place another one takes": (
        [TAKEN_BACK], "", None, False,
        "The window of xterm is not in front: the window of xfce4-terminal is. The session runs in pts/1.",
    ),
    "a pane that stays behind": (
        [WINDOW, HUNG], "", "window", False,
        "In front: the window of xterm. tmux does not answer. It may hang. The session runs in pts/1.",
    ),
    "a window that nobody sees": (
        [UNSEEN], "", "window", None,
        "Asked for the window of foot, but nothing here tells whether it is in front.",
    ),
    "an obstacle on the way": (
        [WINDOW], "Its tab is not known.", "window", False,
        "In front: the window of xterm. Its tab is not known. The session runs in pts/1.",
    ),
    "a pane that nobody sees": (
        [PANE], "Nobody is attached.", "pane", False,
        "Chosen: tmux pane %3. Nobody is attached. The session runs in pts/1.",
    ),
    "an obstacle before the first step": ([], "No display.", None, False, "No display. The session runs in pts/1."),
    "nothing": ([], "", None, False, "The session runs in pts/1."),
}  # fmt: skip


@pytest.mark.parametrize(("taken", "obstacle", "reached", "sure", "sentence"), ARRIVALS.values(), ids=ARRIVALS)
def test_how_far_a_jump_came(taken: list[Taken], obstacle: str, reached: str, sure: bool | None, sentence: str) -> None:
    came = arrival(taken, "pts/1", obstacle)
    assert (came.reached, came.complete, came.sentence) == (reached, sure, sentence)


def test_the_next_best_is_offered_where_the_jump_failed_and_not_where_it_succeeded() -> None:
    assert arrival([], "", "Nobody is attached.", ATTACH) == Arrival(None, False, "Nobody is attached.", ATTACH)
    assert arrival([WINDOW], "", "", ATTACH).offer == ()


def test_the_innermost_step_counts_in_whatever_order_they_were_taken() -> None:
    assert arrival([PANE, TAB, WINDOW], "").reached == "pane"
