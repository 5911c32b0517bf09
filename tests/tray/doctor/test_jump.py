"""Test `deskbell doctor --jump` with jumps that come as far as a test says."""

from collections.abc import Callable

import pytest

from deskbell.desktop.jump.arrival import Arrival
from deskbell.doctor.jump import NOTHING, examined
from deskbell.session import Session
from tests.tray.making import session

CAME = {
    "pane": Arrival("pane", True, "In front: the window of xterm, tmux pane %1."),
    "tab": Arrival("tab", True, "In front: the window of kitty, kitty window 2."),
    "asked": Arrival("window", None, "Asked for the window of foot, but nothing here tells whether it is in front."),
    "short": Arrival("window", False, "In front: the window of kitty. Set `allow_remote_control yes` in kitty.conf."),
}


def tried(*names: str) -> tuple[list[str], list[str]]:
    """What was done, in order, and what the doctor says."""
    done: list[str] = []

    def jump(one: Session) -> Arrival:
        done.append(one.session_id)
        return CAME[one.session_id]

    def way_back() -> Callable[[], None]:
        done.append("remember")
        return lambda: done.append("back")

    sessions = [session(session_id=name, title=name) for name in names]
    others = [session(status="crashed"), session(hidden=True)]
    said = [f"{check.verdict} {check.sentence}" for check in examined([*sessions, *others], jump, way_back)]
    return done, said


def test_every_session_is_tried_and_the_person_is_brought_back() -> None:
    done, said = tried("pane", "tab", "asked")
    assert done == ["remember", "pane", "tab", "asked", "back"]
    assert said[:3] == [f"ok {CAME[name].sentence}" for name in ("pane", "tab", "asked")]
    assert said[3] == "ok Of 3: 1 to the pane, 1 to the tab, 1 to the window."


def test_a_jump_that_falls_short_is_a_warning() -> None:
    _, said = tried("tab", "short")
    assert said[1:] == [f"warn {CAME['short'].sentence}", "warn Of 2: 1 to the tab, 1 not all the way."]


def test_the_person_is_brought_back_although_the_person_ends_it() -> None:
    done: list[str] = []

    def jump(_: Session) -> Arrival:
        raise KeyboardInterrupt

    checks = examined([session()], jump, lambda: lambda: done.append("back"))
    with pytest.raises(KeyboardInterrupt):
        next(checks)
    assert done == ["back"]


def test_a_jump_that_breaks_is_a_check_of_its_own_and_hides_no_other() -> None:
    done, said = tried("tab", "broken", "pane")
    assert done == ["remember", "tab", "broken", "pane", "back"]
    assert said == [
        f"ok {CAME['tab'].sentence}",
        "bad Cannot check the jump to api: broken: KeyError: 'broken'.",
        f"ok {CAME['pane'].sentence}",
        "warn Of 3: 1 to the pane, 1 to the tab, 1 not all the way.",
    ]


def test_without_sessions_nothing_is_tried() -> None:
    (check,) = examined([], lambda _: CAME["pane"])
    assert (check.verdict, check.mend) == ("warn", NOTHING)
