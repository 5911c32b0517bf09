"""The snooze and the mutes, as the menu changes them."""

from pathlib import Path

from deskbell.actions import Snooze
from deskbell.notices import quiet
from deskbell.notices.quiet import Quiet
from deskbell.notices.stillness import Stillness
from tests.tray.making import NOON


def test_a_snooze_lasts_and_ends(tmp_path: Path) -> None:
    stillness = Stillness(tmp_path, lambda: NOON)
    stillness.snooze(Snooze("30 min"))
    assert stillness.quiet().snooze(NOON) == NOON + 1800
    assert stillness.quiet().snooze(NOON + 1801) is None
    stillness.snooze(Snooze(None))
    assert stillness.quiet().snooze(NOON) is None


def test_a_mute_is_taken_back(tmp_path: Path) -> None:
    stillness = Stillness(tmp_path, lambda: NOON)
    stillness.mute("a1", True)
    stillness.mute("b2", True)
    stillness.mute("a1", False)
    assert stillness.muted() == {"b2"}


def test_what_another_program_writes_is_seen(tmp_path: Path) -> None:
    stillness = Stillness(tmp_path, lambda: NOON)
    assert stillness.quiet() == Quiet()
    quiet.write(tmp_path, Quiet().with_mute("sessions", "a1", NOON - 1).with_mute("sessions", "c3", NOON + 1))
    assert stillness.muted() == {"c3"}


def test_an_unchanged_file_is_not_read_again(tmp_path: Path) -> None:
    stillness = Stillness(tmp_path, lambda: NOON)
    stillness.mute("a1", True)
    assert stillness.quiet() is stillness.quiet()
