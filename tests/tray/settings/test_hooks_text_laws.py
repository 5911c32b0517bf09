"""Test the laws that hold for every settings file on generated ones: six hundred, or 100,000 with DESKBELL_THOROUGH=1."""

import json
import os
import random

import pytest

from deskbell.settings.hooks_text import compared, has_other_hooks, with_hooks, without_hooks
from deskbell.settings.jsonspans import Item, Value, parse
from deskbell.settings.registration import Wanted, is_ours
from tests.tray.settings_texts import ASKING, OLDER, WANTED, Generator

FILES = 100_000 if os.environ.get("DESKBELL_THOROUGH") else 600
FEW = {event: WANTED[event] for event in ("Stop", "Notification", "PermissionRequest")}
ASK = {**FEW, "PermissionRequest": ASKING["PermissionRequest"]}
"""The same with the asker."""


class Pairs(tuple[tuple[str, object], ...]):
    """An object with its keys in order, duplicates included."""


def foreign(value: object) -> object:
    """Return the value without our handlers and what is empty without them. This does not use the code under test."""
    if isinstance(value, Pairs):
        if is_ours(dict(value)):
            return None
        kept = [(key, foreign(item)) for key, item in value]
        return Pairs(pair for pair in kept if pair[1] is not None) or None
    if isinstance(value, list):
        return [item for item in map(foreign, value) if item is not None] or None
    return ("null",) if value is None else repr(value)


def pairs(text: str) -> object:
    return foreign(json.loads(text.removeprefix("\ufeff").strip() or "{}", object_pairs_hook=Pairs))


def is_kept_within(text: str, longer: str) -> bool:
    """Return whether LONGER holds every character of TEXT in the same order."""
    rest = iter(longer)
    return all(character in rest for character in text)


@pytest.mark.long
@pytest.mark.parametrize("wish", [FEW, ASK], ids=["recorder", "recorder and asker"])
def test_install_keeps_every_other_character_and_uninstall_gives_the_text_back(wish: Wanted) -> None:
    generator = Generator(1)
    for _ in range(FILES):
        text = generator.text()
        installed = with_hooks(text, wish)
        assert pairs(installed) == pairs(text), text
        assert is_kept_within(text, installed), text
        assert without_hooks(installed) == text
        assert with_hooks(installed, wish) == installed
        assert compared(installed, wish).as_wanted
        assert without_hooks(text) == text


@pytest.mark.long
def test_the_asker_comes_and_goes_without_a_trace() -> None:
    """Switched on and off in any order, a text is as if it had always been so; switched off, to the byte."""
    generator, chance = Generator(4), random.Random(4)
    for _ in range(FILES):
        text = generator.text()
        off = with_hooks(text, FEW)
        on = with_hooks(off, ASK)
        assert compared(off, ASK).asker == "missing"
        assert compared(on, ASK).as_wanted
        assert compared(on, FEW).asker == "stray"
        assert compared(on, FEW).missing == compared(on, FEW).stray == ()
        assert pairs(on) == pairs(text), text
        assert is_kept_within(off, on), text
        assert with_hooks(on, FEW) == off, text
        assert with_hooks(with_hooks(text, ASK), FEW) == off, text
        assert without_hooks(on) == text
        assert has_other_hooks(on, "PermissionRequest") == has_other_hooks(text, "PermissionRequest")
        now = text
        for wish in chance.choices((FEW, ASK), k=3):
            now = with_hooks(now, wish)
            assert compared(now, wish).as_wanted
        assert without_hooks(now) == text


@pytest.mark.long
def test_switching_the_asker_keeps_the_edits_made_after_install() -> None:
    generator, chance = Generator(5), random.Random(5)
    for _ in range(FILES):
        off = with_hooks(generator.text(), FEW)
        seed = chance.random()
        on = edited(with_hooks(off, ASK), random.Random(seed))
        assert with_hooks(on, FEW) == edited(off, random.Random(seed)), off


@pytest.mark.long
def test_an_upgrade_leaves_no_trace_of_the_older_entries() -> None:
    generator = Generator(2)
    for _ in range(FILES // 5):
        text = generator.text()
        upgraded = with_hooks(with_hooks(text, OLDER), WANTED)
        assert compared(upgraded, WANTED).as_wanted
        assert without_hooks(upgraded) == text


@pytest.mark.long
def test_uninstall_keeps_the_edits_made_after_install() -> None:
    generator, chance = Generator(3), random.Random(3)
    for _ in range(FILES):
        text = generator.text()
        installed = with_hooks(text, FEW)
        seed = chance.random()
        assert without_hooks(edited(installed, random.Random(seed))) == edited(text, random.Random(seed)), text


def edited(text: str, chance: random.Random) -> str:
    """Edit the text as a person may: change a value, add a member in front or behind, or add a hook after ours."""
    if not text.removeprefix("\ufeff").strip():
        return text
    root = parse(text)
    theirs = [item for item in root.items if item.key != "hooks"]
    edit = chance.choice([change_a_value, add_in_front, add_behind, add_a_hook])
    return edit(text, root, theirs, chance)


def change_a_value(text: str, root: Value, theirs: list[Item], chance: random.Random) -> str:
    if not theirs:
        return text
    value = chance.choice(theirs).value
    return text[: value.start] + '{"changed": [ 1,2 ]}' + text[value.end :]


def add_in_front(text: str, root: Value, theirs: list[Item], chance: random.Random) -> str:
    if not theirs or root.items[0] is not theirs[0]:
        return text
    return text[: root.start + 1] + '"new" : 1,' + text[root.start + 1 :]


def add_behind(text: str, root: Value, theirs: list[Item], chance: random.Random) -> str:
    if not theirs:
        return text
    return text[: root.items[-1].end] + ' , "new": 1' + text[root.items[-1].end :]


def add_a_hook(text: str, root: Value, theirs: list[Item], chance: random.Random) -> str:
    hooks = [item for item in root.items if item.key == "hooks"]
    stops = [item for item in hooks[-1].value.items if item.key == "Stop"] if hooks else []
    if not stops or not stops[-1].value.items or "theirs" in text or has_only_ours(text, stops[-1].value):
        return text
    end = stops[-1].value.items[-1].end
    return text[:end] + ', {"hooks":[]}' + text[end:]


def has_only_ours(text: str, groups: Value) -> bool:
    return all("deskbell_hooks" in text[item.start : item.end] for item in groups.items)
