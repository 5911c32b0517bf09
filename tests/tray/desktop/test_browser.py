"""Test where a page is put so that the person's browser can read it."""

import sys
from pathlib import Path

import pytest

from deskbell.desktop.browser import browser, is_browser, readable
from deskbell.errors import Problem

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no snaps")

USUAL = Path("/home/me/.local/state/deskbell/pages")


def shows_pages(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, code: int = 0) -> None:
    script = folder / "bin" / "xdg-mime"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\n[ \"$*\" = 'query default text/html' ] && echo '{name}'; exit {code}\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}:/usr/bin:/bin")


@pytest.fixture
def snaps(tmp_path: Path, private_home: Path) -> Path:
    folder = tmp_path / "snaps"
    folder.mkdir()
    (folder / "firefox_firefox.desktop").touch()
    (private_home / "snap" / "firefox" / "common").mkdir(parents=True)
    return folder


def test_a_browser_that_is_a_snap_gets_its_pages_in_its_own_folder(
    snaps: Path, tmp_path: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shows_pages("firefox_firefox.desktop", tmp_path, monkeypatch)
    assert readable(USUAL, snaps) == private_home / "snap" / "firefox" / "common" / "deskbell"


@pytest.mark.parametrize(
    "name",
    ["firefox-esr.desktop", "chromium_chromium.desktop", "../snaps/firefox_firefox.desktop"],
)
def test_every_other_browser_reads_the_usual_folder(
    name: str, snaps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shows_pages(name, tmp_path, monkeypatch)
    assert readable(USUAL, snaps) == USUAL


def test_a_snap_that_was_never_started_has_no_folder_yet(
    snaps: Path, tmp_path: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (private_home / "snap" / "firefox" / "common").rmdir()
    shows_pages("firefox_firefox.desktop", tmp_path, monkeypatch)
    assert readable(USUAL, snaps) == USUAL


def test_the_browser_is_named_if_it_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shows_pages("firefox-esr.desktop", tmp_path, monkeypatch)
    assert browser() == "firefox-esr.desktop"
    monkeypatch.setenv("PATH", "/nowhere")
    assert browser() is None


ENTRIES = {
    "Categories=Network;WebBrowser;\n": True,
    "MimeType=text/html;x-scheme-handler/https;\n": True,
    "MimeType=text/html;x-scheme-handler/http\n": True,
    "Categories=Utility;TextEditor;\nMimeType=text/plain;text/html;\n": False,
    "Categories=Utility;\nComment=Not a WebBrowser;\n": False,
    "": True,
}


def entry(folder: Path, name: str, text: str) -> None:
    path = folder / "applications" / name
    path.parent.mkdir(parents=True)
    path.write_text(f"[Desktop Entry]\nType=Application\nName=Reader\n{text}" if text else "")


@pytest.mark.parametrize(("text", "expected"), ENTRIES.items())
def test_the_entry_of_a_program_says_whether_it_is_a_browser(
    text: str, expected: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry(tmp_path / "share", "reader.desktop", text)
    monkeypatch.setenv("XDG_DATA_HOME", "")
    monkeypatch.setenv("XDG_DATA_DIRS", f"/nowhere:{tmp_path / 'share'}")
    assert is_browser("reader.desktop") is expected


def test_an_entry_that_is_not_found_or_cannot_be_read_may_be_that_of_a_browser(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry(private_home / ".local" / "share", "huge.desktop", "Categories=TextEditor;\n" * 100_000)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert is_browser("huge.desktop")
    assert is_browser("missing.desktop")


def test_a_page_is_not_opened_where_no_browser_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some desktops would then open it with the editor that takes plain text."""
    shows_pages("", tmp_path, monkeypatch)
    monkeypatch.delenv("BROWSER", raising=False)
    with pytest.raises(Problem, match=r"No web browser is set\. Install a browser"):
        readable(USUAL)
    monkeypatch.setenv("BROWSER", "firefox")
    assert readable(USUAL) == USUAL


def test_a_page_is_tried_where_it_cannot_be_found_out_what_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert readable(USUAL) == USUAL


def test_a_page_is_not_opened_by_an_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shows_pages("vim.desktop", tmp_path, monkeypatch)
    entry(tmp_path / "share", "vim.desktop", "Categories=Utility;TextEditor;\n")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    with pytest.raises(Problem, match=r"No web browser is set: vim\.desktop would show the source"):
        readable(USUAL)
