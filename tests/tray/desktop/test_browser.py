"""Test where a page is put so that the person's browser can read it."""

import sys
from pathlib import Path

import pytest

from deskbell.desktop.browser import browser, readable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no snaps")

USUAL = Path("/home/me/.local/state/deskbell/pages")


def is_browser(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, code: int = 0) -> None:
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
    is_browser("firefox_firefox.desktop", tmp_path, monkeypatch)
    assert readable(USUAL, snaps) == private_home / "snap" / "firefox" / "common" / "deskbell"


@pytest.mark.parametrize(
    "name",
    ["firefox-esr.desktop", "chromium_chromium.desktop", "", "../snaps/firefox_firefox.desktop"],
)
def test_every_other_browser_reads_the_usual_folder(
    name: str, snaps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_browser(name, tmp_path, monkeypatch)
    assert readable(USUAL, snaps) == USUAL


def test_a_snap_that_was_never_started_has_no_folder_yet(
    snaps: Path, tmp_path: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (private_home / "snap" / "firefox" / "common").rmdir()
    is_browser("firefox_firefox.desktop", tmp_path, monkeypatch)
    assert readable(USUAL, snaps) == USUAL


def test_the_browser_is_named_if_it_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_browser("firefox-esr.desktop", tmp_path, monkeypatch)
    assert browser() == "firefox-esr.desktop"
    monkeypatch.setenv("PATH", "/nowhere")
    assert browser() is None
