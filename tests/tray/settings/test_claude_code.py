"""Test how the installed client and its version are found."""

import time
from pathlib import Path

import pytest

from deskbell.home import home
from deskbell.settings.claude_code import (
    PATIENCE,
    ClaudeCode,
    ask,
    first_answering,
    installed_client,
    registry_entry,
    version_in,
    version_of_sessions,
)
from deskbell.settings.registration import Version

ANSWER = '#!/bin/sh\necho "2.1.7 (Claude Code)"\n'

posix = pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in for the client is a shell script")


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.1.326 (Claude Code)\n", (2, 1, 326)),
        ("1.0.54 (Claude Code)", (1, 0, 54)),
        ("2.1.326-beta.1 (Claude Code)", (2, 1, 326)),
        ("A newer version is available\n2.2.0 (Claude Code)", (2, 2, 0)),
        ("claude 3.5", None),
        ("1.2.3", None),
        ("", None),
    ],
)
def test_the_version_is_read_from_the_answer_of_the_client(text: str, version: Version | None) -> None:
    assert version_in(text) == version


def test_the_first_client_that_answers_counts(tmp_path: Path) -> None:
    broken, good, other = (tmp_path / name for name in ("broken", "good", "other"))
    for path in (broken, good, other):
        path.touch()
    answers = {broken: None, good: (2, 1, 3), other: (1, 0, 0)}

    assert first_answering([tmp_path / "gone", broken, good, other], answers.get) == ClaudeCode(good, (2, 1, 3))
    assert first_answering([tmp_path / "gone", broken], answers.get) == ClaudeCode(None, None, broken)
    assert first_answering([tmp_path / "gone"], answers.get) == ClaudeCode(None, None)


def test_a_client_is_asked_once_by_whatever_path_it_is_found(tmp_path: Path) -> None:
    (tmp_path / "claude").touch()
    (tmp_path / "link").symlink_to("claude")
    asked: list[Path] = []
    paths = [tmp_path / "link", tmp_path / "claude", tmp_path / "link"]
    assert first_answering(paths, asked.append) == ClaudeCode(None, None, tmp_path / "link")
    assert asked == [tmp_path / "link"]


SILENT = {"it hangs": "exec sleep 600", "it prints without end": "exec yes 2.1.7"}


@posix
@pytest.mark.long
@pytest.mark.parametrize("code", SILENT.values(), ids=SILENT)
def test_a_client_that_does_not_answer_is_ended_once_and_named(tmp_path: Path, code: str) -> None:
    client, asked = tmp_path / "claude", tmp_path / "asked"
    client.write_text(f'#!/bin/sh\necho x >> "{asked}"\n{code}\n')
    client.chmod(0o700)

    found = [first_answering([client], ask) for _ in range(2)]

    assert [one.missing for one in found] == [f"{client} does not answer"] * 2
    assert asked.read_text() == "x\n"


@posix
def test_a_client_is_asked_again_once_it_was_updated(tmp_path: Path) -> None:
    client, asked = tmp_path / "claude", tmp_path / "asked"
    client.write_text(f'#!/bin/sh\necho x >> "{asked}"\necho "2.1.3 (Claude Code)"\n')
    client.chmod(0o700)
    assert [ask(client), ask(client)] == [(2, 1, 3)] * 2
    assert asked.read_text() == "x\n"
    client.write_text('#!/bin/sh\necho "2.1.40 (Claude Code)"\n')

    assert ask(client) == (2, 1, 40)


@posix
def test_a_client_in_a_known_place_is_found_without_a_path(private_home: Path) -> None:
    client = private_home / ".local" / "bin" / "claude"
    client.parent.mkdir(parents=True)
    client.write_text('#!/bin/sh\necho "2.1.7 (Claude Code)"\n')
    client.chmod(0o700)

    found = installed_client(home().config)

    assert found.path is not None
    assert found.path.name == "claude"


@posix
def test_a_client_finds_the_node_beside_it(tmp_path: Path) -> None:
    for name, text in {"claude": "#!/usr/bin/env node-of-the-test\n", "node-of-the-test": ANSWER}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o700)

    assert ask(tmp_path / "claude") == (2, 1, 7)


def test_without_a_client_the_oldest_version_of_its_sessions_counts(tmp_path: Path) -> None:
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    for name, text in {
        "1": '{"version": "2.1.300"}',
        "2": '{"version": "2.1.40"}',
        "3": "{",
        "4": "[]",
        "5": "{}",
    }.items():
        (sessions / f"{name}.json").write_text(text)

    assert version_of_sessions([tmp_path / "none", tmp_path]) == (2, 1, 40)
    assert version_of_sessions([tmp_path / "none"]) is None


@posix
def test_a_client_that_fails_has_no_version(tmp_path: Path) -> None:
    client = tmp_path / "claude"
    client.write_text('#!/bin/sh\necho "2.1.7 (Claude Code)"; exit 1\n')
    client.chmod(0o700)

    assert ask(client) is None


ODD: dict[str, str] = {
    "a child holds its output open": 'sleep 600 & echo "2.1.7 (Claude Code)"',
    "its output is not UTF-8": 'printf "\\377\\n2.1.7 (Claude Code)\\n"',
}


@posix
@pytest.mark.parametrize("code", ODD.values(), ids=ODD)
def test_a_client_that_answers_in_an_odd_way_has_its_version_at_once(tmp_path: Path, code: str) -> None:
    client = tmp_path / "claude"
    client.write_text(f"#!/bin/sh\n{code}\n")
    client.chmod(0o700)

    begun = time.monotonic()
    assert ask(client) == (2, 1, 7)
    assert time.monotonic() - begun < PATIENCE / 2


@posix
@pytest.mark.skipif(Path("/usr/local/bin/claude").exists(), reason="Claude Code is installed here for everybody")
def test_without_a_client_anywhere_its_sessions_name_the_version(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert installed_client(home().config) == ClaudeCode(None, None)
    sessions = private_home / ".claude" / "sessions"
    sessions.mkdir(parents=True)
    (sessions / "1.json").write_text('{"version": "2.1.300"}')

    found = installed_client(home().config)

    assert found == ClaudeCode(None, (2, 1, 300))
    assert found.name == "2.1.300"


BROKEN = {
    "nested too deeply": "[" * 100_000 + "]" * 100_000,
    "a list": "[]",
    "no JSON": "{",
    "no UTF-8": "\udcff",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_registry_entry_that_is_not_an_object_is_a_value_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "1.json").write_bytes(text.encode("utf-8", "surrogateescape"))

    with pytest.raises(ValueError, match=r"."):
        registry_entry(tmp_path / "1.json")


def test_a_version_of_thousands_of_digits_is_no_version() -> None:
    assert version_in("9" * 5000 + ".1.1 (Claude Code)") is None
