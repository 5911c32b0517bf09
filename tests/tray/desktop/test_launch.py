"""Test that other programs are started as the person would start them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.desktop import launch
from deskbell.errors import Problem
from tests.waiting import wait


def test_a_started_program_is_no_child_of_claude_code() -> None:
    inherited = {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli", "AI_AGENT": "x", "HOME": "/home/me"}
    assert launch.environment(inherited) == {"HOME": "/home/me"}


@pytest.mark.skipif(os.name == "nt", reason="the clipboard programs of X11 and Wayland")
def test_a_text_goes_to_the_clipboard_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "xclip"
    program.write_text(f'#!/bin/sh\n/bin/cat > "{tmp_path}/held"\necho "$@" > "{tmp_path}/options"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    launch.copy("cd /srv/api && claude --resume a1")
    assert (tmp_path / "held").read_text() == "cd /srv/api && claude --resume a1"
    assert (tmp_path / "options").read_text() == "-selection clipboard\n"


@pytest.mark.skipif(os.name == "nt", reason="the clipboard programs of X11 and Wayland")
def test_a_clipboard_program_that_fails_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "xclip"
    program.write_text("#!/bin/sh\necho cannot open display >&2; exit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Problem, match="xclip could not fill the clipboard"):
        launch.copy("cd /srv/api && claude --resume a1")


@pytest.mark.skipif(os.name == "nt", reason="the clipboard programs of X11 and Wayland")
def test_a_clipboard_program_stays_to_serve_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "xclip"
    go, served = tmp_path / "go", tmp_path / "served"
    program.write_text(f"#!/bin/sh\n(until [ -e {go} ]; do sleep 0.01; done; touch {served}) &\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    launch.copy("text")
    go.touch()
    wait(served.exists)


@pytest.mark.skipif(os.name == "nt", reason="the clipboard programs of X11 and Wayland")
@pytest.mark.parametrize(
    ("effect", "said"),
    [(lambda: launch.copy("x"), "xclip"), (lambda: launch.show(Path("log")), "is not installed. Open")],
    ids=["clipboard", "file"],
)
def test_a_missing_program_is_a_problem(effect: Callable[[], None], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Problem, match=said):
        effect()


@pytest.mark.skipif(os.name == "nt", reason="the clipboard programs of X11 and Wayland")
def test_the_program_for_the_clipboard_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert launch.clipboard_program() is None
    (tmp_path / "xsel").write_text("")
    (tmp_path / "xsel").chmod(0o755)
    assert launch.clipboard_program() == "xsel"


def test_a_text_that_acts_where_it_is_pasted_is_not_copied() -> None:
    with pytest.raises(
        Problem, match=r"^The text has control characters, which act on a terminal\. It is not copied\.$"
    ):
        launch.copy("cd '/srv/\x1b[201~\n'")
