"""Test that the settings which hide Deskbell's statusline are named."""

from pathlib import Path

import pytest

from deskbell.settings.line_override import overriding

LINE = '{"statusLine": {"type": "command", "command": "x"}}'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "proj" / ".claude").mkdir(parents=True)
    return tmp_path / "proj"


def test_a_statusline_of_a_project_and_of_the_administrator_are_found(project: Path, tmp_path: Path) -> None:
    managed = tmp_path / "managed"
    managed.mkdir()
    (managed / "managed-settings.json").write_text(LINE)
    for name in ("settings.json", "settings.local.json"):
        (project / ".claude" / name).write_text(LINE)
    assert overriding([project, project], managed, []) == [
        managed / "managed-settings.json",
        project / ".claude" / "settings.json",
        project / ".claude" / "settings.local.json",
    ]


@pytest.mark.parametrize("text", ["{}", "", "{", '{"statusLine": 5}', "[]"])
def test_a_file_without_one_or_that_is_not_understood_hides_nothing(project: Path, text: str) -> None:
    (project / ".claude" / "settings.json").write_text(text)
    assert overriding([project, Path("/no/such/folder")], project, []) == []


def test_the_file_of_an_account_hides_nothing_in_the_project_that_holds_it(project: Path, tmp_path: Path) -> None:
    shared, local = (project / ".claude" / name for name in ("settings.json", "settings.local.json"))
    for path in (shared, local):
        path.write_text(LINE)
    link = tmp_path / "link"
    link.symlink_to(project)
    assert overriding([project], tmp_path, [link / ".claude" / "settings.json"]) == [local]
    assert overriding([link], tmp_path, [shared]) == [link / ".claude" / "settings.local.json"]
    assert overriding([project], tmp_path, [tmp_path / "settings.json"]) == [shared, local]
