"""Test the icon and its menu in a real panel, clicked with a real pointer."""

from collections.abc import Iterator

import pytest

from deskbell_icons import IconState
from tests.desktop.conftest import Program
from tests.desktop.desktop import Desktop, difference, wait_until
from tests.desktop.panel import LEFT, MIDDLE, Panel

ONE = ("s1", "permission", "Bash: npm publish")
TWO = ("s2", "question", "Which one?")
BUSY = ("s3", "working", "Thinking")
CRASHED = ("s4", "crashed", "Bash: make test")


def still(xfce: Desktop) -> None:
    """Wait until the screen no longer changes."""
    shots = [xfce.shot()]

    def same() -> bool:
        shots.append(xfce.shot())
        return len(shots) > 3 and not any(difference(shots[-1], earlier) for earlier in shots[-3:-1])

    wait_until(same, "a screen that no longer changes")


@pytest.fixture
def panel(xfce: Desktop) -> Panel:
    return Panel(xfce)


@pytest.fixture
def faces(xfce: Desktop, panel: Panel) -> Iterator[Program]:
    program = Program(xfce, "-m", "tests.desktop.faces")
    yield program
    assert program.end() == 0
    wait_until(lambda: "StatusNotifierItem-" not in xfce.items(), "the icon to leave the panel")


def test_it_registers_with_the_panel(xfce: Desktop, faces: Program) -> None:
    faces.show(BUSY)
    faces.wait_for("hosted", True)
    wait_until(lambda: xfce.items().count("StatusNotifierItem-") == 1, "one icon in the panel")


@pytest.mark.parametrize(
    ("sessions", "state", "count"),
    [([], "quiet", 0), ([BUSY], "working", 0), ([ONE, TWO, BUSY], "blocked", 2), ([("s", "idle", "")], "your_turn", 0)],
)
def test_the_panel_shows_the_very_picture(
    faces: Program, panel: Panel, sessions: list[tuple[str, str, str]], state: IconState, count: int
) -> None:
    faces.show(*sessions)
    panel.wait_for(state, count)


def test_the_picture_follows(faces: Program, panel: Panel) -> None:
    for blocked in (1, 2, 1, 0, 2):
        faces.show(*[ONE, TWO][:blocked], BUSY)
        panel.wait_for("blocked" if blocked else "working", blocked)


