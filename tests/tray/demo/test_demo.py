"""The afternoon, played through the real hooks as fast as they go."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.demo.afternoon import AFTERNOON, BRANCHES
from deskbell.demo.player import play, private, stage
from deskbell.demo.scenes import Moment
from deskbell.home import claude_dir, home
from deskbell.settings.registration import EVENTS

FAST = 1e8


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDECODE", "1")
    path = tmp_path / "demo"
    for name, value in private(path).items():
        monkeypatch.setenv(name, value)
    return path


def test_only_events_that_are_registered_are_played() -> None:
    assert {event["hook_event_name"] for moment in AFTERNOON for event in moment.events} <= EVENTS.keys()


def test_time_goes_forward_and_every_session_begins_with_its_start() -> None:
    times = [moment.at for moment in AFTERNOON]
    first = {moment.who: moment.events[0]["hook_event_name"] for moment in reversed(AFTERNOON) if moment.events}
    assert times == sorted(times)
    assert first == dict.fromkeys(BRANCHES, "SessionStart")


def test_the_home_of_the_demo_is_its_own(root: Path, tmp_path: Path) -> None:
    environment = private(tmp_path / "other")
    assert "CLAUDECODE" not in environment
    assert Path(environment["DESKBELL_HOME"]).is_relative_to(tmp_path / "other")
    assert Path(environment["CLAUDE_CONFIG_DIR"]).is_relative_to(tmp_path / "other")


def test_it_stops_when_nobody_watches_any_more() -> None:
    shown: list[Moment] = []
    assert not play(AFTERNOON, FAST, shown.append, lambda seconds: len(shown) < 3)
    assert shown == list(AFTERNOON[:3])


def test_it_keeps_its_times() -> None:
    waits: list[float] = []

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return True

    assert play([Moment(0, "a"), Moment(30, "a"), Moment(90, "a")], 60, lambda moment: None, wait)
    assert [round(seconds) for seconds in waits] == [0, 30, 90]


def test_the_whole_afternoon_leaves_the_records_of_its_sessions(root: Path) -> None:
    with stage(root, BRANCHES) as opened:
        assert play(AFTERNOON, FAST, opened.show, lambda seconds: True)
        assert {name: record["status"] for name, record in _records()} == {
            "api": "permission",
            "web": "idle",
            "docs": "ended",
            "infra": "idle",
            "data": "idle",
            "mobile": "working",  # killed: that is not for the hooks to know
        }
        left = {Path(entry["cwd"]).name: entry["status"] for entry in _registry()}
        assert left == {"api": "waiting", "web": "idle", "infra": "idle", "data": "idle", "mobile": "busy"}
        processes = [entry["pid"] for entry in _registry() if Path(entry["cwd"]).name != "mobile"]
        assert all(_lives(pid) for pid in processes)
    assert not any(_lives(pid) for pid in processes)


def _records() -> Iterator[tuple[str, dict[str, str]]]:
    for path in home().sessions.glob("*.json"):
        record = json.loads(path.read_bytes())
        yield Path(record["cwd"]).name, record


def _registry() -> list[dict[str, str]]:
    return [json.loads(path.read_bytes()) for path in (claude_dir() / "sessions").glob("*.json")]


def _lives(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_however_it_is_ended_nothing_is_left(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "deskbell", "demo", "--no-tray", "--speed", "1e5"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = iter(process.stdout.readline, "")
        where = next(line for line in lines if line.startswith("DESKBELL_HOME"))
        folder = Path(where.rpartition("CLAUDE_CONFIG_DIR=")[2].strip())
        assert any("docs" in line for line in lines)
        pids = [path.stem for path in (folder / "sessions").glob("*.json")]
        process.send_signal(number)
        process.wait(60)
    assert process.returncode in (130, 143)
    assert not folder.parent.exists()
    assert pids
    assert not any(_lives(pid) for pid in pids)


@pytest.mark.parametrize("speed", ["0", "-1", "fast", "nan", "inf"])
def test_a_speed_is_a_number_above_0(speed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["demo", f"--speed={speed}"])
    assert "--speed" in capsys.readouterr().err
