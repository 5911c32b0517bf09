"""Test the recorder of captures: what it writes from what was seen, and one run of the real client."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.captures import Deed, Hook, RegistryChange, StatusLine, steps
from tests.client.claude import Claude
from tests.client.record import SCENES, Registry, main, recorded, text
from tests.waiting import wait

HOME = Path("/tmp/deskbell-abc")
ENV = {"CLAUDE_PID": "7"}


def lines(*seen: dict[str, object]) -> list[dict[str, object]]:
    return [json.loads(line) for line in text(100.0, seen, HOME).splitlines()]


def test_what_was_seen_is_written_in_the_order_of_time() -> None:
    assert lines({"at": 102.5, "driver": "b"}, {"at": 101.25, "driver": "a"}) == [
        {"epoch": 100.0},
        {"t": 1.25, "driver": "a"},
        {"t": 2.5, "driver": "b"},
    ]


def test_the_environment_is_written_only_where_it_changes() -> None:
    other = {"CLAUDE_PID": "8"}
    written = lines(*({"at": 101.0 + n, "hook": {}, "env": env} for n, env in enumerate((ENV, ENV, other, other))))
    assert [line.get("env") for line in written[1:]] == [ENV, None, other, None]


def test_a_status_line_has_no_environment() -> None:
    assert lines({"at": 101.0, "statusline": {}, "env": {}})[1] == {"t": 1.0, "statusline": {}}


def test_secrets_and_names_of_the_machine_are_left_out() -> None:
    content = {
        "cwd": f"{HOME}/projects/proj",
        "messagingSocketPath": "/tmp/s",
        "pidDomain": "linux:3d12",
        "status": "idle",
    }
    event = {"transcript_path": f"{HOME}/.claude/projects/-tmp-deskbell-abc-projects-proj/s.jsonl"}
    registry, hook = lines({"at": 101, "registry": "7.json", "content": content}, {"at": 102, "hook": event})[1:]
    assert registry["content"] == {"cwd": "/home/user/proj", "status": "idle"}
    assert hook["hook"] == {"transcript_path": "/home/user/.claude/projects/-home-user-proj/s.jsonl"}


def test_every_change_of_a_registry_file_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "7.json"
    contents: list[object] = [{"status": "idle"}, {"status": "busy"}, None]
    with Registry(tmp_path) as registry:
        for number, content in enumerate(contents, 1):
            if content is None:
                file.unlink()
            else:
                file.with_suffix(".new").write_text(json.dumps(content), encoding="utf-8")
                file.with_suffix(".new").replace(file)
            wait(lambda: len(registry.changes) == number, f"change {number}")  # noqa: B023
    assert [change["content"] for change in registry.changes] == contents


def test_a_half_written_registry_file_is_not_a_change(tmp_path: Path) -> None:
    file = tmp_path / "7.json"
    file.write_text('{"status": "idle"}', encoding="utf-8")
    with Registry(tmp_path) as registry:
        wait(lambda: registry.changes, "the first content")
        file.write_text('{"stat', encoding="utf-8")
        (tmp_path / "8.json").write_text('{"status": "busy"}', encoding="utf-8")
        wait(lambda: len(registry.changes) == 2, "the other file")
    assert [change["registry"] for change in registry.changes] == ["7.json", "8.json"]


@pytest.mark.parametrize("words", [[], ["out", "nothing"], ["out", "plain", "more"]], ids=str)
def test_a_wrong_call_names_the_scenes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "|".join(SCENES) in capsys.readouterr().err


@pytest.mark.parametrize("scene", SCENES)
def test_a_recorded_run_of_the_real_client_reads_like_the_other_captures(
    accounts: Callable[..., Claude], tmp_path: Path, scene: str
) -> None:
    written = recorded(accounts(), SCENES[scene])
    assert not re.search(r"<[A-Z_]+>|MESSAGING_TOKEN|(?<!user)/tmp/|/root|messagingSocket", written)
    (tmp_path / "run.jsonl").write_text(written, encoding="utf-8")
    run = list(steps(str(tmp_path / "run")))
    assert [step.at for step in run] == sorted(step.at for step in run)
    fired = [step for step in run if isinstance(step, Hook)]
    assert (fired[0].name, fired[-1].name) == ("SessionStart", "SessionEnd")
    assert all(step.env["CLAUDE_PID"] for step in fired)
    registry = [step for step in run if isinstance(step, RegistryChange)]
    assert registry[-1].content is None
    assert {"idle", "busy"} <= {step.content.get("status") for step in registry if step.content}
    assert all(
        s.at >= s.content["updatedAt"] / 1000 - 0.001 for s in registry if s.content and "updatedAt" in s.content
    )
    assert [step.what for step in run if isinstance(step, Deed)] == [deed.words for deed in SCENES[scene] if deed.words]
    assert [step for step in run if isinstance(step, StatusLine)]
