"""Test `deskbell events`: what it prints for a person and for a program, and how it follows new events."""

import asyncio
import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.commands.events import follow
from deskbell.history.events import Event, Events, Filter
from deskbell.home import home
from deskbell_hooks.codec import encode
from tests.tray.commands.said import recorded
from tests.tray.journals import line, tool, write
from tests.tray.making import NOON

RECORDER = Path(__file__).parents[3] / "hooks" / "deskbell_hooks" / "__main__.py"


@pytest.fixture
def folder() -> Path:
    home().events.mkdir(parents=True)
    home().sessions.mkdir()
    return home().events


def record(name: str, **event: str) -> None:
    data = json.dumps({"session_id": "s", "hook_event_name": name, "cwd": "/x", **event}).encode()
    command = [sys.executable, "-I", "-S", str(RECORDER), "record", str(home().state)]
    subprocess.run(command, input=data, check=True, timeout=60)


def test_the_events_of_a_recorder_are_followed(folder: Path) -> None:
    async def followed() -> list[Event]:
        events = Events(folder, Filter(), lambda names: None)
        events.skip()
        seen = []
        async with asyncio.timeout(60):
            recording = asyncio.create_task(asyncio.to_thread(record, "SessionStart", source="startup"))
            async for event in follow(events, [home().sessions]):
                seen.append(event)
                if event.line["event"] == "SessionStart":
                    await recording
                    recording = asyncio.create_task(asyncio.to_thread(record, "Stop"))
                else:
                    break
            await recording
        return seen

    write(folder, "old", line("Stop"))
    assert [event.line["event"] for event in asyncio.run(followed())] == ["SessionStart", "Stop"]


def test_a_person_reads_a_line_for_each_event_without_escape_sequences(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, "a1", line("UserPromptSubmit", 1, prompt="say \x1b]0;evil\x07\x1b[31mred\nand more"))
    write(folder, "a1", tool("Bash", 2, agent_id="g1", agent_type="Explore"))
    write(folder, "a1", line("UserPromptSubmit", 3, prompt="word " * 90))
    assert main(["events"]) == 0
    out = capsys.readouterr().out
    assert "say red and more" in out
    assert "↳ Bash: make (2.0 s)" in out
    assert "\x1b" not in out
    assert len(out.splitlines()) == 3


def test_a_program_reads_a_json_object_for_each_event(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "a1", tool("Read", 1, file="/ü.py"), line("Stop", 2))
    assert main(["events", "a1", "--json", "--event", "PostToolUse"]) == 0
    (event,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (event["version"], event["session_id"], event["event"], event["at"]) == (1, "a1", "PostToolUse", NOON + 1)
    assert (event["tool"], event["file"], event["file_kind"], event["ms"]) == ("Read", "/ü.py", "read", 2000)


def test_events_of_several_sessions_name_the_project_beside_the_id(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded("a1b2c3d4-5e6f", project="a project with a very long name")
    write(folder, "a1b2c3d4-5e6f", line("Stop", 1))
    write(folder, "ffff", line("Stop", 2))
    assert main(["events"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first[15:].startswith("  a1b2c3d4  a project…      Stop  ")
    assert second[15:].startswith("  ffff                      Stop  ")
    assert main(["events", "a1b2"]) == 0
    assert capsys.readouterr().out[15:].startswith("  Stop  ")


@pytest.mark.parametrize("more", [(), ("--json",), ("--follow",)], ids=["text", "json", "follow"])
def test_an_event_that_does_not_exist_is_refused_with_the_nearest_one(
    folder: Path, more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["events", "--event", "Stop", "--event", "permisionrequest", *more]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", 'deskbell: No event is called "permisionrequest". Did you mean "PermissionRequest"?\n')


def test_an_event_that_only_a_newer_client_has_is_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "a1", line("Quux", 1), line("Stop", 2))
    assert main(["events", "--event", "Quux", "--json"]) == 0
    assert [json.loads(one)["event"] for one in capsys.readouterr().out.splitlines()] == ["Quux"]


def test_where_no_event_passes_it_says_so_to_a_person_only(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = {(): "No event is recorded.\n", ("--event", "Stop"): "No such event is recorded.\n", ("--json",): ""}
    for words, answer in answers.items():
        assert main(["events", *words]) == 0
        assert capsys.readouterr().out == answer


def test_since_leaves_out_older_events(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "a1", line("SessionStart", 1), line("Stop", 2))
    since = datetime.fromtimestamp(NOON + 2).isoformat()
    assert main(["events", "--json", "--since", since]) == 0
    assert [json.loads(one)["event"] for one in capsys.readouterr().out.splitlines()] == ["Stop"]


def test_an_unknown_session_is_a_problem_in_one_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["events", "nobody"]) == 3
    assert capsys.readouterr().err == (
        'deskbell: No session matches "nobody". Run `deskbell list --all` to see them.\n'
    )


def test_the_secrets_of_an_older_version_are_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = "export API_TOKEN=hunter2secret99"
    old = json.loads(line("UserPromptSubmit", 1, cwd="/srv/API_TOKEN=kept99"))
    old |= {"subject": said, "error": said, "facts": {"prompt": said}, "tasks": [{"description": said}]}
    write(folder, "a1", encode(old))
    assert main(["events", "--json"]) == 0
    shown = capsys.readouterr().out
    assert "hunter2" not in shown
    event = json.loads(shown)
    assert event["facts"] == {"prompt": "export API_TOKEN=[redacted]"}
    assert event["tasks"] == [{"description": "export API_TOKEN=[redacted]"}]
    assert event["cwd"] == "/srv/API_TOKEN=kept99"
