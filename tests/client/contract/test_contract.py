"""Test that the facts are looked at on the real client, and what the command does with what it sees."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.client.claude import Claude
from tests.client.contract.__main__ import main, played
from tests.client.contract.facts import FACTS
from tests.client.contract.judge import FAILS, HOLDS, judged
from tests.client.contract.scenes import SCENES
from tests.client.contract.seen import Run, parsed, written
from tests.client.contract.watched import Act, Scene, watched

RECORDED = Path(__file__).parents[2] / "fixtures" / "contract.jsonl"
SHORT = ("turns", "refusals", "errors")
"""The scenes that are played with every suite. `make contract` plays all."""
MOST = 30
"""How many facts rest on those scenes alone."""


def recorded(scene: Scene) -> Run:
    run = parsed(RECORDED.read_text(encoding="utf-8"))
    return Run(part for part in run.parts.values() if part.scene == scene.name)


def without_hooks(run: Run) -> Run:
    return Run(replace(part, hooks=()) for part in run.parts.values())


def test_a_scene_in_which_a_fact_does_not_hold_is_played_again_alone() -> None:
    plays: list[str] = []

    def play(scene: Scene) -> Run:
        plays.append(scene.name)
        return without_hooks(recorded(scene)) if plays == ["ends"] else recorded(scene)

    ends = next(scene for scene in SCENES if scene.name == "ends")
    run = played([ends], play)
    assert plays == ["ends", "ends"]
    assert run["SIGTERM"].fired == "SessionEnd"


def test_a_scene_that_breaks_off_is_played_again_alone() -> None:
    plays: list[str] = []

    def play(scene: Scene) -> Run:
        plays.append(scene.name)
        trouble = "no prompt came" if plays == ["ends"] else ""
        return Run(replace(part, trouble=trouble) for part in recorded(scene).parts.values())

    ends = next(scene for scene in SCENES if scene.name == "ends")
    assert played([ends], play).whole
    assert plays == ["ends", "ends"]


def test_scenes_whose_facts_hold_are_played_once() -> None:
    plays: list[str] = []

    def play(scene: Scene) -> Run:
        plays.append(scene.name)
        return recorded(scene)

    played(SCENES, play)
    assert sorted(plays) == sorted(scene.name for scene in SCENES)


def test_an_earlier_run_is_compared_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(RECORDED)]) == 0
    assert f"{len(FACTS)} holds, 0 no longer holds" in capsys.readouterr().out
    other = tmp_path / "2.1.999.jsonl"
    other.write_text(written(without_hooks(parsed(RECORDED.read_text(encoding="utf-8")))), encoding="utf-8")
    assert main([str(other)]) == 1
    said = capsys.readouterr().out
    assert "Claude Code 2.1.999" in said
    assert "No longer holds: A plain turn fires UserPromptSubmit, then Stop.\n    hooks/deskbell_hooks/fold.py" in said


def test_a_part_that_breaks_off_is_not_followed_by_the_others(claude: Claude) -> None:
    def fail(stage: object) -> None:
        raise AssertionError("no prompt came\nwithin 30 s")

    parts = watched(Scene("breaks", (Act("first", (fail,)), Act("second", ()))), claude)
    assert [(part.name, part.trouble) for part in parts] == [
        ("first", "first: no prompt came"),
        ("second", "first: no prompt came"),
    ]


def test_the_facts_of_a_few_scenes_hold_on_the_real_client(accounts: Callable[..., Claude]) -> None:
    run = played([scene for scene in SCENES if scene.name in SHORT], lambda scene: Run(watched(scene, accounts())))
    found = judged(FACTS, run)
    assert [part.trouble for part in run.parts.values() if part.trouble] == []
    assert [one for one in found if one.verdict == FAILS] == []
    assert len([one for one in found if one.verdict == HOLDS]) >= MOST
