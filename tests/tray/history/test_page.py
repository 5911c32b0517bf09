"""Test the page of one session as `deskbell show` prints it."""

import io
import re

import pytest
from rich.console import Console

from deskbell.asking import Asking
from deskbell.history.page import FILES, page
from deskbell.history.summarise import summarise
from deskbell.session import Session
from tests.tray.journals import STORY, line, tool
from tests.tray.making import NOON, session


def drawn(
    *sessions: Session,
    lines: list[bytes] = STORY,
    width: int = 100,
    colour: bool = False,
    resume: str | None = None,
) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=colour, color_system="standard" if colour else None)
    console.print(page("a1b2c3d4", sessions, summarise([lines]), NOON + 100, resume))
    return out.getvalue()


ASKS_SUSPENDED = session(status="permission", detail="Bash: npm publish", suspended=True)


def test_a_running_session_shows_its_present_and_its_past() -> None:
    one = session(
        status="permission",
        detail="Bash: npm publish",
        reason="it asked, and its dialog is open",
        branch="main",
        context_tokens=50_000,
        context_percent=25.0,
        output_tokens=1234,
        cost_usd=0.5,
        todo=(1, 3),
    )
    words = re.sub(r" +", " ", re.sub(r"\d\d:\d\d(:\d\d)?", "TIME", drawn(one)))
    for part in (
        "● Ship it",
        "now wants to run npm publish, since TIME",
        "because it asked, and its dialog is open",
        "context 50,000 tokens (25 %)",
        "spent 1,234 tokens written, $0.50 at list price",
        "tasks 1 of 3 done",
        "TIME Ship it",
        "1 2.0 s Bash, 1 failed",
        "edited 1",
        "TIME took 1 min 2 s Explore",
        "TIME Bash: Exit code 2",
        "TIME Claude needs your permission",
        "TIME PostToolUse Edit: /home/person/api/main.py (2.0 s)",
        "TIME PostToolUseFailure ↳ Bash: make (2.0 s): Exit code 2",
        "TIME Stop Shipped.",
    ):
        assert part in words


LONG = f"Which database?\nOne: {'aa ' * 100}\nTwo: {'bb ' * 100}"


def test_what_a_session_asks_is_shown_whole() -> None:
    shown = drawn(session(status="question", detail=LONG), width=60)
    assert shown.count("aa") >= 100
    assert shown.count("bb") >= 100
    assert re.search(r"^● Ship it\nhas a question:\nWhich database\?\nOne: aa", re.sub(r" +\n", "\n", shown))


def test_the_ids_and_the_process_come_last() -> None:
    shown = drawn(session(status="permission", detail="Bash: ls"))
    parts = ["● Ship it", "wants to run ls", "Prompts", "Timeline", "Session\n", "a1b2c3d4", "process", "events"]
    assert [shown.index(part) for part in parts] == sorted(shown.index(part) for part in parts)


def test_a_request_that_is_shown_with_its_answers_is_not_said_twice() -> None:
    asking = Asking("c0de", "Which database?", tuple(LONG.split("\n")))
    assert "has a question:" not in drawn(session(status="question", detail=LONG, asking=asking))


def test_what_a_session_asks_acts_on_no_terminal_and_shows_no_secret() -> None:
    hostile = "password=hunter2-Zq9\n\x1b]0;x\x07\u202edone\n" + "x" * 500
    shown = drawn(session(status="permission", detail=hostile, last_line=hostile))
    assert "hunter2" not in shown
    assert not set("\x1b\x07\u202e") & set(shown)


@pytest.mark.parametrize("detail", ["Bash: ls", ""])
def test_what_the_first_line_says_whole_is_not_said_twice(detail: str) -> None:
    assert "wants to run a command:" not in drawn(session(status="permission", detail=detail))


def test_it_says_why_the_session_rang_or_did_not() -> None:
    told = [(NOON + at, f"{at}. web: shown") for at in range(9)]
    out = io.StringIO()
    Console(file=out, width=100).print(page("a1", [session()], summarise([STORY]), NOON, None, told))
    section = out.getvalue().partition("Why it rang, or did not\n")[2].partition("\n\n")[0]
    assert [line.split()[1] for line in section.splitlines()] == ["8.", "7.", "6.", "5.", "4.", "3."]


