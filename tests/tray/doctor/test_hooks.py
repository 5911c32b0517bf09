"""Every link of the chain, broken one at a time."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.doctor.hooks import CHECKS, Scene, examined
from deskbell.home import home
from deskbell.settings.claude_code import ClaudeCode
from deskbell.settings.install import install
from deskbell.settings.interpreter import stable_interpreter
from deskbell.settings.targets import Target
from tests.tray.installing import Machine

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the hook is run by a POSIX shell here")


@pytest.fixture
def scene(private_home: Path) -> Scene:
    """All whole: installed, run once, and the client has been here."""
    machine = Machine(private_home)
    install([machine.target], machine.setup)
    machine.fire("SessionStart")
    machine.write(json.dumps({"pid": os.getpid()}), private_home / ".claude" / "sessions" / "1.json")
    client = ClaudeCode(Path("/usr/bin/claude"), (2, 1, 326))
    return Scene(home(), client, stable_interpreter(), private_home / "managed", (machine.target,), slow=60)


def not_ok(scene: Scene) -> list[tuple[str, str]]:
    return [(check.name.split()[0], check.verdict) for check in examined(scene) if check.verdict != "ok"]


def test_a_whole_chain_is_ok(scene: Scene) -> None:
    assert not_ok(scene) == []
    assert len(examined(scene)) == len(CHECKS)


def test_what_is_not_ok_says_how_to_mend_it(scene: Scene) -> None:
    shutil.rmtree(scene.home.data)
    scene.targets[0].path.write_text("{")

    bad = [check for check in examined(scene) if check.verdict != "ok"]

    assert bad
    assert all(check.mend for check in bad)


def without_client(scene: Scene) -> Scene:
    return replace(scene, client=None)


def with_sessions_only(scene: Scene) -> Scene:
    return replace(scene, client=ClaudeCode(None, (2, 1, 326)))


def without_interpreter(scene: Scene) -> Scene:
    return replace(scene, interpreter=None)


def with_policy(scene: Scene) -> Scene:
    scene.managed.mkdir()
    (scene.managed / "managed-settings.json").write_text('{"disableAllHooks": true}')
    return scene


def disabled(scene: Scene) -> Scene:
    path = scene.targets[0].path
    path.write_text(path.read_text().replace("{", '{"disableAllHooks": true,', 1))
    return scene


def overwritten(scene: Scene) -> Scene:
    scene.targets[0].path.write_text("{}")
    return scene


def elsewhere_too(scene: Scene) -> Scene:
    other = Target(scene.home.state.parent / "other" / "settings.json")
    return replace(scene, targets=(*scene.targets, other))


def slow(scene: Scene) -> Scene:
    return replace(scene, slow=0)


def without_code(scene: Scene) -> Scene:
    shutil.rmtree(scene.home.data)
    return scene


def without_compiled_code(scene: Scene) -> Scene:
    for cache in scene.home.data.rglob("__pycache__"):
        shutil.rmtree(cache)
    return scene


def open_to_others(scene: Scene) -> Scene:
    scene.home.state.chmod(0o755)
    return scene


def file_as_state_folder(scene: Scene) -> Scene:
    shutil.rmtree(scene.home.state)
    scene.home.state.write_text("")
    return scene


def strange_registry(scene: Scene) -> Scene:
    (scene.targets[0].path.parent / "sessions" / "2.json").write_text('{"other": 1}')
    return scene


def without_registry(scene: Scene) -> Scene:
    shutil.rmtree(scene.targets[0].path.parent / "sessions")
    return scene


BROKEN: list[tuple[Callable[[Scene], Scene], list[tuple[str, str]]]] = [
    (without_client, [("client", "warn"), ("settings", "warn")]),
    (with_sessions_only, [("client", "warn")]),
    (without_interpreter, [("interpreter", "bad")]),
    (with_policy, [("policy", "bad")]),
    (disabled, [("settings", "bad")]),
    (overwritten, [("settings", "bad")]),
    (elsewhere_too, [("settings", "bad")]),
    (without_code, [("hook", "bad"), ("hook", "bad")]),
    (without_compiled_code, [("hook", "warn")]),
    (slow, [("hook", "warn")]),
    (open_to_others, [("state", "warn")]),
    (file_as_state_folder, [("state", "bad")]),
    (strange_registry, [("registry", "warn")]),
    (without_registry, [("registry", "warn")]),
]


@pytest.mark.parametrize(("broken", "expected"), BROKEN, ids=lambda row: getattr(row, "__name__", ""))
def test_a_broken_link_is_found(
    scene: Scene, broken: Callable[[Scene], Scene], expected: list[tuple[str, str]]
) -> None:
    assert not_ok(broken(scene)) == expected
