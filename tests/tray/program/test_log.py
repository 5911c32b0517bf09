"""Test that the log survives the deletion of its folder, and stays small."""

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.program import log


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    root = logging.getLogger()
    level = root.level
    handler = log.start(tmp_path / "state")
    yield tmp_path / "state"
    root.removeHandler(handler)
    root.setLevel(level)
    handler.close()


def test_it_says_when_it_was_started(state: Path) -> None:
    assert "INFO deskbell: Deskbell" in log.path(state).read_text()


def test_a_deleted_folder_is_made_anew(state: Path) -> None:
    shutil.rmtree(state)
    logging.getLogger("deskbell").info("still here")
    assert log.path(state).read_text().endswith("still here\n")
    assert log.path(state).stat().st_mode & 0o777 == 0o600


def test_it_rotates(state: Path) -> None:
    for _ in range(3 * log.LARGEST // 1000 + 10):
        logging.getLogger("deskbell").info("x" * 1000)
    sizes = [path.stat().st_size for path in state.iterdir()]
    assert len(sizes) == 1 + log.KEPT
    assert max(sizes) <= log.LARGEST


def test_a_file_stays_small_in_bytes_whatever_the_letters(state: Path) -> None:
    for _ in range(log.LARGEST // 1000):
        logging.getLogger("deskbell").info("é" * 1000)
    assert max(path.stat().st_size for path in state.iterdir()) <= log.LARGEST


def handle(state: Path, text: str, *args: object) -> None:
    """Give a record to Deskbell's handler alone: pytest's own raises for such records."""
    handler = log.start(state)
    logging.getLogger().removeHandler(handler)
    handler.handle(logging.LogRecord("deskbell", logging.INFO, __file__, 1, text, args, None))
    handler.close()


def test_a_file_name_that_is_not_utf_8_is_logged(state: Path) -> None:
    handle(state, "no \udcff here")
    assert log.path(state).read_text(encoding="utf-8").endswith("no \\udcff here\n")


def test_a_record_that_cannot_be_formatted_is_shown_and_its_caller_goes_on(
    state: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    handle(state, "%d sessions", "many")
    assert "Logging error" in capfd.readouterr().err
    assert "sessions" not in log.path(state).read_text()


def test_where_it_cannot_be_written_the_program_goes_on_in_silence(
    state: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(state)
    state.write_text("a file where the folder was")
    logging.getLogger("deskbell").error("nobody hears this")
    state.unlink()
    logging.getLogger("deskbell").info("still here")
    assert log.path(state).read_text().endswith("still here\n")
    log.path(state).unlink()
    log.path(state).symlink_to("/dev/full")
    logging.getLogger("deskbell").error("nobody hears this either")
    log.path(state).unlink()
    assert capfd.readouterr().err == ""


def test_a_state_folder_that_cannot_be_made_is_no_reason_not_to_start(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    handler = log.start(tmp_path / "state")
    logging.getLogger().removeHandler(handler)
    handler.close()
