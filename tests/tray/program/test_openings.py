"""Test what is opened for a click, and what is said where it cannot be opened."""

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deskbell.board import Board, board
from deskbell.doctor import Check
from deskbell.errors import Problem
from deskbell.home import Home, home
from deskbell.notices.notice import Button
from deskbell.notices.policyfile import parse
from deskbell.program import log as program_log
from deskbell.program.openings import Openings
from deskbell.session import Session
from deskbell.settings.settings_file import Change
from deskbell_icons import Sign
from tests.tray.making import NOON, session

SETTINGS = Path("/srv/settings.json")
ASKS = session(status="permission", detail="Bash: ls", cwd="/srv/api", branch="main")


@dataclass
class Desk:
    """Records what was shown and said; can be a desk that opens nothing."""

    bare: bool = False
    planned_changes: Sequence[Change] = (Change(SETTINGS, b"{}", b'{"hooks": {}}'),)
    checks: Sequence[Check] = (Check("tray", "warn", "No tray found.", "Start a panel."),)
    shown: list[str] = field(default_factory=list)
    said: list[tuple[str, str, str, Sign]] = field(default_factory=list)
    has_terminal: bool = False
    terminals: list[Session | None] = field(default_factory=list)
    """What each terminal showed first: the details of a session, or the board."""
    offered: int = 0
    examined: int = 0

    def show(self, path: Path) -> None:
        if self.bare:
            raise Problem("xdg-open is not installed.")
        self.shown.append(path.name)

    def say(self, slot: str, title: str, text: str, *buttons: Button, sign: Sign = "plain") -> None:
        self.said.append((slot, title, text, sign))

    def terminal(self, session: Session | None, _: Home) -> None:
        if not self.has_terminal:
            raise Problem(NO_TERMINAL)
        self.terminals.append(session)

    def offer(self) -> None:
        self.offered += 1

    def examine(self) -> None:
        self.examined += 1

    def planned(self) -> Sequence[Change]:
        return self.planned_changes

    def run(self, doing: Callable[[Openings], Awaitable[None]]) -> "Desk":
        async def do() -> None:
            await doing(
                Openings(
                    home(),
                    self,
                    lambda: self.checks,
                    self.say,
                    self.offer,
                    lambda: NOON,
                    self.show,
                    self.terminal,
                )
            )

        asyncio.run(do())
        return self

    def open(self, what: str, *sessions: Session) -> "Desk":
        return self.run(lambda openings: openings.reveal(what, board(sessions, NOON)))


NO_TERMINAL = "No terminal was found."
NO_PAGE = "xdg-open is not installed."


@pytest.mark.parametrize("what", ["doctor", "changes", "about"])
def test_a_page_is_opened_and_nothing_is_said(what: str) -> None:
    desk = Desk().open(what, ASKS)
    assert (desk.shown, desk.said) == ([f"{what}.html"], [])


def test_the_board_and_details_open_in_a_terminal_and_nothing_is_said() -> None:
    desk = Desk(has_terminal=True).open("board", ASKS).open("board").run(lambda openings: openings.details(ASKS))
    assert (desk.terminals, desk.shown, desk.said) == ([None, None, ASKS], [], [])


def test_where_no_terminal_opens_a_page_does_and_a_message_says_why() -> None:
    desk = Desk().open("board", ASKS).run(lambda openings: openings.details(ASKS))
    assert desk.shown[0] == "board.html"
    assert desk.shown[1].startswith("details-")
    title = "Opened in your browser"
    assert desk.said == [(slot, title, NO_TERMINAL, "plain") for slot in ("board", "details")]


def test_who_wants_the_browser_gets_no_terminal_and_no_word_of_it() -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text('show_in = "browser"\n')
    desk = Desk(has_terminal=True).open("board", ASKS).run(lambda openings: openings.details(ASKS))
    assert (len(desk.shown), desk.terminals, desk.said) == (2, [], [])


def test_what_the_board_does_not_know_is_a_page() -> None:
    desk = Desk(has_terminal=True).run(lambda openings: openings.details(ASKS, on_board=False))
    assert (len(desk.shown), desk.terminals, desk.said) == (1, [], [])


def test_without_a_terminal_a_board_without_sessions_is_a_short_message() -> None:
    desk = Desk().open("board")
    assert desk.shown == []
    ((slot, title, text, sign),) = desk.said
    assert (slot, title, sign) == ("board", "No session is running", "plain")
    assert text.endswith(f"({NO_TERMINAL})")


