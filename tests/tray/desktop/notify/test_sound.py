"""A sound is played by the player that the system has."""

import time
from pathlib import Path

import pytest

from deskbell.desktop.notify import sound


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the only player of this system wrote down: its arguments."""
    (tmp_path / "canberra-gtk-play").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path / "out"}\n')
    (tmp_path / "canberra-gtk-play").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    return tmp_path / "out"


def test_a_file_is_played_once_and_what_is_no_file_not_at_all(out: Path, tmp_path: Path) -> None:
    file = tmp_path / "ding.oga"
    file.touch()
    sound.play(str(tmp_path / "not there.oga"))
    sound.play("../../etc/passwd")
    sound.play(str(file))
    assert out.read_text() == f"-f {file}\n"


def test_without_a_player_there_is_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    file = tmp_path / "ding.oga"
    file.touch()
    sound.play(str(file))


def test_the_default_sound_has_a_name_in_the_theme() -> None:
    assert (sound.named("default"), sound.named("bell")) == ("message-new-instant", "bell")


def test_what_a_player_leaves_behind_ends_with_the_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pw-play").write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {tmp_path / 'child'}\n")
    (tmp_path / "pw-play").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    (tmp_path / "ding.oga").touch()
    sound.play(str(tmp_path / "ding.oga"))
    state = Path("/proc", (tmp_path / "child").read_text().strip(), "stat")
    end = time.monotonic() + 20
    while state.exists() and " Z " not in state.read_text() and time.monotonic() < end:
        time.sleep(0.01)
    assert not state.exists() or " Z " in state.read_text()
