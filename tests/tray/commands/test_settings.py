"""Test the options, the targets and the consent that the commands on settings files share."""

import argparse
from pathlib import Path

import pytest

from deskbell.commands._settings import add_arguments, add_consent, agreed, selected
from deskbell.errors import Problem
from deskbell.home import claude_dir, home
from deskbell.settings.settings_file import Change
from tests.tray.installing import Machine

PATH = Path("/home/zoë/settings.json")


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    add_consent(parser)
    return parser.parse_args(words)


def places(*words: str) -> list[Path]:
    return [target.path for target in selected(parsed(*words), home().config, None)]


def test_without_a_name_every_known_file_is_meant_and_that_of_this_environment(private_home: Path) -> None:
    assert places() == [claude_dir() / "settings.json"]
    assert places("--scope", "user") == [claude_dir() / "settings.json"]


def test_a_project_is_the_current_folder_or_the_named_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "web").mkdir()
    monkeypatch.chdir(tmp_path)

    assert places("--scope", "project") == [tmp_path / ".claude" / "settings.json"]
    assert places("--project", "web") == [tmp_path / "web" / ".claude" / "settings.json"]
    assert places("--project", "web", "--scope", "local") == [tmp_path / "web" / ".claude" / "settings.local.json"]


@pytest.mark.parametrize("option", ["--project", "--config-dir"])
def test_a_folder_that_does_not_exist_or_is_a_file_is_refused(option: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("typo", "file"):
        with pytest.raises(Problem, match=rf"{name} is not a folder\. Name the folder"):
            places(option, str(tmp_path / name))


def test_several_accounts_are_named_one_by_one(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()

    found = places("--config-dir", str(tmp_path / "a"), "--config-dir", str(tmp_path / "b"))

    assert found == [tmp_path / "a" / "settings.json", tmp_path / "b" / "settings.json"]


def test_consent_is_not_asked_for_where_nothing_changes_or_yes_was_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert agreed([Change(PATH, b"a", b"a")], parsed())
    assert agreed([Change(PATH, b"a", b"b")], parsed("--yes"))
    assert capsys.readouterr().out == ""


def test_a_dry_run_shows_the_change_and_refuses_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert not agreed([Change(PATH, b"a\n", b"b\n")], parsed("--dry-run", "--yes"))
    assert "-a\n+b\n" in capsys.readouterr().out


@pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in for the client is a shell script")
@pytest.mark.parametrize("verb", ["install", "uninstall", "status", "restore", "doctor", "autostart"])
def test_every_line_of_help_is_short_and_says_what_the_option_does(tmp_path: Path, verb: str) -> None:
    machine = Machine(tmp_path)
    machine.env["COLUMNS"] = "400"

    shown = machine.run(verb, "--help")

    assert shown.returncode == 0
    ends = [line.split("  ")[-1].strip() for line in shown.stdout.splitlines() if line.startswith("  ")]
    helps = [end for end in ends if not end.startswith(("-", "{"))]
    assert helps
    assert [text for text in helps if len(text) > 100 or not text[0].islower()] == []
