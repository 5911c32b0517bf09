"""Test the page of one session."""

import re
from typing import Any

from deskbell.asking import Asking
from deskbell.history.summarise import summarise
from deskbell.pages.details import Past, page
from deskbell.session import Agent, Place
from tests.tray.journals import STORY, line
from tests.tray.making import NOON, session
from tests.tray.pages.test_markup import Read

EMPTY = Past(summarise([]))


def shown(past: Past = EMPTY, **about: Any) -> str:
    made = page(session(**about), past, NOON + 300, "details-1")
    return re.sub(r"\s+", " ", " ".join(Read(made.body).texts))


def test_what_a_blocked_session_waits_for_is_shown_in_full() -> None:
    command = "npm publish " + "--flag " * 100
    words = shown(status="permission", detail=f"Bash: {command}", reason="it asked")
    assert words.startswith("api: Ship it Blocked")
    assert f"What it waits for Bash: {command}" in words
    assert "because it asked" in words


def test_all_of_what_can_be_answered_is_shown_to_the_letter() -> None:
    asking = Asking("c0de", "Bash: rm -rf build", ("rm -rf build", "x" * 3000 + "\x1b[8m"))
    text = shown(status="permission", detail=asking.detail, asking=asking)
    assert "x" * 3000 in text
    assert "\\u001b[8m" in text


def test_everything_that_is_known_has_a_label() -> None:
    words = shown(
        branch="main",
        cwd="/srv/api",
        model="claude-opus-5-5",
        permission_mode="plan",
        context_tokens=50_000,
        context_percent=25.0,
        output_tokens=1234,
        cost_usd=0.5,
        todo=(1, 3),
        tasks=("npm run dev",),
        agents=(
            Agent("x", "Explore", "running", "Find it", NOON, None),
            Agent("y", "", "done", "", NOON, NOON + 62),
        ),
        last_turn_seconds=62.0,
        last_line="Shipped.",
        last_error="rate limit",
        prompt="ship it",
        place=Place("/dev/pts/3"),
    )
    for part in (
        "Folder /srv/api Branch main Terminal /dev/pts/3 Process 100",
        "Model claude-opus-5-5 Mode plan Context 50,000 tokens (25 %) Spent 1,234 tokens written, $0.50",
        "Last turn took 1 min 2 s",
        "1 of 3 tasks of its list are done",
        "In the background: npm run dev",
        "Explore: running: Find it",
        "y: done, took 1 min 2 s",
        "Last line Shipped.",
        "Last error rate limit",
        "Newest prompt ship it",
    ):
        assert part in words


def test_the_past_begins_with_the_newest() -> None:
    told = [(NOON, "api: shown at once"), (NOON + 9, "api: not shown, its pane was focused")]
    words = shown(Past(summarise([STORY]), told))
    assert words.index("its pane was focused") < words.index("shown at once")
    assert words.index("Shipped.") < words.index("UserPromptSubmit")
    assert "↳ Bash: make" in words


def test_a_session_that_is_over_says_how_to_resume_it() -> None:
    words = shown(Past(summarise([]), (), "claude --resume a1"), status="crashed", detail="Bash: make test")
    assert re.match(r"api: Ship it Crashed crashed at [\d:]+, during Bash: make test", words)
    assert "To resume it: claude --resume a1" in words


def test_what_is_not_known_leaves_no_empty_section() -> None:
    words = shown()
    for heading in (
        "What it waits for",
        "Last error",
        "Model",
        "Subagents",
        "Why it rang",
        "What happened",
        "works on",
    ):
        assert heading not in words


def test_a_long_line_of_what_it_does_is_shown_in_full() -> None:
    assert "What it is about" in shown(detail="Bash: " + "x" * 80)
    assert "What it is about" not in shown(detail="Bash: make")


def test_a_todo_without_tasks_has_no_bar() -> None:
    html = page(session(todo=(0, 0)), EMPTY, NOON, "details-1").body
    assert "0 of 0 tasks" in html
    assert "<progress" not in html


def test_only_the_newest_events_are_shown() -> None:
    many = [line("UserPromptSubmit", number, prompt=f"prompt-{number};") for number in range(500)]
    words = shown(Past(summarise([many])))
    assert "prompt-499;" in words
    assert words.count("prompt-") == 60
