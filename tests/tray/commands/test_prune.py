"""Test `deskbell prune`: what it prints and what it deletes."""

import os
import time
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.commands._world import world
from deskbell.commands.prune import sentence
from deskbell.history.prune import DAY, Pruned
from deskbell.home import home
from deskbell.sessions.crashes import CrashFile
from deskbell_hooks.codec import encode
from tests.tray.commands.said import crashed, ended
from tests.tray.journals import line


def old_session(name: str, size: int = 0) -> None:
    """Write the files of a session whose last event is from 1970."""
    journal, record = home().events / f"{name}.jsonl", home().sessions / f"{name}.json"
    journal.write_bytes(line("Stop") + b"\n" + b" " * size + b"\n")
    record.write_bytes(encode({"v": 1, "session_id": name, "journal": journal.stat().st_size}))
    for path in (journal, record):
        os.utime(path, (DAY, DAY))


@pytest.fixture
def folders() -> list[Path]:
    folders = [home().sessions, home().events]
    for folder in folders:
        folder.mkdir(parents=True)
    return folders


def test_the_command_prints_what_it_would_delete_and_then_what_it_deleted(
    folders: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prune"]) == 0
    assert capsys.readouterr().out == "Nothing to delete.\n"
    old_session("old", size=1_100_000)
    old_session("older")
    assert main(["prune", "--dry-run"]) == 0
    assert capsys.readouterr().out == "2 sessions: 1.0 MB would be freed.\n"
    assert main(["prune", "--days", "1"]) == 0
    assert capsys.readouterr().out == "2 sessions: 1.0 MB freed.\n"
    assert [path for folder in folders for path in folder.iterdir()] == []


@pytest.mark.parametrize("option", ["--days", "--megabytes"])
@pytest.mark.parametrize("amount", ["-1", "-0.5", "nan", "inf", "many"])
def test_an_amount_that_no_session_can_have_is_refused_and_deletes_nothing(
    folders: list[Path], capsys: pytest.CaptureFixture[str], option: str, amount: str
) -> None:
    old_session("old")
    with pytest.raises(SystemExit) as ended:
        main(["prune", f"{option}={amount}"])
    assert ended.value.code == 2
    assert f"'{amount}' is not a number from 0 on" in capsys.readouterr().err
    assert [len(list(folder.iterdir())) for folder in folders] == [1, 1]


def test_a_failure_is_printed_and_the_command_exits_with_1(
    folders: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    old_session("old")
    (folders[0] / "old.json").unlink()
    (folders[0] / "old.json").mkdir()
    os.utime(folders[0] / "old.json", (DAY, DAY))
    assert main(["prune"]) == 1
    assert capsys.readouterr().err == f"deskbell: {folders[1] / 'old.jsonl'}: Is a directory\n"


@pytest.mark.parametrize(
    ("done", "words"),
    [
        (Pruned(removed=["a"], freed=0), "1 session: 0.0 MB freed."),
        (Pruned(cut=["a"], freed=3 << 20), "1 long journal cut: 3.0 MB freed."),
        (
            Pruned(removed=["a", "b"], cut=["c"], temporary=2),
            "2 sessions, 1 long journal cut, 2 abandoned files: 0.0 MB freed.",
        ),
    ],
)
def test_the_sentence_counts_what_was_deleted(done: Pruned, words: str) -> None:
    assert sentence(done, dry=False) == words


def test_a_crash_that_is_on_the_board_is_kept_until_it_was_seen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crashed("s-1", "/p/api", monkeypatch)
    assert main(["prune", "--days", "0", "--megabytes", "0"]) == 0
    assert capsys.readouterr().out == "Nothing to delete.\n"
    CrashFile(home().state).dismiss(world().read(time.time()), time.time())
    assert main(["prune", "--days", "0", "--megabytes", "0"]) == 0
    assert capsys.readouterr().out.startswith("1 session: ")
    assert world().read(time.time()) == []


def test_a_session_that_has_just_ended_is_kept_as_long_as_it_is_on_the_board(
    folders: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ended("s-1", ago=1)
    ended("s-2", ago=60)
    assert main(["prune", "--days", "0", "--megabytes", "0"]) == 0
    assert capsys.readouterr().out.startswith("1 session: ")
    assert [path.name for path in home().sessions.iterdir()] == ["s-1.json"]
