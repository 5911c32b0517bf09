"""Test that the doctor finds each link from Claude Code to the records when it is broken."""

import contextlib
import errno
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.doctor import Check
from deskbell.doctor.hooks import CHECKS, Scene, examined, free_bytes, registry, state_folder
from deskbell.home import home
from deskbell.settings import deploy
from deskbell.settings.claude_code import NOT_FOUND, ClaudeCode
from deskbell.settings.install import install
from deskbell.settings.interpreter import stable_interpreter
from deskbell.settings.targets import Target
from tests.faults.injector import failing
from tests.tray.installing import Machine

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="the hook is run by a POSIX shell here")


@pytest.fixture
def scene(private_home: Path, deployed: Path) -> Scene:
    """A whole chain: the hooks are installed and have run, and Claude Code has written its registry."""
    machine = Machine(private_home)
    machine.has_code(deployed)
    install([machine.target], machine.setup)
    machine.fire("SessionStart")
    machine.write(json.dumps({"pid": os.getpid()}), private_home / ".claude" / "sessions" / "1.json")
    client = ClaudeCode(Path("/usr/bin/claude"), (2, 1, 326))
    managed = private_home / "managed"
    whole = Scene(home(), client, stable_interpreter(), managed, (machine.target,))
    return replace(whole, slow=60, runs=1, free=lambda _: 10**9)


def not_ok(scene: Scene) -> list[tuple[str, str]]:
    return faults(examined(scene))


def faults(found: list[Check]) -> list[tuple[str, str]]:
    return [(check.name.split()[0], check.verdict) for check in found if check.verdict != "ok"]


def test_a_whole_chain_is_ok(scene: Scene) -> None:
    assert not_ok(scene) == []
    assert len(examined(scene)) == len(CHECKS)


def without_client(scene: Scene) -> Scene:
    return replace(scene, client=NOT_FOUND)


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


def with_broken_memory(scene: Scene) -> Scene:
    (scene.home.config / "claude.json").write_text("[")
    return scene


def with_little_space(scene: Scene) -> Scene:
    return replace(scene, free=lambda _: 49_999_999)


def with_a_full_disk(scene: Scene) -> Scene:
    return replace(scene, free=lambda _: 999_999)


def with_a_hook_that_hangs_up(scene: Scene) -> Scene:
    main = deploy.main_file(next((scene.home.data / "hooks").iterdir()))
    main.write_text("raise SystemExit(0)")
    return scene


def deep_registry(scene: Scene) -> Scene:
    path = scene.targets[0].path.parent / "sessions" / "2.json"
    path.write_text('{"pid": ' + "[" * 100_000 + "]" * 100_000 + "}")
    return scene


def huge_registry(scene: Scene) -> Scene:
    (scene.targets[0].path.parent / "sessions" / "2.json").write_text('{"pid": 1e400}')
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
    (with_broken_memory, [("known", "bad"), ("settings", "bad")]),
    (with_little_space, [("disk", "warn")]),
    (with_a_full_disk, [("disk", "bad")]),
    (with_a_hook_that_hangs_up, [("hook", "bad"), ("hook", "bad")]),
    (deep_registry, [("registry", "warn")]),
    (huge_registry, [("registry", "warn")]),
    (strange_registry, [("registry", "warn")]),
    (without_registry, [("registry", "warn")]),
]


@pytest.mark.parametrize(("broken", "expected"), BROKEN, ids=lambda row: getattr(row, "__name__", ""))
def test_a_broken_link_is_found_and_reported_in_a_sentence_with_its_remedy(
    scene: Scene, broken: Callable[[Scene], Scene], expected: list[tuple[str, str]]
) -> None:
    found = examined(broken(scene))

    assert faults(found) == expected
    assert [check for check in found if not check.sentence.endswith(".")] == []
    assert [check for check in found if (check.mend == "") != (check.verdict == "ok")] == []


def test_before_the_first_event_the_state_folder_need_not_exist(scene: Scene) -> None:
    shutil.rmtree(scene.home.state)

    assert not_ok(scene) == []


def test_a_registry_file_that_vanishes_during_the_check_is_no_fault(scene: Scene) -> None:
    (scene.targets[0].path.parent / "sessions" / "2.json").symlink_to("gone")

    assert not_ok(scene) == []


@pytest.fixture
def full_disk(scene: Scene, tmp_path: Path) -> Iterator[Scene]:
    """The state folder on a disk without a free byte."""
    state = scene.home.state
    shutil.rmtree(state)
    state.mkdir(mode=0o700)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", state], check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        with contextlib.suppress(OSError), (state / "filler").open("wb") as file:
            while True:
                file.write(b"x" * 4096)
                file.flush()
        yield replace(scene, free=free_bytes)
    finally:
        subprocess.run(["umount", state], check=True)


@pytest.mark.skipif("sys.platform != 'linux' or os.getuid() != 0", reason="only root can mount a file system")
def test_a_state_folder_on_a_full_disk_is_not_called_writable(full_disk: Scene) -> None:
    assert not_ok(full_disk) == [("state", "bad"), ("disk", "bad")]
    [state, disk] = [check for check in examined(full_disk) if check.verdict != "ok"]
    assert state.sentence == f"Cannot write to {full_disk.home.state}: No space left on device."
    assert disk.sentence == f"The disk of {full_disk.home.state} is full."
    assert os.listdir(full_disk.home.state) == ["filler"]


def test_a_registry_that_cannot_be_listed_is_not_called_one_that_was_never_written(scene: Scene) -> None:
    with failing("os.listdir", errno.EACCES):
        (found,) = registry(scene)
    assert (found.verdict, found.sentence) == (
        "warn",
        "Cannot list it: Permission denied. What hooks do not report is only inferred.",
    )


@pytest.mark.parametrize("number", [0, 1])
def test_a_state_folder_that_cannot_be_examined_at_once_is_tried(scene: Scene, number: int) -> None:
    with failing("os.stat", errno.EACCES, number):
        (found,) = state_folder(scene)
    assert found.sentence.endswith("is writable and private, and records 1 sessions.")
