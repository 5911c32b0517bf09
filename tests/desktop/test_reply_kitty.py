"""Test replies to stand-in clients in two windows of a real kitty: each text arrives in its window, to the byte."""

import json
import os
import sys
from pathlib import Path

import pytest

from deskbell.answers.prompt import typed_text
from deskbell.desktop.jump.spot import spot
from deskbell.desktop.reply import carrier
from deskbell.desktop.reply.carrier import Carrier
from deskbell.errors import Problem
from tests.desktop.desktop import Desktop
from tests.desktop.terminals import missing
from tests.tray.desktop.reply.clients import STAND_IN
from tests.waiting import wait

TEXTS = ("hello kitty", "one\ntwo\n  three", " !echo $HOME \\", "x" * 3000, "é 日本 👩‍👩‍👧")


@pytest.fixture
def windows(fragile: Desktop) -> list[Path]:
    """The folders of two clients, in two windows of one tab."""
    if absent := missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"terminals are missing: {', '.join(absent)}")
    folders = [fragile.root / "one", fragile.root / "other"]
    for folder in folders:
        folder.mkdir()
    session = fragile.root / "kitty.session"
    session.write_text("".join(f"launch {sys.executable} -S {STAND_IN} {folder}\n" for folder in folders))
    options = ("allow_remote_control=yes", "update_check_interval=0", "enabled_layouts=tall")
    words = [word for option in options for word in ("-o", option)]
    fragile.env |= {"LIBGL_ALWAYS_SOFTWARE": "1"}
    listens = ("--listen-on", f"unix:{fragile.root / 'kitty.socket'}")
    fragile.start("kitty", *words, "--config", "NONE", *listens, "--session", str(session))
    wait(lambda: all((folder / "pid").exists() for folder in folders), "the clients")
    return folders


def way_to(folder: Path) -> Carrier:
    there = spot(int((folder / "pid").read_text()))
    assert there
    return carrier(there)


def typed(way: Carrier) -> str | None:
    seen = way.look()
    return typed_text(seen.lines, seen.cursor)


def prompts(folder: Path) -> list[str]:
    file = folder / "prompts"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def put(folder: Path, text: str) -> None:
    way, before = way_to(folder), len(prompts(folder))
    wait(lambda: typed(way) == "", "an empty prompt")
    way.paste(text, way.look())
    wait(lambda: typed(way), "the text in the prompt")
    way.enter(way.look())
    wait(lambda: len(prompts(folder)) > before, "the prompt")


def test_each_text_arrives_in_its_window(windows: list[Path]) -> None:
    assert [way_to(folder).what for folder in windows] == ["kitty window 1", "kitty window 2"]
    for number, text in enumerate(TEXTS):
        put(windows[number % 2], text)
    assert [tuple(prompts(folder)) for folder in windows] == [TEXTS[::2], TEXTS[1::2]]


def test_nothing_is_pasted_and_no_key_is_pressed_once_something_stands_in_the_prompt(windows: list[Path]) -> None:
    way = way_to(windows[0])
    wait(lambda: typed(way) == "", "an empty prompt")
    seen = way.look()
    way_to(windows[0]).paste("half", seen)
    wait(lambda: typed(way) == "half", "half a sentence")
    for deed in (lambda: way.paste("more", seen), lambda: way.enter(seen)):
        with pytest.raises(Problem, match="meanwhile"):
            deed()
    assert typed(way) == "half"
    assert prompts(windows[0]) == []