INSTEAD: dict[str, tuple[str, list[str], Sign]] = {
    "board": ("1 blocked", ["wants to run ls"], "permission"),
    "doctor": ("1 could be better", ["! No tray found. Start a panel."], "plain"),
    "changes": ("An install changes", [str(SETTINGS), "deskbell install --dry-run"], "install"),
    "about": ("Deskbell 0", ["MIT"], "plain"),
}


@pytest.mark.parametrize("what", INSTEAD)
def test_where_no_page_can_be_opened_a_message_says_the_most_important_and_why(what: str) -> None:
    title, parts, sign = INSTEAD[what]
    ((slot, said_title, text, said_sign),) = Desk(bare=True).open(what, ASKS).said
    assert (slot, said_sign) == (what, sign)
    assert said_title.startswith(title)
    for part in (*parts, NO_PAGE, *([NO_TERMINAL] if what == "board" else [])):
        assert part in text


def test_where_no_page_can_be_opened_the_details_are_a_message_with_labels() -> None:
    ((slot, title, text, sign),) = Desk(bare=True).run(lambda openings: openings.details(ASKS)).said
    assert (slot, title, sign) == ("details", "api: Ship it", "permission")
    lines = text.splitlines()
    assert lines[0].startswith("wants to run ls, since ")
    assert lines[1:] == ["Folder: /srv/api", "Branch: main", f"({NO_TERMINAL} {NO_PAGE})"]


def test_a_message_shows_no_secret_and_no_control_character() -> None:
    said = "password=hunter2-Zq9 \x1b]0;x\x07done"
    hostile = session(status="permission", title=said, detail=said, last_line=said, branch=said)
    desk = Desk(bare=True).open("board", hostile).run(lambda openings: openings.details(hostile))
    for _, title, text, _ in desk.said:
        assert "hunter2" not in title + text
        assert "\x1b" not in title + text
        assert "[redacted]" in title + text


def test_a_check_that_fails_has_the_sign_of_an_error() -> None:
    desk = Desk(bare=True, checks=[Check("hook", "bad", "It is gone.", "Get another.")])
    ((_, title, _, sign),) = desk.open("doctor").said
    assert (title, sign) == ("1 check fails", "error")


def test_the_checks_look_at_the_hooks_anew() -> None:
    assert Desk().open("doctor").examined == 1


def test_on_a_full_disk_the_doctor_says_what_it_found() -> None:
    home().state.parent.mkdir(parents=True, exist_ok=True)
    home().state.touch()
    desk = Desk().open("doctor")
    assert desk.shown == []
    assert "Start a panel." in desk.said[0][2]
    assert "Not a directory" in desk.said[0][2]


def test_what_an_install_changes_is_offered_again_once_it_has_been_shown() -> None:
    """The click on the button has taken the offer off the screen."""
    assert Desk().open("changes").offered == 1
    assert Desk(bare=True).open("changes").offered == 1
    nothing = Desk(planned_changes=[Change(SETTINGS, b"{}", b"{}")])
    assert nothing.open("changes").offered == 0
    assert nothing.shown == ["changes.html"]
    nothing.bare = True
    assert nothing.open("changes").said[0][1] == "An install would change nothing"


def test_the_settings_are_written_before_they_are_shown_and_then_left_alone() -> None:
    assert Desk().open("settings").shown == ["config.toml"]
    path = home().config / "config.toml"
    parse(path.read_text(), path)
    path.write_text("# mine\n")
    Desk().open("settings")
    assert path.read_text() == "# mine\n"


@pytest.fixture
def logging_here() -> Iterator[Path]:
    handler = program_log.start(home().state)
    yield program_log.path(home().state)
    logging.getLogger().removeHandler(handler)


def test_the_log_is_shown(logging_here: Path) -> None:
    assert Desk().open("log").shown == [logging_here.name]


def test_a_log_that_was_deleted_is_begun_anew_and_shown(logging_here: Path) -> None:
    shutil.rmtree(home().state)
    assert Desk().open("log").shown == [logging_here.name]
    assert "the log begins anew" in logging_here.read_text()


def test_a_log_that_does_not_exist_and_cannot_be_made_is_said_to_be_missing() -> None:
    with pytest.raises(Problem, match=r"^There is no log: .* could not be written"):
        Desk().open("log")


@pytest.mark.parametrize("what", ["settings", "log"])
def test_a_file_that_cannot_be_opened_is_a_problem(what: str, logging_here: Path) -> None:
    with pytest.raises(Problem, match="xdg-open is not installed"):
        Desk(bare=True).run(lambda openings: openings.reveal(what, Board()))
