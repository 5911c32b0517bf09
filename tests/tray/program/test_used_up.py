"""Test when the limits of an account ring."""

from pathlib import Path

import pytest

from deskbell.face.facts import Facts
from deskbell.notices.policy import Limits, Policy, Silence
from deskbell.program.used_up import FILE, MOST, UsedUp, rung_in
from deskbell.usage import Usage, Window
from tests.tray.making import NOON

ON = Policy(limits=Limits(ring_at=80))


class Account:
    def __init__(self, state: Path, policy: Policy = ON) -> None:
        self.said: list[str] = []
        self._ring = UsedUp(state, lambda slot, title, text: self.said.append(title), lambda: policy)

    def uses(
        self, percent: float, resets: float = NOON + 3600, now: float = NOON, name: str = "five_hour"
    ) -> list[str]:
        """Return what rang since the account was made."""
        used = Usage("~/.claude", (Window(name, percent, resets),))
        self._ring.ring(Facts(usages=(used,)), now)
        return self.said


def test_a_limit_rings_once_at_the_threshold(tmp_path: Path) -> None:
    account = Account(tmp_path)
    assert account.uses(79.9) == []
    assert account.uses(80) == ["80 % of the 5 h limit used"]
    assert account.uses(95) == account.uses(96, NOON + 3660) == ["80 % of the 5 h limit used"]


def test_the_next_window_and_another_one_ring_again(tmp_path: Path) -> None:
    account = Account(tmp_path)
    account.uses(80)
    account.uses(81, name="seven_day")
    account.uses(82, NOON + 20_000)
    assert account.said == [
        "80 % of the 5 h limit used",
        "81 % of the 7 d limit used",
        "82 % of the 5 h limit used",
    ]


def test_a_restart_rings_for_nothing_again(tmp_path: Path) -> None:
    Account(tmp_path).uses(80)
    assert Account(tmp_path).uses(90) == []


@pytest.mark.parametrize(
    "damage", [b"", b"{}", b"[5]", b'[["a", "b"]]', b'[["a", "b", "c"]]', b'[[1, "b", 2]]', b'[["a", 1, 2]]']
)
def test_a_file_that_is_damaged_forgets_what_rang(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE).write_bytes(damage)
    assert rung_in(tmp_path / FILE) == []
    assert len(Account(tmp_path).uses(80)) == 1


def test_it_rings_for_nothing_unless_the_person_wants_it(tmp_path: Path) -> None:
    assert Account(tmp_path, Policy()).uses(100) == []
    assert not (tmp_path / FILE).exists()


def test_while_rings_are_held_back_it_waits(tmp_path: Path) -> None:
    quiet = Account(tmp_path, Policy(limits=Limits(ring_at=80), silence=Silence(hours=("00:00-23:59", "23:59-00:00"))))
    assert quiet.uses(90) == []
    said: list[str] = []
    ring = UsedUp(tmp_path, lambda slot, title, text: said.append(text), lambda: ON)
    facts = Facts(usages=(Usage("~/.claude", (Window("five_hour", 90, NOON + 60),)),), snoozed_until=NOON + 9)
    ring.ring(facts, NOON)
    assert said == []
    assert Account(tmp_path).uses(90) == ["90 % of the 5 h limit used"]


def test_what_rang_is_remembered_to_a_bound(tmp_path: Path) -> None:
    account = Account(tmp_path)
    for number in range(MOST + 5):
        account.uses(90, NOON + 1000 * number)
    assert len(rung_in(tmp_path / FILE)) == MOST
