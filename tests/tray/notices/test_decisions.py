"""Test the log of decisions, and each decision as a sentence."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.notices import decisions
from deskbell.notices.decisions import Decision, sentence

ONE = Decision(1.0, "abc-1", 7, "web", "idle", "shown", "as its turn ended 12 s after your last prompt or answer")

SENTENCES = {
    "web: shown as its turn ended 12 s after your last prompt or answer": ONE,
    "web: you clicked its notification to mute it": replace(ONE, verdict="clicked", reason="to mute it"),
    "web: you clicked its notification": replace(ONE, verdict="clicked", reason=""),
    "Deskbell: you clicked one of its messages to install the hooks": replace(
        ONE, project="", verdict="clicked", reason="to install the hooks"
    ),
    "Deskbell: you clicked one of its messages": replace(ONE, project="", verdict="clicked", reason="hooks"),
    "api: not shown, its pane was focused": replace(
        ONE, project="api", verdict="not shown", reason="its pane was focused"
    ),
    "web: shown at once": replace(ONE, reason="at once"),
    "web: sent to phone": replace(ONE, verdict="sent", reason="to phone"),
    "web: shown as the last of a summary": replace(ONE, reason="as the last of a summary"),
    "Deskbell: closed, it expired": replace(ONE, project="", verdict="closed", reason="it expired"),
    "evil: shown at once": replace(ONE, project="\x1b]0;x\x07evil\x1b[2J", reason="at once"),
    "web: displayed by dunst 1.9.0": replace(ONE, verdict="displayed", reason="by dunst 1.9.0"),
    "web: not displayed, no notification daemon is running": replace(
        ONE, verdict="not displayed", reason="no notification daemon is running"
    ),
    "web: withdrawn, it was answered": replace(ONE, verdict="withdrawn", reason="it was answered"),
}


@pytest.mark.parametrize(("text", "decision"), SENTENCES.items(), ids=SENTENCES)
def test_every_decision_is_a_sentence(text: str, decision: Decision) -> None:
    assert sentence(decision) == text


def test_the_latest_are_read_back_in_order(tmp_path: Path) -> None:
    for n in range(30):
        decisions.write(tmp_path, [replace(ONE, at=float(n))])
    assert [d.at for d in decisions.read(tmp_path, 3)] == [27, 28, 29]


def test_a_ring_that_nothing_displayed_is_not_claimed(tmp_path: Path) -> None:
    lost = replace(ONE, verdict="not displayed", reason="no notification daemon is running")
    other = replace(ONE, pid=8)
    sent = replace(ONE, verdict="sent", reason="to phone")
    shown = replace(ONE, at=0.5)
    decisions.write(tmp_path, [shown, replace(ONE, verdict="withdrawn"), ONE, other, sent, lost])
    kept = [shown, replace(ONE, verdict="withdrawn"), other, sent, lost]
    assert decisions.read(tmp_path, 9) == kept
    assert decisions.read(tmp_path, 2) == kept[-2:]
    decisions.write(tmp_path, [replace(lost, session_id="xyz")])
    assert decisions.read(tmp_path, 9) == [*kept, replace(lost, session_id="xyz")]


def test_no_secret_that_somebody_typed_is_written(tmp_path: Path) -> None:
    secret = "abcdefghijklmnop" + "1234QRST"
    decisions.write(
        tmp_path, [replace(ONE, verdict="answered", reason=f"answered: use Authorization: Bearer {secret}")]
    )
    assert all(secret not in path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    (read,) = decisions.read(tmp_path, 1)
    assert read.reason.startswith("answered: use Authorization")


def test_they_can_be_read_by_project_or_by_the_start_of_an_id(tmp_path: Path) -> None:
    decisions.write(tmp_path, [ONE, replace(ONE, session_id="xyz", project="api")])
    assert [d.project for d in decisions.read(tmp_path, 9, "api")] == ["api"]
    assert [d.project for d in decisions.read(tmp_path, 9, "abc")] == ["web"]


def test_the_latest_about_a_session_are_told_with_their_times(tmp_path: Path) -> None:
    decisions.write(tmp_path, [replace(ONE, at=float(n), reason="at once") for n in range(3)])
    decisions.write(tmp_path, [replace(ONE, session_id="xyz")])
    assert decisions.sentences(tmp_path, "abc-1", 2) == [(1.0, "web: shown at once"), (2.0, "web: shown at once")]


def test_a_log_that_cannot_be_read_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / "decisions.jsonl").mkdir()
    assert decisions.sentences(tmp_path, "abc-1", 2) == []


def test_torn_and_foreign_lines_are_skipped(tmp_path: Path) -> None:
    decisions.write(tmp_path, [ONE])
    with (tmp_path / "decisions.jsonl").open("ab") as log:
        log.write(b'{"at": 2\n\xff\xfe\n[]\n{"at":1,"verdict":"dreamt"}\n')
    decisions.write(tmp_path, [ONE])
    assert decisions.read(tmp_path, 9) == [ONE, ONE]


def test_the_log_is_bounded_and_keeps_the_latest(tmp_path: Path) -> None:
    many = [replace(ONE, reason="x" * 1000)] * 600
    for _ in range(5):
        decisions.write(tmp_path, many)
    assert sum(f.stat().st_size for f in tmp_path.iterdir()) < 3 * decisions.LONGEST
    assert len(decisions.read(tmp_path, 500)) == 500


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_only_the_person_can_read_the_log(tmp_path: Path) -> None:
    decisions.write(tmp_path / "state", [ONE])
    (file,) = (tmp_path / "state").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders there")
def test_a_named_pipe_in_place_of_the_log_is_a_problem_and_not_a_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "decisions.jsonl.1")
    with pytest.raises(Problem, match="it is a named pipe"):
        decisions.read(tmp_path, 9)


def test_without_a_decision_nothing_is_written(tmp_path: Path) -> None:
    decisions.write(tmp_path / "state", [])
    assert not (tmp_path / "state").exists()