@pytest.mark.parametrize(
    ("since", "detail", "words"),
    [
        (NOON, "Bash: make test", r"crashed at \d\d:\d\d, during Bash: make test"),
        (NOON, "", r"crashed at \d\d:\d\d\n"),
        (NOON - 2 * 86400, "", r"crashed on \w{3} \d\d:\d\d\n"),
        (NOON - 20 * 86400, "", r"crashed on \d+ \w{3}\n"),
    ],
)
def test_a_crash_says_when_it_was_and_how_to_resume_it(since: float, detail: str, words: str) -> None:
    shown = drawn(session(status="crashed", detail=detail, since=since), resume="claude --resume a1b2c3d4")
    shown = re.sub(r" +\n", "\n", shown)
    assert re.search(words, shown)
    assert re.search(r"resume +claude --resume a1b2c3d4\n", shown)
    assert "resume" not in drawn(session())


def test_a_suspended_session_says_so() -> None:
    assert re.search(r"now +wants to run npm publish \(suspended\), since", drawn(ASKS_SUSPENDED))


def test_a_session_that_is_over_is_shown_from_its_journal() -> None:
    words = drawn()
    assert words.startswith("· Ship it\n")
    assert "a1b2c3d4" in words
    assert "now" not in words
    assert "Timeline" in words


def test_a_session_without_a_journal_is_shown_all_the_same() -> None:
    assert "empty or missing" in drawn(session(), lines=[])


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_nothing_is_wider_than_the_terminal(width: int) -> None:
    long = [line("UserPromptSubmit", 1, prompt="word " * 500), tool("Read", 2, file="/" + "deep/" * 80)]
    assert max(map(len, drawn(session(cwd="/x" * 99), lines=long, width=width).splitlines())) <= width


def test_no_escape_sequence_and_no_markup_reaches_the_terminal() -> None:
    evil = "\x1b]0;evil\x07\x1b[2J\x9b31m\u202e[bold]x[/bold]"
    lines = [line("UserPromptSubmit", 1, prompt=evil), tool("Bash", 2, event="PostToolUseFailure", error=evil)]
    lines += [tool("Read", 3, file=evil), line("Notification", 4, message=evil), line(evil, 5)]
    lines += [line("SubagentStart", 6, agent_id=evil, agent_type=evil)]
    words = drawn(session(title=evil, detail=evil, cwd=evil, branch=evil, last_line=evil), lines=lines)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", words)
    assert "[bold]x[/bold]" in words


def test_colours_appear_only_in_a_terminal() -> None:
    assert "\x1b[1m" in drawn(colour=True)
    assert "\x1b" not in drawn()


def words(lines: list[bytes], *sessions: Session) -> str:
    return re.sub(r" +", " ", re.sub(r"\d\d:\d\d(:\d\d)?", "TIME", drawn(*sessions, lines=lines)))


def test_what_is_not_known_has_no_line() -> None:
    shown = words([], session(pid=None, cwd=None))
    assert all(name not in shown for name in ("process", "folder", "branch", "context", "spent", "terminal"))


def test_the_context_and_the_tokens_are_shown_without_a_known_size_or_price() -> None:
    shown = words([], session(context_tokens=5, output_tokens=7))
    assert "context 5 tokens\n" in shown.replace(" \n", "\n")
    assert "spent 7 tokens written\n" in shown.replace(" \n", "\n")


def test_the_status_is_in_the_words_of_the_menu() -> None:
    assert "now Thinking, since" in words([], session())
    assert "now failed: no, since" in words([], session(status="error", detail="no"))


def test_of_many_prompts_the_newest_are_shown_with_their_number() -> None:
    shown = words([line("UserPromptSubmit", n, prompt=f"prompt {n}") for n in range(20)])
    assert "Prompts (newest 8 of 20)" in shown
    assert "prompt 19" in shown
    assert "prompt 3\n" not in shown


def test_of_many_files_the_newest_are_shown_and_the_others_counted() -> None:
    shown = words([tool("Read", n, file=f"/file{n}.py") for n in range(FILES + 3)])
    assert "and 3 earlier" in shown


def test_an_agent_that_has_not_ended_or_whose_start_was_not_received_says_so() -> None:
    shown = words(
        [
            line("SubagentStart", 1, agent_id="a", agent_type="Explore"),
            line("SubagentStop", 2, agent_id="b", agent_type="Plan"),
        ]
    )
    assert "TIME no end received Explore" in shown
    assert "TIME done Plan" in shown


def test_lines_that_cannot_be_read_are_counted() -> None:
    assert "unreadable 2 lines of the journal could not be read" in words([b"x", b"y", *STORY])
