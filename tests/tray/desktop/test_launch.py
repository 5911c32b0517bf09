"""Test that other programs are started as the person would start them."""

import os
from pathlib import Path

import pytest

from deskbell.desktop import launch
from deskbell.errors import Problem


def test_a_started_program_is_no_child_of_claude_code() -> None:
    inherited = {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli", "AI_AGENT": "x", "HOME": "/home/me"}
    assert launch.environment(inherited) == {"HOME": "/home/me"}


@pytest.mark.skipif(os.name == "nt", reason="the system itself opens files there")
def test_a_missing_program_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Problem, match=r"is not installed\. Open"):
        launch.show(Path("log"))
