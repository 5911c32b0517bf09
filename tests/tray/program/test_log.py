"""Test that the log survives the deletion of its folder, and stays small."""

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.program import log

SECRET = "tk_4f8Ab2Zq91LmXc7"


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


def test_a_text_with_several_lines_cannot_pretend_to_be_a_record(state: Path) -> None:
    forged = "2026-11-19 00:00:00,000 INFO deskbell: all is well"
    handle(state, "failed: %s", f"bad\n{forged}\r{forged}\u2028{forged}\x85{forged}\r\n{forged}")
    lines = log.path(state).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith(forged)] == []
    assert lines[-3].endswith("INFO deskbell: failed: bad")
    assert lines[-1] == f"    {forged}"


def test_controls_and_invisible_characters_are_written_as_numbers(state: Path) -> None:
    handle(state, "host: %s", "\x1b]0;pwned\x07\x9b2J\u202e\0")
    assert log.path(state).read_text().endswith(r"host: \u001b]0;pwned\u0007\u009b2J\u202e\u0000" + "\n")


def test_secrets_are_left_out_of_messages_and_tracebacks(state: Path) -> None:
    handler = log.start(state)
    logging.getLogger().removeHandler(handler)
    try:
        raise ValueError(f"Invalid header value b'Bearer {SECRET}'")
    except ValueError:
        failed = logging.LogRecord(
            "deskbell", logging.ERROR, __file__, 1, "outbox: https://me:%s@host", (SECRET,), sys.exc_info()
        )
    handler.handle(failed)
    handler.close()
    text = log.path(state).read_text()
    assert "outbox: https://me:[redacted]@host\n    Traceback" in text
    assert "ValueError: Invalid header value b'Bearer [redacted]" in text
    assert SECRET not in text


def test_a_record_of_any_length_takes_little_room(state: Path) -> None:
    handle(state, "%s", "é" * 10_000_000)
    assert log.path(state).stat().st_size < 3 * log.LONGEST


def test_what_every_start_logs_loads_no_rules_for_secrets(tmp_path: Path) -> None:
    program = "import sys; from pathlib import Path; from deskbell.program import log; log.start(Path(sys.argv[1])); print(*sys.modules)"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "deskbell_hooks.trim" in done.stdout.split()
    assert "deskbell_hooks.redact" not in done.stdout.split()


def test_a_record_that_cannot_be_formatted_is_told_and_its_caller_goes_on(
    state: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    handle(state, "%d sessions", "many\x1b[2J")
    sentence = (
        "deskbell: A line of deskbell could not be logged: TypeError: %d format: a real number is required, not str.\n"
    )
    assert capfd.readouterr().err == sentence
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
    log.path(state).mkdir()
    logging.getLogger("deskbell").error("nobody hears this either")
    log.path(state).rmdir()
    assert capfd.readouterr().err == ""


def test_a_state_folder_that_cannot_be_made_is_no_reason_not_to_start(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    handler = log.start(tmp_path / "state")
    logging.getLogger().removeHandler(handler)
    handler.close()
