"""Test what is read for the page of one session alone."""

from pathlib import Path

import pytest

from deskbell.history.whole import summary_of, with_asked, with_sums
from deskbell.home import home
from deskbell.sessions.transcript import STEP
from tests.tray.journals import line
from tests.tray.making import session
from tests.tray.sessions.test_asked import called
from tests.tray.sessions.transcript_lines import answered


def test_the_journal_of_a_session_is_summarised() -> None:
    home().events.mkdir(parents=True)
    (home().events / "a1.jsonl").write_bytes(line("UserPromptSubmit", 1, prompt="ship it") + b"\n")
    assert [one.text for one in summary_of(home(), "a1").prompts] == ["ship it"]


def test_a_session_without_a_journal_has_an_empty_summary() -> None:
    assert summary_of(home(), "a1").events == {}


def test_an_id_that_leaves_the_folder_names_no_journal() -> None:
    home().events.mkdir(parents=True)
    (home().state / "outside.jsonl").write_bytes(line("UserPromptSubmit", 1, prompt="ship it") + b"\n")
    assert summary_of(home(), "../outside").events == {}


def test_the_sums_are_those_of_the_whole_transcript(tmp_path: Path) -> None:
    path = tmp_path / "a1.jsonl"
    path.write_bytes(answered("a", number=1) + b"\n" + b"x" * (STEP + 1000))
    assert with_sums(session(transcript_path=str(path))).output_tokens == 5


def test_without_a_transcript_nothing_is_added() -> None:
    assert with_sums(session(output_tokens=5)).output_tokens == 5


LONG = "Which database is it to be? " * 20
CUT = f"{LONG[:200]}…"


@pytest.mark.parametrize(
    ("tool", "given", "about", "detail"),
    [
        ("AskUserQuestion", {"questions": [{"question": LONG}]}, {"status": "question", "detail": CUT}, LONG),
        ("Bash", {"command": LONG}, {"status": "permission", "detail": f"Bash: {CUT}"}, f"Bash: {LONG}"),
        ("Bash", {"command": "other"}, {"status": "permission", "detail": f"Bash: {CUT}"}, f"Bash: {CUT}"),
        ("Bash", {"command": LONG}, {"status": "idle", "detail": CUT}, CUT),
        ("Bash", {"command": LONG}, {"status": "permission", "detail": ""}, ""),
    ],
)
def test_what_is_asked_is_whole_if_the_transcript_has_more(
    tmp_path: Path, tool: str, given: dict[str, object], about: dict[str, str], detail: str
) -> None:
    path = tmp_path / "a1.jsonl"
    path.write_bytes(called(tool, **given) + b"\n")
    assert with_asked(session(transcript_path=str(path), **about)).detail == detail
