"""Test `deskbell autostart` as a person types it."""

import os
import sys
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.program.single import Claim, claim

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="looks at the XDG folder")


@pytest.fixture
def config(private_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(private_home / "xdg"))
    return private_home / "xdg"


def test_it_is_switched_on_and_off_and_shown(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config / "autostart" / "deskbell.desktop"
    said = []
    for wish in ("status", "on", "on", "status", "off", "off"):
        assert main(["autostart", wish]) == 0
        sentence, where = capsys.readouterr().out.splitlines()
        assert where == str(path)
        said.append(sentence.split(": /")[0])
    assert said == [
        "Deskbell does not start at login.",
        "Deskbell now starts at login.",
        "Autostart was already on.",
        "Deskbell starts at login",
        "Deskbell no longer starts at login.",
        "Autostart was already off.",
    ]


def test_the_entry_names_the_present_home(config: Path) -> None:
    main(["autostart", "on"])
    written = (config / "autostart" / "deskbell.desktop").read_text()
    assert f'"--home" "{os.environ["DESKBELL_HOME"]}"' in written


def test_after_a_move_status_says_what_to_do(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["autostart", "on"])
    path = config / "autostart" / "deskbell.desktop"
    path.write_text(path.read_text().replace('Exec="', 'Exec="/gone'))
    capsys.readouterr()
    main(["autostart", "status"])
    assert "The Deskbell that starts at login is gone: /gone" in (said := capsys.readouterr().out)
    assert "run `deskbell autostart on`." in said


def test_the_entry_starts_the_deskbell_of_its_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    running = claim(tmp_path / "data" / "running")
    assert isinstance(running, Claim)
    assert main(["autostart", "start", "--home", str(tmp_path)]) == 0  # one runs there, so it has nothing to do
    assert capsys.readouterr() == ("", "")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    running.release()


def test_another_deskbell_that_starts_is_named(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["autostart", "on"])
    path = config / "autostart" / "deskbell.desktop"
    path.write_text(path.read_text().replace(os.environ["DESKBELL_HOME"], "/elsewhere"))
    capsys.readouterr()
    main(["autostart", "status"])
    assert capsys.readouterr().out.startswith("Another Deskbell starts at login: ")


@pytest.mark.parametrize("words", [["--help"], ["sometimes"]])
def test_neither_the_help_nor_an_error_names_what_is_not_for_people(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["autostart", *words])
    said = capsys.readouterr()
    shown = (said.out + said.err).replace("start Deskbell at login", "")
    assert "{on,off,status}" in shown
    assert "--home" not in shown
    assert "start" not in shown.replace("autostart", "")