def test_the_tooltip_is_there_from_the_start(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(ONE, TWO, BUSY)
    panel.wait_for("blocked", 2)
    assert "2 blocked" in panel.tooltip()


def test_the_first_line_below_a_session_shows_where_it_runs(xfce: Desktop, faces: Program, panel: Panel) -> None:
    """The lines of what it asks cannot be chosen."""
    faces.show(ONE, TWO, BUSY)
    panel.open_menu()
    xfce.xdotool("key", "Down", "Down", "Right", "Return")
    faces.wait_for("Jump", "s2")


def test_the_pointer_reaches_the_last_line(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(ONE)
    left, _, _, bottom = panel.open_menu()
    xfce.click(left + 40, bottom - 16)
    faces.wait_for("Quit", None)


def test_a_submenu_opens(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(BUSY)
    panel.open_menu()
    xfce.xdotool("key", "Down", "Right", "Down", "Return")
    faces.wait_for("Later", "s3")


def test_opening_the_menu_takes_note_of_its_crashes_each_time(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(BUSY)
    panel.open_menu()
    xfce.xdotool("key", "Escape")
    faces.show(BUSY, CRASHED)
    wait_until(lambda: "Crashed: 1" in panel.menu(), "the crash in the menu")
    assert "Seen" not in [said[0] for said in faces.said]
    for times in (1, 2):
        xfce.xdotool("mousemove", 640, 400)
        panel.open_menu()
        wait_until(lambda n=times: faces.said.count(["Seen", "s4"]) == n, f"the opened menu, {times} times")
        xfce.xdotool("key", "Escape")


def test_a_crash_is_dismissed_in_its_submenu(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(CRASHED)
    panel.open_menu()
    xfce.xdotool("key", "Down", "Right", "Down", "Down", "Return")
    faces.wait_for("Dismiss", "s4")


def test_an_open_menu_is_patched_in_place(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(ONE)
    left, top, right, bottom = panel.open_menu()
    lines, below = (left, top, right, bottom - 80), (left, bottom - 80, right, bottom)
    before = xfce.shot()
    faces.show((ONE[0], "question", "Which one?"))
    wait_until(lambda: difference(before.crop(lines), xfce.shot().crop(lines)), "another sign in the open menu")
    assert difference(before.crop(below), xfce.shot().crop(below)) is None
    xfce.xdotool("key", "Down", "Right", "Return")
    faces.wait_for("Jump", "s1")


def test_what_is_asked_is_patched_in_an_open_submenu(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(ONE)
    panel.open_menu()
    before = xfce.shot()
    xfce.xdotool("key", "Down", "Right")
    wait_until(lambda: difference(before, xfce.shot()), "an open submenu")
    still(xfce)
    opened = xfce.shot()
    faces.show((ONE[0], ONE[1], "Bash: rm -rf old"))
    wait_until(lambda: difference(opened, xfce.shot()), "another request in the open submenu")
    xfce.xdotool("key", "Return")
    faces.wait_for("Jump", "s1")


def test_rows_that_come_and_go_leave_an_open_submenu_open(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(ONE, TWO)
    panel.open_menu()
    xfce.xdotool("key", "Down", "Right")
    still(xfce)
    for shown in ((ONE, TWO, BUSY), (ONE, BUSY), (ONE, TWO, CRASHED)):
        opened = xfce.shot()
        faces.show(*shown)
        wait_until(lambda before=opened: difference(before, xfce.shot()), "other rows in the open menu")
        still(xfce)
    xfce.xdotool("key", "Return")
    faces.wait_for("Jump", "s1")


def test_the_chosen_line_stays_chosen_when_another_comes_above_it(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(TWO)
    panel.open_menu()
    before = xfce.shot()
    xfce.xdotool("key", "Down")
    wait_until(lambda: difference(before, xfce.shot()), "a chosen line")
    chosen = xfce.shot()
    faces.show(ONE, TWO)
    wait_until(lambda: difference(chosen, xfce.shot()), "a new line in the open menu")
    xfce.xdotool("key", "Right", "Return")
    faces.wait_for("Jump", "s2")


def test_a_left_click_on_the_icon_opens_the_menu_and_does_nothing_else(
    xfce: Desktop, faces: Program, panel: Panel
) -> None:
    faces.show(ONE)
    left, _, _, bottom = panel.open_menu(LEFT)
    assert [said for said in faces.said if said[0] != "hosted"] == []
    xfce.click(left + 40, bottom - 16)
    faces.wait_for("Quit", None)


def test_a_middle_click_on_the_icon_goes_to_the_most_urgent(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(TWO, ONE, BUSY)
    xfce.click(*panel.centre(), MIDDLE)
    faces.wait_for("Jump", "s1")


def test_where_nobody_needs_you_a_middle_click_on_the_icon_shows_the_board(
    xfce: Desktop, faces: Program, panel: Panel
) -> None:
    faces.show(BUSY)
    xfce.click(*panel.centre(), MIDDLE)
    faces.wait_for("Open", "board")


def test_the_icon_comes_back_with_the_panel(xfce: Desktop, faces: Program, panel: Panel) -> None:
    faces.show(ONE)
    panel.wait_for("blocked", 1)
    xfce.panel_down()
    faces.wait_for("hosted", False)
    faces.show(ONE, TWO)
    xfce.panel_up()
    panel.wait_for("blocked", 2)


def test_a_panel_may_come_later_than_the_program(fragile: Desktop) -> None:
    program = Program(fragile, "-m", "tests.desktop.faces")
    program.show(ONE)
    program.wait_for("hosted", False)
    fragile.panel_up()
    program.wait_for("hosted", True)
    wait_until(lambda: "StatusNotifierItem-" in fragile.items(), "the icon in the late panel")
    assert program.end() == 0


def test_the_bus_may_go_and_come_back(fragile: Desktop) -> None:
    fragile.panel_up()
    program = Program(fragile, "-m", "tests.desktop.faces")
    program.show(ONE)
    program.wait_for("hosted", True)
    program.said.clear()
    fragile.stop("xfce4-panel")
    fragile.bus_down()
    program.wait_for("hosted", False)
    fragile.bus_up()
    fragile.panel_up()
    program.wait_for("hosted", True)
    wait_until(lambda: "StatusNotifierItem-" in fragile.items(), "the icon on the new bus")
    assert program.end() == 0


def test_without_any_bus_it_runs_and_ends_all_the_same(fragile: Desktop) -> None:
    fragile.bus_down()
    program = Program(fragile, "-m", "tests.desktop.faces")
    program.show(ONE)
    program.wait_for("hosted", False)
    assert program.end() == 0
