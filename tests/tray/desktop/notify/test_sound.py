"""A sound is played by the player that the system has."""

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
