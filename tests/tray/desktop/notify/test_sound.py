"""Test that a sound is played by the player that the system has, one at a time."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deskbell.desktop.notify import sound
from deskbell.desktop.notify.sound import LATE, Player
from deskbell.program.boundary import Boundary
from tests.limits import NEED_LINUX, no_threads
from tests.waiting import new_threads, wait


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


@dataclass
class Speaker:
    """Plays each sound until `over` is released."""

    begun: list[str] = field(default_factory=list)
    over: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def play(self, sound: str) -> None:
        self.begun.append(sound)
        assert self.over.acquire(timeout=20)

    def plays(self, *sounds: str) -> Callable[[], bool]:
        return lambda: self.begun == list(sounds)


def test_one_sound_is_played_at_a_time_and_of_those_that_wait_the_newest() -> None:
    speaker, threads = Speaker(), new_threads()
    player = Player(Boundary(), speaker.play)
    player.play("one")
    wait(speaker.plays("one"))
    player.play("two")
    player.play("three")
    assert threads() == 1
    speaker.over.release(2)
    wait(speaker.plays("one", "three"))
    wait(lambda: not threads())
    player.play("four")
    wait(speaker.plays("one", "three", "four"))
    speaker.over.release()


def test_a_sound_that_would_come_late_is_left_out() -> None:
    speaker, threads, now = Speaker(), new_threads(), [0.0]
    player = Player(Boundary(), speaker.play, lambda: now[0])
    player.play("one")
    wait(speaker.plays("one"))
    player.play("two")
    now[0] = LATE
    speaker.over.release()
    wait(lambda: not threads())
    assert speaker.begun == ["one"]


def test_after_a_sound_that_fails_the_next_one_is_played() -> None:
    played, boundary = list[str](), Boundary()

    def play(name: str) -> None:
        if name == "bad":
            raise LookupError("no such sound")
        played.append(name)

    player = Player(boundary, play)
    player.play("bad")
    wait(lambda: boundary.broken.get("sound"))
    player.play("good")
    wait(lambda: played == ["good"] and not boundary.broken)


@NEED_LINUX
def test_without_a_thread_nothing_is_raised_and_the_next_sound_is_played() -> None:
    played, boundary = list[str](), Boundary()
    player = Player(boundary, played.append)
    with no_threads():
        player.play("one")
        assert boundary.broken["sound"].startswith("The system starts no more threads.")
    player.play("two")
    wait(lambda: played == ["two"])
