"""Every click, and what came of it."""

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deskbell.board import board
from deskbell.errors import Problem
from deskbell.face.actions import Action, CopyResume, Details, Hooks, HooksWish, Jump, Mute, Open, Snooze, StartAtLogin
from deskbell.home import home
from deskbell.notices.policyfile import parse
from deskbell.notices.quiet import QuietFile
from deskbell.program.clicks import RealHands
from deskbell_hooks.schema import Status
from tests.tray.making import NOON, session

KEY = ("a1", 100)


@dataclass
class Desk:
    """Records what was shown, copied and changed; can be a desk that has nothing."""

    bare: bool = False
    copied: list[str] = field(default_factory=list)
    shown: list[Path] = field(default_factory=list)
    wishes: list[HooksWish | bool] = field(default_factory=list)

    def copy(self, text: str) -> None:
        if self.bare:
            raise Problem("no clipboard")
        self.copied.append(text)

    def show(self, path: Path) -> None:
        if self.bare:
            raise Problem("nothing shows files here")
        self.shown.append(path)

    def change(self, wish: HooksWish) -> str:
        self.wishes.append(wish)
        if self.bare:
            raise PermissionError(13, "Permission denied", "settings.json")
        return "Installed: settings.json"

    def set(self, on: bool) -> None:
        self.wishes.append(on)


@dataclass
class Outcome:
    desk: Desk
    said: list[tuple[str, str]]
    signs: list[Status]
    quiet_file: QuietFile


PAST = session(session_id="c3", pid=300, cwd="/srv/web", status="crashed")


def after(action: Action, desk: Desk | None = None) -> Outcome:
    desk = desk or Desk()
    said: list[tuple[str, str]] = []
    signs: list[Status] = []

    def say(title: str, text: str, *, sign: Status = "idle") -> None:
        said.append((title, text))
        signs.append(sign)

    quiet_file = QuietFile(home().state, lambda: NOON)
    hands = RealHands(home(), desk, desk, lambda: "✓ all is well", quiet_file, say, lambda: NOON, lambda: [PAST], desk)
    asyncio.run(hands.do(action, board([session(cwd="/srv/api", status="permission", detail="Bash: ls")], NOON)))
    return Outcome(desk, said, signs, quiet_file)


@pytest.mark.parametrize("action", [Jump(KEY), CopyResume(KEY)])
def test_a_session_is_resumed_with_a_command_from_the_clipboard(action: Action) -> None:
    outcome = after(action)
    assert outcome.desk.copied == ["cd /srv/api && claude --resume a1"]
    assert outcome.said == [("Copied: the command that resumes Ship it", "cd /srv/api && claude --resume a1")]


def test_without_a_clipboard_the_command_is_shown() -> None:
    assert after(Jump(KEY), Desk(bare=True)).said == [
        ("To resume Ship it", "cd /srv/api && claude --resume a1\n(no clipboard)")
    ]


@pytest.mark.parametrize("action", [Jump(("gone", 1)), Details(("gone", 1))])
def test_a_session_that_is_gone_is_said_to_be(action: Action) -> None:
    outcome = after(action)
    assert (outcome.said, outcome.signs) == ([("That did not work", "This session is gone.")], ["error"])


def test_a_session_that_crashed_is_resumed_though_the_board_has_dropped_it() -> None:
    assert after(Jump(PAST.key)).desk.copied == ["cd /srv/web && claude --resume c3"]


def test_details_are_told() -> None:
    ((title, text),) = after(Details(KEY)).said
    assert title == "api: Ship it"
    assert text.splitlines()[0].startswith("permission: ls, since ")
    assert "/srv/api" in text


def test_a_mute_and_a_snooze_hold() -> None:
    assert after(Mute(KEY, True)).quiet_file.muted() == {"a1"}
    assert after(Mute(KEY, False)).quiet_file.muted() == frozenset()
    assert after(Snooze("1h")).quiet_file.quiet().snooze(NOON) == NOON + 3600


def test_what_an_install_did_is_told() -> None:
    outcome = after(Hooks("install"))
    assert (outcome.desk.wishes, outcome.said) == (["install"], [("Hooks of Claude Code", "Installed: settings.json")])
    assert outcome.signs == ["idle"]


def test_what_the_system_refuses_is_told() -> None:
    outcome = after(Hooks("install"), Desk(bare=True))
    assert "Permission denied" in outcome.said[0][1]
    assert outcome.signs == ["error"]


def test_the_start_at_login_is_switched() -> None:
    assert after(StartAtLogin(True)).desk.wishes == [True]


def test_the_settings_are_written_before_they_are_shown_and_then_left_alone() -> None:
    (path,) = after(Open("settings")).desk.shown
    parse(path.read_text(), path)
    path.write_text("# mine\n")
    after(Open("settings"))
    assert path.read_text() == "# mine\n"


@pytest.mark.parametrize(("what", "name"), [("log", "deskbell.log"), ("doctor", "doctor.txt")])
def test_a_file_is_shown(what: str, name: str) -> None:
    assert [path.name for path in after(Open(what)).desk.shown] == [name]  # type: ignore[arg-type]  # of a table


def test_the_doctors_report_is_in_its_file() -> None:
    (path,) = after(Open("doctor")).desk.shown
    assert path.read_text() == "✓ all is well"
    assert os.name == "nt" or path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("what", "said"), [("about", "Deskbell 0"), ("board", "1 need you, 0 running")])
def test_a_message_is_said(what: str, said: str) -> None:
    ((title, _),) = after(Open(what)).said  # type: ignore[arg-type]  # of a table
    assert title.startswith(said)


def test_where_nothing_shows_files_the_person_is_told() -> None:
    assert after(Open("log"), Desk(bare=True)).said == [("That did not work", "nothing shows files here")]
