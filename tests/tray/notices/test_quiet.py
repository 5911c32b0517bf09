"""Test that the snooze and the mutes are kept in a file and end by themselves."""

import json
import os
import sys
import threading
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.face.actions import Snooze
from deskbell.files.lock import lock, lock_file
from deskbell.notices.quiet import FULL, MOST, Quiet, QuietFile, change, forget, read, write
from tests.limits import no_descriptors
from tests.tray.story import NOON, session


def test_it_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    quiet = (
        Quiet().snoozed(NOON).with_mute("sessions", "a", NOON).with_mute("projects", "x*").with_mute("statuses", "idle")
    )
    write(tmp_path / "state", quiet)
    assert read(tmp_path / "state") == quiet


def test_a_file_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder was")
    with pytest.raises(Problem, match=r"Cannot write .*quiet\.json: Not a directory\. Free some space"):
        write(tmp_path / "state", Quiet())


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"snoozed_until": "late"}', b"\xff"])
def test_a_broken_file_silences_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "quiet.json").write_bytes(content)
    assert read(tmp_path) == Quiet()


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders there")
def test_a_named_pipe_in_place_of_the_file_is_one_sentence_in_the_log_and_not_a_wait(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    os.mkfifo(tmp_path / "quiet.json")
    assert read(tmp_path) == Quiet()
    assert caplog.messages == [f"{tmp_path / 'quiet.json'} cannot be read (it is a named pipe): nothing is silenced"]


def test_a_newer_file_is_read_for_what_is_known(tmp_path: Path) -> None:
    (tmp_path / "quiet.json").write_text('{"version": 9, "snoozed_until": 5.0, "moods": {}}')
    assert read(tmp_path).snoozed_until == 5.0


def test_a_mute_that_is_taken_back_is_gone() -> None:
    assert Quiet().with_mute("sessions", "api-id").without_mute("sessions", "api-id") == Quiet()


def test_a_project_is_muted_by_its_name_or_its_folder() -> None:
    of = session("api", cwd="/home/me/clients/api")
    assert Quiet().with_mute("projects", "*/clients/*").muted(of, NOON)
    assert Quiet().with_mute("projects", "api").muted(of, NOON)
    assert not Quiet().with_mute("projects", "ap").muted(of, NOON)
    assert Quiet().with_mute("projects", "a[b]").muted(session("a[b]"), NOON), (
        "a name that looks like a glob fits itself"
    )


def test_a_snooze_lasts_and_ends(tmp_path: Path) -> None:
    quiet_file = QuietFile(tmp_path, lambda: NOON)
    quiet_file.snooze(Snooze("30m"))
    assert quiet_file.quiet().snooze(NOON) == NOON + 1800
    assert quiet_file.quiet().snooze(NOON + 1801) is None
    quiet_file.snooze(Snooze(None))
    assert quiet_file.quiet().snooze(NOON) is None


def test_a_mute_is_taken_back(tmp_path: Path) -> None:
    quiet_file = QuietFile(tmp_path, lambda: NOON)
    quiet_file.mute("a1", True)
    quiet_file.mute("b2", True)
    quiet_file.mute("a1", False)
    assert quiet_file.muted() == {"b2"}


def test_later_is_quiet_about_one_session_for_ten_minutes(tmp_path: Path) -> None:
    now = [NOON]
    file = QuietFile(tmp_path, lambda: now[0])
    file.later("api-id", on=True)
    assert read(tmp_path).laters(NOON) == file.laters() == {"api-id": NOON + 600}
    now[0] += 600
    assert file.laters() == {}


def test_later_is_taken_back_for_its_session_alone(tmp_path: Path) -> None:
    file = QuietFile(tmp_path, lambda: NOON)
    file.later("a1", on=True)
    file.later("b2", on=True)
    file.later("a1", on=False)
    assert list(file.laters()) == ["b2"]
    file.mute("c3", True)
    assert list(file.laters()) == ["b2"]


def test_a_mute_of_another_program_is_not_lost(tmp_path: Path) -> None:
    def times(number: int) -> None:
        for at in range(10):
            QuietFile(tmp_path, lambda: NOON).mute(f"{number} {at}", True)

    threads = [threading.Thread(target=times, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read(tmp_path).sessions) == 40


def test_a_change_waits_for_another_one_but_not_for_ever(tmp_path: Path) -> None:
    with lock_file(tmp_path / "quiet.lock") as file:
        assert lock(file)
        QuietFile(tmp_path, lambda: NOON).mute("a", True)
    assert read(tmp_path).sessions == {"a": None}


def test_what_is_written_can_be_read_whatever_is_muted(tmp_path: Path) -> None:
    file = QuietFile(tmp_path, lambda: NOON)
    many = Quiet(sessions={f"{number:036}": None for number in range(MOST)})
    write(tmp_path, many)
    file.mute("the newest", True)
    file.mute(f"{7:036}", True)
    muted = list(read(tmp_path).sessions)
    assert (len(muted), muted[-2:], muted[0]) == (MOST, ["the newest", f"{7:036}"], f"{1:036}")
    long = Quiet(projects={"x" * FULL: None})
    with pytest.raises(Problem, match="Too much is muted already"):
        change(tmp_path, NOON, lambda before: long)
    assert list(read(tmp_path).sessions) == muted


def test_a_file_that_an_earlier_version_let_grow_is_still_read(tmp_path: Path) -> None:
    content = {"sessions": {f"{number:036}": None for number in range(8000)}}
    (tmp_path / "quiet.json").write_text(json.dumps(content))
    assert len(read(tmp_path).sessions) == 8000
    QuietFile(tmp_path, lambda: NOON).mute("a", True)
    assert len(read(tmp_path).sessions) == MOST


def test_the_mutes_of_removed_sessions_end(tmp_path: Path) -> None:
    forget(tmp_path, NOON, ["a"])
    assert list(tmp_path.iterdir()) == []
    write(tmp_path, Quiet(sessions={"a": None, "b": None}, projects={"a": None}))
    forget(tmp_path, NOON, ())
    forget(tmp_path, NOON, ["a", "c"])
    assert read(tmp_path) == Quiet(at=NOON, sessions={"b": None}, projects={"a": None})
    forget(tmp_path, NOON + 1, ["a"])
    assert read(tmp_path).at == NOON, "nothing is written in vain"


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_a_file_that_cannot_be_read_at_the_moment_is_not_overwritten(tmp_path: Path) -> None:
    write(tmp_path, Quiet(sessions={"a": None}))
    with no_descriptors(), pytest.raises(Problem, match=r"Cannot write .*quiet\.json"):
        change(tmp_path, NOON, lambda before: before.snoozed(NOON + 60))
    assert read(tmp_path).sessions == {"a": None}


def test_a_change_by_another_program_is_read(tmp_path: Path) -> None:
    quiet_file = QuietFile(tmp_path, lambda: NOON)
    assert quiet_file.quiet() == Quiet()
    write(tmp_path, Quiet().with_mute("sessions", "a1", NOON - 1).with_mute("sessions", "c3", NOON + 1))
    assert quiet_file.muted() == {"c3"}


def test_an_unchanged_file_is_not_read_again(tmp_path: Path) -> None:
    quiet_file = QuietFile(tmp_path, lambda: NOON)
    quiet_file.mute("a1", True)
    assert quiet_file.quiet() is quiet_file.quiet()


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_what_was_silenced_stays_so_while_the_file_cannot_be_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = QuietFile(tmp_path, lambda: NOON)
    write(tmp_path, Quiet().snoozed(NOON + 60))
    assert file.quiet().snooze(NOON) == NOON + 60
    write(tmp_path, Quiet().snoozed(NOON + 90))
    with no_descriptors():
        assert [file.quiet().snooze(NOON) for _ in range(3)] == [NOON + 60] * 3
    assert len(caplog.records) == 1
    assert file.quiet().snooze(NOON) == NOON + 90


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_a_command_that_cannot_read_the_file_says_so_and_silences_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path, Quiet().snoozed(NOON))
    with no_descriptors():
        assert read(tmp_path) == Quiet()
    assert "nothing is silenced" in caplog.text


YEAR = 365 * 86400.0


@pytest.mark.parametrize(
    ("later", "lasts"), [(-YEAR, False), (-61.0, False), (-59.0, True), (0.0, True), (1799.0, True), (1801.0, False)]
)
def test_a_clock_that_is_set_back_does_not_make_a_snooze_or_a_mute_last_longer(
    tmp_path: Path, later: float, lasts: bool
) -> None:
    now = [NOON]
    QuietFile(tmp_path, lambda: now[0]).snooze(Snooze("30m"))
    QuietFile(tmp_path, lambda: now[0] + 1200).later("a1", on=True)
    write(tmp_path, read(tmp_path).model_copy(update={"at": NOON}))
    write(tmp_path, read(tmp_path).with_mute("projects", "web", NOON + 1800).with_mute("projects", "api"))
    quiet = read(tmp_path)
    assert bool(quiet.laters(NOON + later)) == lasts
    assert (quiet.snooze(NOON + later) is not None) == lasts
    assert ("web" in quiet.names("projects", NOON + later)) == lasts
    assert "api" in quiet.names("projects", NOON + later)


def test_what_a_clock_that_was_set_back_has_ended_does_not_begin_again_with_the_next_change(tmp_path: Path) -> None:
    now = [NOON]
    file = QuietFile(tmp_path, lambda: now[0])
    file.snooze(Snooze("30m"))
    now[0] -= YEAR
    file.mute("a", True)
    assert (file.quiet().snooze(now[0]), file.muted()) == (None, frozenset({"a"}))
