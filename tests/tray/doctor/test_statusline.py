"""Test that the doctor says whether the statusline is registered, works and is seen."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.desktop.link import Handler
from deskbell.doctor import Check
from deskbell.doctor.hooks import Scene
from deskbell.doctor.statusline import examined, trial
from deskbell.helper import Done
from deskbell.home import home
from deskbell.settings.claude_code import NOT_FOUND
from deskbell.settings.interpreter import stable_interpreter
from deskbell.settings.line_install import install_line
from tests.tray.installing import Machine

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the statusline is run by a POSIX shell here")
OWN = '{"statusLine": {"type": "command", "command": "echo own"}}'


@pytest.fixture
def machine(private_home: Path, deployed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.chdir(tmp_path)
    machine = Machine(private_home)
    machine.has_code(deployed)
    return machine


@pytest.fixture
def scene(machine: Machine, private_home: Path) -> Scene:
    install_line([machine.target], machine.setup, None)
    return Scene(home(), NOT_FOUND, stable_interpreter(), private_home / "managed", (machine.target,))


def found(scene: Scene, opener: Handler | None = None) -> list[tuple[str, str]]:
    return [(check.name.replace(str(Path.home()), "~"), check.verdict) for check in examined(scene, lambda: opener)]


def first(scene: Scene) -> Check:
    return examined(scene, lambda: None)[0]


def test_an_installed_line_is_started_and_timed(scene: Scene) -> None:
    assert first(scene).verdict == "ok"
    assert first(scene).sentence.startswith("It shows a line in ")
    assert found(scene)[1] == ("statusline links", "ok")


def test_no_line_is_no_fault(machine: Machine, private_home: Path) -> None:
    (check,) = examined(Scene(home(), NOT_FOUND, stable_interpreter(), private_home / "managed", (machine.target,)))
    assert (check.name, check.verdict) == ("statusline", "ok")
    assert "`deskbell statusline install`" in check.sentence


BROKEN = [
    ("{}", "bad", "Another program removed it."),
    (OWN, "bad", "Another statusLine took its place."),
    ("{", "bad", "line 1 column 2"),
    ('{"statusLine": 5}', "bad", "not of type"),
]


@pytest.mark.parametrize(("text", "verdict", "said"), BROKEN)
def test_what_happened_to_the_line_is_reported(
    scene: Scene, machine: Machine, text: str, verdict: str, said: str
) -> None:
    machine.write(text)
    assert first(scene).verdict == verdict
    assert said in first(scene).sentence
    assert first(scene).mend


def test_a_line_that_is_switched_off_is_reported(scene: Scene, machine: Machine) -> None:
    text = json.loads(machine.settings.read_text())
    machine.write(json.dumps({**text, "disableAllHooks": True}))
    assert "disableAllHooks" in first(scene).sentence


def test_a_line_of_another_version_is_outdated(scene: Scene, machine: Machine) -> None:
    machine.write(machine.settings.read_text().replace(str(machine.setup.folder), "/old"))
    assert (first(scene).verdict, first(scene).mend) == ("warn", "Run `deskbell statusline install`.")


@pytest.mark.long
def test_a_line_that_does_not_start_shows_nothing_or_is_slow_is_reported(machine: Machine, tmp_path: Path) -> None:
    line = replace(machine.setup.line, main=str(tmp_path / "main.py"))
    assert trial("x", replace(line, python="/no/python")).sentence == "It does not start."
    assert trial("x", line).sentence == "It shows nothing."
    (tmp_path / "main.py").write_text("pass")
    assert trial("x", line).sentence == "It shows nothing."
    (tmp_path / "main.py").write_text("import time; time.sleep(1.1); print('x')")
    assert trial("x", line).verdict == "warn"


def test_a_project_with_a_line_of_its_own_is_reported(scene: Scene, machine: Machine, tmp_path: Path) -> None:
    project = tmp_path / "proj"
    machine.write(OWN, project / ".claude" / "settings.json")
    machine.write(
        json.dumps({"pid": os.getpid(), "cwd": str(project)}), machine.settings.parent / "sessions" / "1.json"
    )
    machine.write('{"cwd": 5}', machine.settings.parent / "sessions" / "2.json")
    machine.write("{", machine.settings.parent / "sessions" / "3.json")
    machine.write(json.dumps({"cwd": "/" + "a" * 300}), machine.settings.parent / "sessions" / "4.json")
    (check,) = [one for one in examined(scene, lambda: None) if one.name == "other statusline"]
    assert check.verdict == "warn"
    file = project / ".claude" / "settings.json"
    assert check.sentence == f"{file} has a statusLine, too. Claude Code shows that one in that project."


def test_the_account_hides_nothing_from_a_session_in_the_folder_that_holds_its_own(
    scene: Scene, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(machine.settings.parents[1])
    assert [check.name for check in examined(scene, lambda: None)][1:] == ["statusline links"]


def test_a_line_of_the_administrator_is_reported_for_every_project(scene: Scene, machine: Machine) -> None:
    file = machine.write(OWN, scene.managed / "managed-settings.json")
    (check,) = [one for one in examined(scene, lambda: None) if one.name == "other statusline"]
    assert check.sentence == f"{file} has a statusLine, too. Claude Code shows that one in every project."


def test_the_links_are_checked(scene: Scene, tmp_path: Path) -> None:
    path = tmp_path / "deskbell-link.desktop"
    path.write_text("x")
    mine = Handler(path, lambda words, seconds: Done(0, f"{path.name}\n"), str)
    others = Handler(path, lambda words, seconds: Done(0, "other.desktop\n"), str)
    assert [found(scene, one)[-1] for one in (mine, others, None)] == [
        ("statusline links", "ok"),
        ("statusline links", "warn"),
        ("statusline links", "ok"),
    ]
