"""Test that the desktop opens the links of the statusline, and that a link does nothing but jump."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from deskbell.desktop.autostart import data_home
from deskbell.desktop.link import SCHEME, Handler, command, handler, is_link, session_of
from deskbell.errors import Misuse
from deskbell.helper import Done

COMMAND = ("env", "DESKBELL_HOME=/a b", "/usr/bin/deskbell", "jump")


class Desktop:
    """Programs that record what they are asked, and answer."""

    def __init__(self, path: Path, answer: str | Exception = "deskbell-link.desktop\n") -> None:
        self.asked: list[list[str]] = []
        self.answer = answer
        self.handler = Handler(path, self.run, lambda name: f"/usr/bin/{name}")

    def run(self, words: Sequence[str], seconds: float) -> Done:
        self.asked.append(list(words))
        if isinstance(self.answer, Exception):
            raise self.answer
        return Done(0, self.answer if "query" in words else "")


@pytest.fixture
def entry(tmp_path: Path) -> Path:
    return tmp_path / "applications" / "deskbell-link.desktop"


def test_the_entry_is_written_and_the_desktop_told(entry: Path) -> None:
    desktop = Desktop(entry)
    assert desktop.handler.install(COMMAND)
    text = entry.read_text()
    assert 'Exec="env" "DESKBELL_HOME=/a b" "/usr/bin/deskbell" "jump" %u\n' in text
    assert f"MimeType={SCHEME};" in text
    assert "NoDisplay=true" in text
    assert desktop.asked == [
        ["/usr/bin/update-desktop-database", str(entry.parent)],
        ["/usr/bin/xdg-mime", "query", "default", SCHEME],
    ]
    assert desktop.handler.remove()
    assert not entry.exists()
    assert not desktop.handler.remove()


@pytest.mark.parametrize("answer", ["", "other.desktop\n", OSError(), TimeoutError()])
def test_where_the_desktop_does_not_name_it_no_entry_is_left(entry: Path, answer: str | Exception) -> None:
    assert not Desktop(entry, answer).handler.install(COMMAND)
    assert not entry.exists()


def test_without_the_programs_of_the_desktop_there_is_no_handler(entry: Path) -> None:
    assert not Handler(entry, find=lambda name: None).install(COMMAND)


@pytest.mark.skipif(
    not (shutil.which("xdg-mime") and shutil.which("update-desktop-database")), reason="needs the tools of a desktop"
)
def test_the_real_desktop_names_the_entry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("XDG_CURRENT_DESKTOP", raising=False)
    found = handler()
    assert found is not None
    assert found.path == tmp_path / "XDG_DATA_HOME" / "applications" / "deskbell-link.desktop"
    assert found.install((sys.executable, "jump"))
    assert found.works()
    assert found.remove()
    assert not found.works()


def test_the_data_of_the_person_may_be_elsewhere(tmp_path: Path) -> None:
    assert data_home({"XDG_DATA_HOME": str(tmp_path)}) == tmp_path
    assert data_home({"XDG_DATA_HOME": "data"}) == data_home({}) == Path.home() / ".local" / "share"


def test_the_command_keeps_the_home_of_this_deskbell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKBELL_HOME", "/moved")
    assert command()[:2] == ("env", f"DESKBELL_HOME={Path('/moved').absolute()}")
    monkeypatch.delenv("DESKBELL_HOME")
    assert command()[0] != "env"
    assert command()[-1] == "jump"
    assert "DESKBELL_HOME" not in os.environ


def test_a_link_names_a_session_and_nothing_else() -> None:
    assert is_link("deskbell://jump/0aa-1")
    assert session_of("deskbell://jump/0aa-1") == "0aa-1"
    assert not is_link("0aa-1")
    for bad in (
        "deskbell://jump/",
        "deskbell://jump/../x",
        "deskbell://jump/a b",
        "deskbell://jump/a%20",
    ):
        with pytest.raises(Misuse):
            session_of(bad)
