"""Test that a window which the tray has opened stays until the person has read what went wrong."""

import argparse
import io
import os

import pytest

from deskbell.commands._held import arguments, held
from deskbell.errors import Problem
from tests.tray.commands.said import Out


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    arguments(parser)
    return parser.parse_args(words)


def fails(_: argparse.Namespace) -> int:
    raise Problem("There is no such thing.")


def test_a_window_stays_open_after_a_problem(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert held(fails, parsed("--hold")) == 1
    out = capsys.readouterr()
    assert out.err == "deskbell: There is no such thing.\n"
    assert out.out == "Press Enter to close this window. "


def test_elsewhere_a_problem_is_left_to_the_command() -> None:
    with pytest.raises(Problem, match="no such thing"):
        held(fails, parsed())


def test_the_folders_of_the_tray_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DESKBELL_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.setenv(name, "/before")

    def run(_: argparse.Namespace) -> int:
        assert (os.environ["DESKBELL_HOME"], os.environ["CLAUDE_CONFIG_DIR"]) == ("/srv/home", "/srv/claude")
        return 7

    assert held(run, parsed("--home", "/srv/home", "--claude", "/srv/claude")) == 7
