"""Test that the transcripts of all accounts are found, and what the beginning and the end of one say."""

import json
import os
import time
from pathlib import Path

import pytest

from deskbell.sessions.written import LOOK, Glance, glance, is_resumable, written
from tests.tray.sessions.transcript_lines import answered


def kept(account: Path, project: str, session_id: str, at: float = 1000.0, text: bytes = b"{}\n") -> Path:
    path = account / "projects" / project / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    os.utime(path, (at, at))
    return path


def user(cwd: str, prompt: str = "hello", **more: object) -> bytes:
    line = {"type": "user", "cwd": cwd, "timestamp": "2026-09-21T12:00:00Z", "message": {"content": prompt}}
    return json.dumps({**line, **more}).encode() + b"\n"


def test_the_newest_session_comes_first_and_every_session_once(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    kept(one, "-w-a", "s-1", 1000)
    newest = kept(two, "-w-b", "s-1", 3000)
    kept(one, "-w-a", "s-2", 2000)
    found = written([one, two, tmp_path / "nowhere", "\0"])
    assert [(entry.session_id, entry.at) for entry in found] == [("s-1", 3000), ("s-2", 2000)]
    assert (found[0].path, found[0].account, found[0].kept_in) == (str(newest), str(two), "-w-b")


@pytest.mark.parametrize("name", ["agent-1", "-1", "--dangerously-skip-permissions", "a b", "x" * 129, ""])
def test_what_is_no_session_is_left_out(tmp_path: Path, name: str) -> None:
    kept(tmp_path, "-w-a", name)
    assert written([tmp_path]) == []
    assert not is_resumable(name)


def test_what_is_no_transcript_is_left_out(tmp_path: Path) -> None:
    kept(tmp_path, "-w-a", "empty", text=b"")
    folder = tmp_path / "projects" / "-w-a"
    (folder / "folder.jsonl").mkdir()
    (folder / "memory.md").touch()
    (folder / "s-1").mkdir()
    (folder.parent / "file").touch()
    if os.name != "nt":
        os.mkfifo(folder / "pipe.jsonl")
        (folder / "nowhere.jsonl").symlink_to("nothing")
    assert written([tmp_path]) == []


def test_a_short_transcript_is_read_as_a_whole(tmp_path: Path) -> None:
    lines = b'{"type":"mode"}\n' + user("/w/a", "first") + user("/w/a/sub", "second")
    title = b'{"type":"ai-title","aiTitle":"Ship it"}\n'
    path = kept(tmp_path, "-w-a", "s-1", text=lines + title + b'{"cwd": "/half')
    assert glance(path) == Glance("/w/a", "/w/a/sub", "Ship it", "second", False)


def test_of_a_long_transcript_the_beginning_and_the_end_are_read(tmp_path: Path) -> None:
    middle = answered("x" * 1000) + b"\n" + user("/w/middle", "middle")
    text = user("/w/a", "first") + middle * (4 * LOOK // len(middle)) + user("/w/b", "last")
    assert len(text) > 3 * LOOK
    found = glance(kept(tmp_path, "-w-a", "s-1", text=text))
    assert (found.first, found.last, found.prompt) == ("/w/a", "/w/b", "last")


@pytest.mark.parametrize("size", range(60, 400, 7))
def test_wherever_the_look_ends_no_half_line_is_read(tmp_path: Path, size: int) -> None:
    text = user("/w/a", "first") + user("/w/a/sub", "second") + user("/w/b", "third")
    found = glance(kept(tmp_path, "-w-a", "s-1", text=text), look=size)
    assert found.first in ("", "/w/a", "/w/a/sub", "/w/b")
    assert found.last in ("", "/w/a", "/w/a/sub", "/w/b")
    if 2 * size >= len(text):
        assert (found.first, found.last, found.prompt) == ("/w/a", "/w/b", "third")


def test_a_run_of_claude_p_is_known(tmp_path: Path) -> None:
    assert glance(kept(tmp_path, "-w-a", "s-1", text=user("/w/a", entrypoint="sdk-cli"))).printed


@pytest.mark.parametrize("text", [b"\xff\xfe\0", b'{"cwd": 7}\n{"cwd": ""}\n', b"[" * 100_000, b"[]\n7\n"])
def test_what_cannot_be_understood_says_nothing(tmp_path: Path, text: bytes) -> None:
    assert glance(kept(tmp_path, "-w-a", "s-1", text=text)).first == ""


def test_half_of_a_character_is_read_as_it_is(tmp_path: Path) -> None:
    assert glance(kept(tmp_path, "-w-a", "s-1", text=b'{"cwd":"\\ud800"}\n')).first == "\ud800"


def test_what_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    assert glance(tmp_path) == Glance()
    assert glance(tmp_path / "nothing") == Glance()
    assert glance("\0") == Glance()


def test_a_title_is_shown_without_its_secrets(tmp_path: Path) -> None:
    title = b'{"type":"custom-title","customTitle":"export API_TOKEN=hunter2secret99"}\n'
    found = glance(kept(tmp_path, "-w-a", "s-1", text=user("/w/a", "export API_TOKEN=hunter2secret99") + title))
    assert "hunter2" not in found.title + found.prompt


@pytest.mark.uncounted
@pytest.mark.long
def test_ten_thousand_transcripts_are_listed_at_once(tmp_path: Path) -> None:
    for number in range(10_000):
        if number % 100 == 0:
            (tmp_path / "projects" / f"-w-{number}").mkdir(parents=True)
        (tmp_path / "projects" / f"-w-{number // 100 * 100}" / f"s-{number}.jsonl").write_bytes(b"{}\n")
    begun = time.process_time()
    assert len(written([tmp_path])) == 10_000
    assert time.process_time() - begun < 1.0, "it takes about 0.08 seconds"
