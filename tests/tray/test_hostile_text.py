"""Test that no command prints what acts on a terminal, whatever files, names and arguments hold."""

import json
import os
import sys
import time
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.home import claude_dir, home
from deskbell.notices import decisions
from deskbell.notices.decisions import Decision
from tests.tray.commands.said import running
from tests.tray.journals import line

HOSTILE = "web\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u202e\u2066\rforged"
CALLS = (
    ("list",),
    ("list", "--json"),
    ("list", "--all"),
    ("board", "--once", "--all"),
    ("board", HOSTILE),
    ("show", "a1"),
    ("show", "a1", "--json"),
    ("show", HOSTILE),
    ("events",),
    ("events", "--json"),
    ("events", "--since", HOSTILE),
    ("prune", "--dry-run"),
    ("autostart", "status"),
    ("autostart", HOSTILE),
    ("install", "--dry-run"),
    ("install", "--dry-run", "--project", HOSTILE),
    ("install", "--dry-run", "--config-dir", HOSTILE),
    ("uninstall", "--dry-run"),
    ("status",),
    ("status", "--json"),
    ("doctor",),
    ("doctor", "--json"),
    ("restore",),
    ("config", "show"),
    ("config", "set", f"rings.{HOSTILE}", "1"),
    ("mute", HOSTILE),
    ("mute", "--project", HOSTILE),
    ("mute",),
    ("unmute", HOSTILE),
    ("snooze", HOSTILE),
    ("why",),
    ("why", HOSTILE),
    ("why", "--json"),
    ("--help",),
    (HOSTILE,),
    ("list", f"--{HOSTILE}"),
)


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put HOSTILE into every file that others write, and into names of files and folders."""
    places = home()
    for folder in (places.events, places.config, claude_dir()):
        folder.mkdir(parents=True)
    running("a1b2c3d4", f"/srv/{HOSTILE}", os.getpid(), monkeypatch)
    told = line("UserPromptSubmit", 1, prompt=HOSTILE, tool=HOSTILE, subject=HOSTILE)
    (places.events / "a1b2c3d4.jsonl").write_bytes(told + b"\n")
    (places.events / f"{HOSTILE}.txt").write_text("")
    decisions.write(places.state, [Decision(time.time(), "a", 1, HOSTILE, "idle", "not sent", f"host: {HOSTILE}")])
    (places.config / "config.toml").write_text(
        f"[[channels]]\nname = {json.dumps(HOSTILE)}\nkind = 'command'\ncommand = ['x']\n"
    )
    settings = json.dumps({"env": {HOSTILE: HOSTILE}}, ensure_ascii=False)
    (claude_dir() / "settings.json").write_text(settings, encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="no file has such a name there")
@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("words", CALLS, ids=lambda words: " ".join(words).encode("unicode_escape").decode())
def test_no_command_prints_what_acts_on_a_terminal(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        main(words)
    shown = "".join(capsys.readouterr())
    assert shown
    assert not {char for char in shown if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp")} - {"\n"}
    assert not [text for text in shown.splitlines() if text.startswith("forged")]


@pytest.mark.usefixtures("hostile")
def test_a_diff_says_which_characters_a_settings_file_hides(capsys: pytest.CaptureFixture[str]) -> None:
    main(["install", "--dry-run"])
    assert r"\u009b31m\u007f\u202e\u2066\rforged" in capsys.readouterr().out
