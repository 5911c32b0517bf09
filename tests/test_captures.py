"""Test that the recorded runs are whole and in order, and hold nothing of the machine that they were made on."""

import re

import pytest

from tests.captures import FOLDER, Hook, RegistryChange, names, steps


@pytest.mark.parametrize("name", names())
def test_a_capture_is_in_the_order_of_time_and_names_the_client_of_every_hook(name: str) -> None:
    run = list(steps(name))
    assert [s.at for s in run] == sorted(s.at for s in run)
    assert all(s.env["CLAUDE_PID"] for s in run if isinstance(s, Hook))


@pytest.mark.parametrize("name", names())
def test_no_session_file_is_seen_before_it_is_written(name: str) -> None:
    written = [s for s in steps(name) if isinstance(s, RegistryChange) and s.content and "updatedAt" in s.content]
    assert written
    assert all(s.at >= s.content["updatedAt"] / 1000 - 0.001 for s in written if s.content)


def test_captures_hold_no_secret_and_no_name_of_a_machine() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.jsonl"))
    assert not re.search(r"<[A-Z_]+>|MESSAGING_TOKEN|(?<!user)/tmp/|/root|messagingSocket", text)
