"""Test that the afternoon is played through the real hooks, as fast as they go."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from deskbell.commands._world import world
from deskbell.demo.afternoon import AFTERNOON, BRANCHES
from deskbell.demo.player import play, private, stage
from deskbell.demo.scenes import Moment, is_interrupted, is_prompted, starts
from deskbell.home import claude_dir, home
from tests.waiting import wait

FAST = 1e8


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDECODE", "1")
    path = tmp_path / "demo"
    for name, value in private(path).items():
        monkeypatch.setenv(name, value)
    return path


def test_the_home_of_the_demo_is_private(root: Path, tmp_path: Path) -> None:
    environment = private(tmp_path / "other")
    assert "CLAUDECODE" not in environment
    assert Path(environment["DESKBELL_HOME"]).is_relative_to(tmp_path / "other")
    assert Path(environment["CLAUDE_CONFIG_DIR"]).is_relative_to(tmp_path / "other")


def test_it_stops_as_soon_as_the_wait_returns_false() -> None:
    shown: list[Moment] = []
    assert not play(AFTERNOON, FAST, shown.append, lambda seconds: len(shown) < 3)
    assert shown == list(AFTERNOON[:3])


def test_it_waits_for_the_time_of_each_moment() -> None:
    waits: list[float] = []

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return True

    assert play([Moment(0, "a"), Moment(30, "a"), Moment(90, "a")], 60, lambda moment: None, wait)
    assert [round(seconds) for seconds in waits] == [0, 30, 90]


@pytest.mark.long
def test_the_whole_afternoon_leaves_the_records_of_its_sessions(root: Path) -> None:
    with stage(root, BRANCHES) as opened:
        assert play(AFTERNOON, FAST, opened.show, lambda seconds: True)
        assert {name: record["status"] for name, record in _records()} == {
            "api": "permission",
            "web": "idle",
            "docs": "ended",
            "infra": "idle",
            "data": "idle",
            "mobile": "working",  # killed: no hook fires
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
    return psutil.pid_exists(int(pid))


def test_the_sessions_have_transcripts_with_branches_tokens_and_tasks(root: Path) -> None:
    with stage(root, BRANCHES) as opened:
        first = [moment for moment in AFTERNOON if moment.who in ("api", "docs") and moment.at < 76]
        assert play(first, FAST, opened.show, lambda seconds: True)
        sessions = {one.project: one for one in world().read(time.time())}
        api, docs = sessions["api"], sessions["docs"]
        assert (api.branch, api.todo) == ("release-2.4", (3, 3))
        assert api.output_tokens
        assert api.cost_usd
        assert docs.transcript_path
        assert len(list((Path(docs.transcript_path).with_suffix("") / "subagents").iterdir())) == 2


def test_an_interrupt_is_in_the_transcript_alone(root: Path) -> None:
    with stage(root, BRANCHES) as opened:
        assert play(
            [*starts(0, "web"), *is_prompted(1, "web", "Go"), *is_interrupted(2, "web")], FAST, opened.show, goes_on
        )
        there = world()
        (web,) = there.read(time.time())
        wait(lambda: there.read(time.time())[0].status == "interrupted", "the interrupt")
        assert web.transcript_path
        assert "[Request interrupted by user" in Path(web.transcript_path).read_text()


def goes_on(_: float) -> bool:
    return True
