"""Test that each page holds what is known here, is private, and is opened."""

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deskbell.board import board
from deskbell.doctor import Check
from deskbell.errors import Problem
from deskbell.home import home
from deskbell.notices import decisions
from deskbell.notices.decisions import Decision
from deskbell.program.surfaces import Surfaces
from deskbell.settings.settings_file import Change
from tests.tray.journals import STORY, write
from tests.tray.making import NOON, session
from tests.tray.sessions.transcript_lines import answered

OVER = {"status": "crashed", "cwd": "/srv/web", "kept_until": NOON + 99}


@dataclass
class Browser:
    shown: list[Path] = field(default_factory=list)

    def __call__(self, path: Path) -> None:
        self.shown.append(path)

    @property
    def page(self) -> str:
        (path,) = self.shown
        return path.read_text(encoding="utf-8")


@pytest.fixture
def browser() -> Browser:
    return Browser()


@pytest.fixture
def surfaces(browser: Browser) -> Surfaces:
    return Surfaces(home(), browser, lambda: NOON, lambda usual: usual)


def test_the_board_is_a_private_page_with_a_resume_command_for_what_is_over(
    surfaces: Surfaces, browser: Browser
) -> None:
    surfaces.board(board([session(), session(session_id="b2", **OVER)], NOON))
    assert browser.shown == [home().pages / "board.html"]
    assert browser.page.startswith("<!doctype html>")
    assert "cd /srv/web &amp;&amp; claude --resume b2" in browser.page
    assert "--resume a1" not in browser.page
    assert os.name == "nt" or stat.S_IMODE(browser.shown[0].stat().st_mode) == 0o600


def test_a_folder_that_acts_on_a_terminal_has_the_reason_in_place_of_its_command(
    surfaces: Surfaces, browser: Browser
) -> None:
    surfaces.board(board([session(**OVER | {"cwd": "/srv/\x1b[201~"})], NOON))
    assert "has characters that act on a terminal" in browser.page


def test_the_details_have_the_journal_the_decisions_and_the_sums(
    surfaces: Surfaces, browser: Browser, tmp_path: Path
) -> None:
    home().events.mkdir(parents=True)
    write(home().events, "a1", *STORY)
    decisions.write(
        home().state,
        [Decision(NOON, name, 1, name, "idle", "not shown", "its pane was focused") for name in ("a1", "other")],
    )
    (tmp_path / "t.jsonl").write_bytes(answered("a", number=1) + b"\n")
    surfaces.details(session(transcript_path=str(tmp_path / "t.jsonl")))
    for part in ("Shipped.", "a1: not shown, its pane was focused", "5 tokens written"):
        assert part in browser.page
    assert "other: not shown" not in browser.page
    assert "claude --resume" not in browser.page


def test_a_session_that_is_over_has_its_command_in_its_details(surfaces: Surfaces, browser: Browser) -> None:
    surfaces.details(session(**OVER))
    assert "claude --resume a1" in browser.page


def test_the_details_are_shown_though_the_decisions_cannot_be_read(surfaces: Surfaces, browser: Browser) -> None:
    (home().state / "decisions.jsonl").mkdir(parents=True)
    surfaces.details(session())
    assert "Why it rang" not in browser.page


def test_every_session_has_a_file_of_its_own_whatever_its_id_holds(surfaces: Surfaces, browser: Browser) -> None:
    for session_id in ("a", "../../evil", "a\0b", "x" * 4000):
        surfaces.details(session(session_id=session_id))
    surfaces.details(session(session_id="a", pid=7))
    assert len({path.name for path in browser.shown}) == 5
    assert {path.parent for path in browser.shown} == {home().pages}


def test_the_checks_the_changes_and_the_page_about_deskbell_are_opened(surfaces: Surfaces, browser: Browser) -> None:
    surfaces.doctor([Check("tray", "warn", "No tray found.", "Start a panel.")])
    surfaces.changes([Change(Path("/s.json"), b"{}\n", b'{"a": 1}\n'), Change(Path("/same.json"), b"{}", b"{}")])
    surfaces.about()
    doctor, changes, about = (path.read_text(encoding="utf-8") for path in browser.shown)
    assert "Start a panel." in doctor
    assert '<span class="added">+{&quot;a&quot;: 1}</span>' in changes
    assert "same.json" not in changes
    assert str(home().state) in about


def test_a_page_is_where_the_browser_can_read_it(browser: Browser, tmp_path: Path) -> None:
    Surfaces(home(), browser, lambda: NOON, lambda usual: tmp_path / usual.name).about()
    assert browser.shown == [tmp_path / "pages" / "about.html"]


def test_what_cannot_be_opened_is_an_error() -> None:
    def nothing(path: Path) -> None:
        raise Problem(f"nothing opens {path.name}")

    with pytest.raises(Problem, match=r"nothing opens about\.html"):
        Surfaces(home(), nothing, lambda: NOON).about()
