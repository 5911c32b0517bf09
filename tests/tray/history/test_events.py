"""Are events told in the order of time, those that were asked for, and as they happen?"""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.__main__ import main
from deskbell.commands.events import follow, point_in_time
from deskbell.errors import Problem
from deskbell.history.events import Event, Events, Wanted
from deskbell.home import home
from tests.tray.journals import line, tool
from tests.tray.making import NOON

RECORDER = Path(__file__).parents[3] / "hooks" / "deskbell_hooks" / "__main__.py"


@pytest.fixture
def folder() -> Path:
    home().events.mkdir(parents=True)
    home().sessions.mkdir()
    return home().events


def write(folder: Path, session_id: str, *lines: bytes) -> None:
    with (folder / f"{session_id}.jsonl").open("ab") as file:
        file.write(b"".join(one + b"\n" for one in lines))


def read(events: Events) -> list[tuple[str, str, float]]:
    return [(one.session_id, one.line["event"], one.line["at"] - NOON) for one in events.read()]


def every(folder: Path, wanted: Wanted = Wanted()) -> Events:  # noqa: B008  # it is frozen
    return Events(folder, wanted, lambda names: None)


def test_several_sessions_are_told_in_the_order_of_time_and_then_what_is_new(folder: Path) -> None:
    write(folder, "a", line("SessionStart", 1), line("Stop", 4))
    write(folder, "b", line("SessionStart", 2), b"garbage", line("Stop", 3))
    events = every(folder)
    assert [(name, at) for name, _, at in read(events)] == [("a", 1), ("b", 2), ("b", 3), ("a", 4)]
    write(folder, "b", line("SessionEnd", 5))
    write(folder, "c", line("SessionStart", 6))
    assert read(events) == [("b", "SessionEnd", 5), ("c", "SessionStart", 6)]


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (Wanted(), [1, 2, 3]),
        (Wanted(session_id="b"), [2]),
        (Wanted(names=frozenset({"Stop"})), [3]),
        (Wanted(since=NOON + 2), [2, 3]),
        (Wanted(session_id="none"), []),
    ],
)
def test_what_is_wanted(folder: Path, wanted: Wanted, told: list[float]) -> None:
    write(folder, "a", line("SessionStart", 1), line("Stop", 3))
    write(folder, "b", line("SessionStart", 2))
    assert [at for _, _, at in read(every(folder, wanted))] == told


def test_what_is_no_journal_is_told_once(folder: Path) -> None:
    for n in range(1000):
        (folder / f"garbage {n}").write_bytes(b"\x00")
    told: list[int] = []
    events = Events(folder, Wanted(), lambda names: told.append(len(names)))
    assert read(events) == read(events) == []
    assert told == [1000]


@given(st.lists(st.lists(st.integers(0, 50)), max_size=5))
def test_journals_in_order_are_told_in_order(journals: list[list[int]]) -> None:
    folder = home().events
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for n, seconds in enumerate(journals):
        write(folder, f"s{n}", *(line("Stop", second) for second in sorted(seconds)))
    assert [at for _, _, at in read(every(folder))] == sorted(second for one in journals for second in one)


def record(name: str, **event: str) -> None:
    data = json.dumps({"session_id": "s", "hook_event_name": name, "cwd": "/x", **event}).encode()
    command = [sys.executable, "-I", "-S", str(RECORDER), "record", str(home().state)]
    subprocess.run(command, input=data, check=True, timeout=60)


def test_what_a_recorder_writes_is_followed(folder: Path) -> None:
    async def followed() -> list[Event]:
        events = every(folder)
        events.skip()
        told = []
        async with asyncio.timeout(60):
            recording = asyncio.create_task(asyncio.to_thread(record, "SessionStart", source="startup"))
            async for event in follow(events, [home().sessions]):
                told.append(event)
                if event.line["event"] == "SessionStart":
                    await recording
                    recording = asyncio.create_task(asyncio.to_thread(record, "Stop"))
                else:
                    break
            await recording
        return told

    write(folder, "old", line("Stop"))
    assert [event.line["event"] for event in asyncio.run(followed())] == ["SessionStart", "Stop"]


@pytest.mark.parametrize(
    ("said", "ago"), [("90s", 90), ("10m", 600), ("2h", 7200), ("3d", 259_200), ("1970-01-01T00:00:00+00:00", NOON)]
)
def test_points_in_time(said: str, ago: float) -> None:
    assert point_in_time(said, NOON) == NOON - ago


@pytest.mark.parametrize("said", ["yesterday", "tomorrow", "10", "-5m", "2026-13-01", "0m"])
def test_what_is_no_point_in_time_is_a_problem(said: str) -> None:
    with pytest.raises(Problem, match="is no time"):
        point_in_time(said, NOON)


def test_the_command_for_people_shows_nothing_harmful(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "a1", line("UserPromptSubmit", 1, prompt="say \x1b]0;evil\x07\x1b[31mred\nand more"))
    write(folder, "a1", tool("Bash", 2, agent_id="g1", agent_type="Explore"))
    write(folder, "a1", line("UserPromptSubmit", 3, prompt="word " * 90))
    assert main(["events"]) == 0
    said = capsys.readouterr().out
    assert "say red and more" in said
    assert "↳ Bash: make (2.0 s)" in said
    assert "\x1b" not in said
    assert len(said.splitlines()) == 3


def test_the_command_for_programs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "a1", tool("Read", 1, file="/ü.py"), line("Stop", 2))
    assert main(["events", "a1", "--json", "--event", "PostToolUse"]) == 0
    (told,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (told["version"], told["session_id"], told["event"], told["at"]) == (1, "a1", "PostToolUse", NOON + 1)
    assert (told["tool"], told["file"], told["file_kind"], told["ms"]) == ("Read", "/ü.py", "read", 2000)


def test_an_unknown_session_is_told_in_one_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["events", "nobody"]) == 1
    assert 'no session is called "nobody"' in capsys.readouterr().err
