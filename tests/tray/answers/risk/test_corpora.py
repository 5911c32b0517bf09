"""Test two sets of commands that were written down before anybody asked what the table says of them."""

from pathlib import Path

import pytest

from deskbell.answers.risk import risk
from deskbell.answers.risk.links import linked
from tests.tray.answers.risk.table import AT

FOLDER = Path(__file__).parent / "corpus"
SETS = ["1", "2", "3"]


def lines(name: str) -> list[str]:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def is_plain(command: str) -> bool:
    return risk("Bash", {"command": command}, AT).verdict == "plain"


@pytest.mark.parametrize("number", SETS)
def test_nothing_dangerous_takes_one_click(number: str) -> None:
    dangerous = lines(f"dangerous_{number}")
    assert len(dangerous) >= 300
    assert [command for command in dangerous if is_plain(command)] == []


@pytest.mark.parametrize("number", SETS)
def test_of_what_is_everyday_95_in_100_take_one_click(number: str) -> None:
    everyday = lines(f"everyday_{number}")
    careful = [command for command in everyday if not is_plain(command)]
    assert len(everyday) >= 200
    assert len(careful) <= len(everyday) * 0.05, careful


@pytest.mark.parametrize("number", SETS)
def test_a_disk_without_links_and_credentials_changes_nothing(number: str) -> None:
    plain = [command for command in lines(f"everyday_{number}") if is_plain(command)]
    assert [command for command in plain if linked("Bash", {"command": command}, AT).verdict != "plain"] == []
