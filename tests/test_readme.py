"""Test that every command in README.md and docs/ works as it stands there, and that the options they name exist."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from deskbell.__main__ import COMMANDS, main
from deskbell.home import claude_dir, home
from deskbell.notices import quiet
from deskbell.notices.quiet import Quiet
from deskbell.sessions.project_folder import project_folder
from deskbell_hooks.record import record_event
from tests.tray.commands.said import recorded, running
from tests.tray.installing import here
from tests.tray.sessions.test_written import kept, user

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


class Bounded(NamedTuple):
    """What is run in place of a command that would not end, changes the machine or needs a desktop."""

    command: str
    code: int = 0
    interrupted: bool = False
    """Press Ctrl+C once it has printed a line."""


BOUNDED = {
    "make run": Bounded("make --dry-run run"),
    "make test": Bounded("make --dry-run test"),
    "deskbell install": Bounded("deskbell install --yes"),
    "deskbell answers on": Bounded("deskbell answers on --yes"),
    "deskbell answers on plan": Bounded("deskbell answers on plan --dry-run"),
    "deskbell answers on reply": Bounded("deskbell answers on reply --yes"),
    "deskbell answers off": Bounded("deskbell answers off --yes"),
    **{
        f"deskbell answer{more}": Bounded(f"deskbell answer{more}", 1)  # no program runs that holds a request
        for more in ("", " web", " web allow", " web deny --reason 'Use the staging server.'", " web 'Dark blue'")
    },
    "deskbell reply web 'run the tests again'": Bounded("deskbell reply web 'run the tests again'", 1),  # it is off
    "deskbell status": Bounded("deskbell status", 3),  # nothing is installed yet
    "deskbell tmux status": Bounded("deskbell tmux status", 3),  # nor here
    "deskbell statusline install": Bounded("deskbell statusline install --yes"),
    "deskbell statusline install --chain first": Bounded("deskbell statusline install --chain first --yes"),
    "deskbell board": Bounded("deskbell board --once"),
    "deskbell list --watch": Bounded("deskbell list --watch", 130, interrupted=True),
    "deskbell events --json --follow --event Stop": Bounded("deskbell events --json --event Stop"),
    "deskbell notify-test": Bounded("deskbell notify-test --wait 0", 1),  # no daemon displays it
    "deskbell jump web": Bounded("deskbell jump web --print"),
    "deskbell jump --next": Bounded("deskbell jump --next --print"),
    "deskbell doctor": Bounded("deskbell doctor", 1),  # nothing is installed yet
}


def commands(page: Path) -> Iterator[str]:
    """Every command of ours in the code blocks of PAGE, without comments and what it is piped to."""
    for line in page.read_text(encoding="utf-8").splitlines():
        if re.match(r"    (deskbell|make)\b", line):
            words = shlex.split(line, comments=True)
            yield shlex.join(words[: words.index("|")] if "|" in words else words)


EVERY = sorted({command for page in PAGES for command in commands(page)})


def test_the_commands_are_found_and_the_table_names_no_other() -> None:
    assert len(EVERY) > 15
    assert sorted(BOUNDED.keys() - set(EVERY)) == []


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the pages name: sessions that run or have ended, a project that is muted, and a client that ends at once."""
    claude_dir().mkdir(parents=True)
    running("a1b2c3d4", "/p/web", os.getpid(), monkeypatch)
    stop = {"hook_event_name": "Stop", "session_id": "a1b2c3d4", "cwd": "/p/web"}
    record_event(str(home().state), json.dumps(stop).encode())
    recorded("b1b2c3d4", "api", "Ship it")
    quiet.write(home().state, Quiet().with_mute("projects", "web"))
    folder = claude_dir().parent / "shop"
    folder.mkdir()
    kept(claude_dir(), project_folder(str(folder)), "23e30f82-1", text=user(str(folder)))
    client = claude_dir().parent / "bin" / "claude"
    client.parent.mkdir()
    client.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "2.1.326 (Claude Code)" || echo resumed\n')
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{client.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.long
@pytest.mark.usefixtures("sessions")
@pytest.mark.skipif(sys.platform == "win32", reason="make and Ctrl+C are those of Unix")
@pytest.mark.parametrize("command", EVERY)
def test_a_command_of_the_pages_works(command: str) -> None:
    bounded = BOUNDED.get(command, Bounded(command))
    program, *words = shlex.split(bounded.command)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "EDITOR": "true"}
    if program == "deskbell" and not bounded.interrupted and words[:1] not in ALONE:
        ran = here(words, environment, ROOT)
    else:
        ran = started(
            [*([sys.executable, "-m"] if program == "deskbell" else []), program, *words], bounded, environment
        )
    assert (ran.returncode, "Traceback" in ran.stderr) == (bounded.code, False), ran.stderr
    assert bounded.interrupted or ran.stdout or ran.stderr, "it says nothing"


ALONE = (["resume"], ["demo"], ["run"])
"""The client takes the place of the first, and the others would go on in the process of the tests."""


def started(words: list[str], bounded: Bounded, environment: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    process = subprocess.Popen(
        words,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        if bounded.interrupted:
            assert process.stdout
            assert process.stdout.readline()
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return subprocess.CompletedProcess(words, process.returncode, out, err)


LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
TEXTS = [*PAGES, *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"))]


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_what_a_page_links_to_exists(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_readme_links_to_every_page() -> None:
    links = LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert sorted({f"docs/{page.name}" for page in PAGES[1:]} - set(links)) == []


INLINE = re.compile(r"`deskbell ([^`]+)`")


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"], ids=lambda page: page.name)
def test_a_command_that_is_named_in_a_sentence_exists_with_its_options(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for said in INLINE.findall(page.read_text(encoding="utf-8")):
        verb, *rest = said.split()
        if verb == "COMMAND" or verb.startswith("-"):
            continue
        assert verb in COMMANDS, said
        with pytest.raises(SystemExit, match="0"):
            main([verb, "--help"])
        known = capsys.readouterr().out
        assert [word for word in rest if word.startswith("--") and word not in known] == [], said
