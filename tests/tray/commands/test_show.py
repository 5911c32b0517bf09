"""Does a person, and a program, get to know everything of a session?"""

import io
import json
import random
import re
from pathlib import Path

import pytest
from rich.console import Console

from deskbell.__main__ import main
from deskbell.history.dossier import dossier
from deskbell.history.summarise import chronicle
from deskbell.home import home
from deskbell.session import Session
from deskbell_hooks.codec import encode
from tests.tray.journals import line, tool
from tests.tray.making import NOON, session

STORY = [
    line("SessionStart", 0, source="startup", model="claude-opus-5-5"),
    line("UserPromptSubmit", 1, prompt="Ship it"),
    tool("Edit", 2, file="/home/person/api/main.py"),
    line("SubagentStart", 3, agent_id="g1", agent_type="Explore"),
    tool("Bash", 4, event="PostToolUseFailure", error="Exit code 2", agent_id="g1"),
    line("SubagentStop", 65, agent_id="g1", agent_type="Explore"),
    line("Notification", 66, notification_type="permission_prompt", message="Claude needs your permission"),
    line("Stop", 67, last_assistant_message="Shipped."),
]


def drawn(*sessions: Session, lines: list[bytes] = STORY, width: int = 100, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=colour, color_system="standard" if colour else None)
    console.print(dossier("a1b2c3d4", sessions, chronicle([lines]), NOON + 100))
    return out.getvalue()


def test_a_running_session_reads_like_this() -> None:
    one = session(
        status="permission",
        detail="Bash: npm publish",
        reason="it asked, and its dialog is open",
        branch="main",
        context_tokens=50_000,
        context_percent=25.0,
        output_tokens=1234,
        cost_usd=0.5,
        todo=(1, 3),
    )
    words = re.sub(r" +", " ", re.sub(r"\d\d:\d\d(:\d\d)?", "TIME", drawn(one)))
    for part in (
        "● Ship it a1b2c3d4",
        "now permission: npm publish, since TIME",
        "because it asked, and its dialog is open",
        "context 50,000 tokens (25 %)",
        "spent 1,234 tokens written, $0.50 at list price",
        "tasks 1 of 3 done",
        "TIME Ship it",
        "1 2.0 s Bash, 1 failed",
        "edited 1",
        "TIME took 1 min 2 s Explore",
        "TIME Bash: Exit code 2",
        "TIME Claude needs your permission",
        "TIME PostToolUse Edit: /home/person/api/main.py (2.0 s)",
        "TIME PostToolUseFailure ↳ Bash: make (2.0 s): Exit code 2",
        "TIME Stop Shipped.",
    ):
        assert part in words


def test_a_session_that_is_long_over_is_known_from_its_journal() -> None:
    words = drawn()
    assert words.startswith("· Ship it  a1b2c3d4")
    assert "now" not in words
    assert "Timeline" in words


def test_a_session_without_a_journal_is_shown_as_it_is() -> None:
    assert "empty or gone" in drawn(session(), lines=[])


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_nothing_is_wider_than_the_terminal(width: int) -> None:
    long = [line("UserPromptSubmit", 1, prompt="word " * 500), tool("Read", 2, file="/" + "deep/" * 80)]
    assert max(map(len, drawn(session(cwd="/x" * 99), lines=long, width=width).splitlines())) <= width


def test_nothing_that_is_shown_can_harm_a_terminal() -> None:
    evil = "\x1b]0;evil\x07\x1b[2J\x9b31m\u202e[bold]x[/bold]"
    lines = [line("UserPromptSubmit", 1, prompt=evil), tool("Bash", 2, event="PostToolUseFailure", error=evil)]
    lines += [tool("Read", 3, file=evil), line("Notification", 4, message=evil), line(evil, 5)]
    lines += [line("SubagentStart", 6, agent_id=evil, agent_type=evil)]
    words = drawn(session(title=evil, detail=evil, cwd=evil, branch=evil, last_line=evil), lines=lines)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", words)
    assert "[bold]x[/bold]" in words


def test_colours_only_where_they_are_wanted() -> None:
    assert "\x1b[1m" in drawn(colour=True)
    assert "\x1b" not in drawn()


@pytest.fixture
def recorded() -> Path:
    home().sessions.mkdir(parents=True)
    home().events.mkdir()
    (home().events / "a1b2c3d4.jsonl").write_bytes(b"".join(one + b"\n" for one in STORY))
    record = {"v": 1, "session_id": "a1b2c3d4", "title": "Ship it", "project": "api", "journal": 0, "last_at": NOON}
    (home().sessions / "a1b2c3d4.json").write_bytes(encode(record))
    return home().events


@pytest.mark.parametrize("said", ["a1", "Ship", "api"])
def test_the_command_for_programs(recorded: Path, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", said, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["version"], shown["session_id"], shown["sessions"]) == (1, "a1b2c3d4", [])
    past = shown["history"]
    assert past["active"] is False
    assert past["prompts"] == [{"at": NOON + 1, "text": "Ship it"}]
    assert past["tools"]["Edit"] == {"count": 1, "failed": 0, "seconds": 2.0}
    assert past["files"] == {"new": [], "edited": ["/home/person/api/main.py"], "read": []}
    assert past["agents"] == [{"id": "g1", "type": "Explore", "started": NOON + 3, "completed": NOON + 65}]
    assert past["errors"][0]["context"] == {"subject": "make", "agent": "g1", "cwd": "/home/person/api"}
    assert past["counts"] == {"prompts": 1, "errors": 1, "notifications": 1, "agents": 1}


def test_the_command_for_people(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "a1b2"]) == 0
    assert capsys.readouterr().out.startswith("· Ship it")


def test_a_thousand_garbage_lines_and_files_disturb_nothing(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    garbage = random.Random(1)
    noise = b"".join(garbage.randbytes(garbage.randrange(200)).replace(b"\n", b"") + b"\n" for _ in range(1000))
    with (recorded / "a1b2c3d4.jsonl").open("ab") as file:
        file.write(noise + line("Stop", 99) + b"\n")
    for n in range(1000):
        (recorded / f"garbage {n}").write_bytes(noise[:n])
    assert main(["show", "api", "--json"]) == 0
    told = capsys.readouterr()
    past = json.loads(told.out)["history"]
    assert (past["updated"], past["counts"]["prompts"]) == (NOON + 99, 1)
    assert past["unreadable"] >= 990
    assert told.err.count("left as found") == 1
