"""Test the state of the recorder and of the asker in a text."""

import pytest

from deskbell.settings.hooks_text import compared, with_hooks
from deskbell.settings.registration import Hook, Wanted, wanted
from deskbell.settings.standing import AskerState, slots_of
from tests.tray.settings_texts import ASKING, HOOK, WANTED

OTHER = wanted(Hook("/opt/python", HOOK.main, HOOK.state), (2, 1, 326), answers=True)
MISPLACED = {**WANTED, "Stop": ASKING["PermissionRequest"]}
STATES: dict[str, tuple[str, Wanted, AskerState]] = {
    "neither wanted nor there": (with_hooks("{}", WANTED), WANTED, "off"),
    "nothing is there": ("", WANTED, "off"),
    "wanted": (with_hooks("{}", WANTED), ASKING, "missing"),
    "wanted, and nothing is there": ("", ASKING, "missing"),
    "as wanted": (with_hooks("{}", ASKING), ASKING, "current"),
    "of another Python": (with_hooks("{}", OTHER), ASKING, "stale"),
    "not wanted": (with_hooks("{}", ASKING), WANTED, "stray"),
    "of another event": (with_hooks("{}", MISPLACED), ASKING, "stray"),
}


@pytest.mark.parametrize(("text", "wish", "state"), STATES.values(), ids=STATES)
def test_the_asker_has_one_state(text: str, wish: Wanted, state: AskerState) -> None:
    found = compared(text, wish)
    assert found.asker == state
    assert found.as_wanted == (state in ("off", "current") and bool(text))


def test_a_missing_asker_does_not_change_the_state_of_the_recorder() -> None:
    found = compared(with_hooks("{}", WANTED), ASKING)
    assert (found.current, found.missing, found.stale, found.stray) == (tuple(WANTED), (), (), ())


def test_each_handler_has_a_slot_of_its_own() -> None:
    slots = slots_of(ASKING)
    assert [slot for slot in slots if slot[0] == "PermissionRequest"] == [
        ("PermissionRequest", "record"),
        ("PermissionRequest", "ask"),
    ]
    assert len(slots) == len(ASKING) + 1
