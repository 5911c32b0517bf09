"""The icon and its menu in a real panel, clicked with a real pointer."""

from collections.abc import Callable
from functools import partial

import pytest
from PIL import Image

from deskbell_icons import State, draw
from tests.desktop.conftest import Program
from tests.desktop.desktop import Box, Desktop, difference, wait_until

ONE = ("s1", "permission", "Bash: npm publish")
TWO = ("s2", "question", "Which one?")
BUSY = ("s3", "working", "Thinking")
ICON = 22
RIGHT = 3


@pytest.fixture
def icon(xfce: Desktop) -> Callable[[State, int], bool]:
    """Whether the panel shows that very picture somewhere."""
    xfce.xdotool("mousemove", 640, 400)  # what is below the pointer is drawn otherwise
    empty = xfce.shot()

    def shown(state: State, count: int = 0) -> bool:
        box = difference(empty, now := xfce.shot())
        if not box:
            return False
        return any(_same(now, place, state, count) for place in _places(box))

    return shown


def _places(box: Box) -> list[tuple[int, int]]:
    """Where the picture's corner may be: its own edges are transparent."""
    left, top, right, bottom = box
    return [(x, y) for x in range(right - ICON, left + 1) for y in range(bottom - ICON, top + 1)]


def _same(screen: Image.Image, place: tuple[int, int], state: State, count: int) -> bool:
    x, y = place
    seen = screen.crop((x, y, x + ICON, y + ICON))
    wanted = Image.new("RGB", (ICON, ICON), screen.getpixel((x - 3, y)))
    picture = draw(state, count, ICON)
    wanted.paste(picture, (0, 0), picture)
    return all(abs(a - b) <= 3 for a, b in zip(seen.tobytes(), wanted.tobytes(), strict=True))


def centre(xfce: Desktop, empty: Image.Image) -> tuple[int, int]:
    wait_until(lambda: difference(empty, xfce.shot()), "an icon in the panel")
    left, top, right, bottom = difference(empty, xfce.shot()) or (0, 0, 0, 0)
    return (left + right) // 2, (top + bottom) // 2


@pytest.fixture
def menu(xfce: Desktop, faces: Program) -> Callable[[], Box]:
    """Opens the menu of what is shown; says where it is."""
    empty = xfce.shot()

    def opened() -> Box:
        x, y = centre(xfce, empty)
        closed = xfce.shot()
        xfce.click(x, y, RIGHT)

        def below() -> Box | None:
            return difference(closed.crop((0, 33, *xfce.size)), xfce.shot().crop((0, 33, *xfce.size)))

        wait_until(lambda: (box := below()) and box[3] - box[1] > 100, "an open menu")
        left, top, right, bottom = below() or (0, 0, 0, 0)
        return left, top + 33, right, bottom + 33

    return opened


def test_it_registers_with_the_panel(xfce: Desktop, faces: Program) -> None:
    faces.show(BUSY)
    faces.wait_for("hosted", True)
    wait_until(lambda: xfce.items().count("StatusNotifierItem-") == 1, "one icon in the panel")


@pytest.mark.parametrize(
    ("sessions", "state", "count"),
    [([], "quiet", 0), ([BUSY], "working", 0), ([ONE, TWO, BUSY], "blocked", 2), ([("s", "idle", "")], "your_turn", 0)],
)
def test_the_panel_shows_the_very_picture(
    faces: Program, icon: Callable[..., bool], sessions: list[tuple[str, str, str]], state: State, count: int
) -> None:
    faces.show(*sessions)
    wait_until(lambda: icon(state, count), f"the icon {state} {count}")


def test_the_picture_follows(faces: Program, icon: Callable[..., bool]) -> None:
    for blocked in (1, 2, 1, 0, 2):
        faces.show(*[ONE, TWO][:blocked], BUSY)
        wait_until(partial(icon, "blocked" if blocked else "working", blocked), f"{blocked} blocked")


def test_a_line_of_the_menu_jumps(xfce: Desktop, faces: Program, menu: Callable[[], Box]) -> None:
    faces.show(ONE, TWO, BUSY)
    menu()
    xfce.xdotool("key", "Down", "Down", "Return")
    faces.wait_for("Jump", "s2")


def test_the_pointer_reaches_the_last_line(xfce: Desktop, faces: Program, menu: Callable[[], Box]) -> None:
    faces.show(ONE)
    left, _, _, bottom = menu()
    xfce.click(left + 40, bottom - 16)
    faces.wait_for("Quit", None)


def test_a_submenu_opens(xfce: Desktop, faces: Program, menu: Callable[[], Box]) -> None:
    faces.show(BUSY)
    menu()
    xfce.xdotool("key", "Down", "Down", "Right", "Right", "Down", "Return")
    faces.wait_for("CopyResume", "s3")


def test_an_open_menu_is_patched_in_place(xfce: Desktop, faces: Program, menu: Callable[[], Box]) -> None:
    faces.show(ONE)
    left, top, right, bottom = menu()
    before = xfce.shot()
    faces.show((ONE[0], ONE[1], "Bash: rm old"))
    wait_until(lambda: difference(before, xfce.shot()), "another text in the open menu")
    changed = difference(before, xfce.shot())
    assert changed
    assert left < changed[0]
    assert top < changed[1]
    assert changed[2] < right
    assert changed[3] < bottom - 100
    xfce.xdotool("key", "Down", "Return")
    faces.wait_for("Jump", "s1")


def test_the_chosen_line_stays_chosen_when_another_comes_above_it(
    xfce: Desktop, faces: Program, menu: Callable[[], Box]
) -> None:
    faces.show(TWO)
    menu()
    before = xfce.shot()
    xfce.xdotool("key", "Down")
    wait_until(lambda: difference(before, xfce.shot()), "a chosen line")
    chosen = xfce.shot()
    faces.show(ONE, TWO)
    wait_until(lambda: difference(chosen, xfce.shot()), "a new line in the open menu")
    xfce.xdotool("key", "Return")
    faces.wait_for("Jump", "s2")


def test_a_click_on_the_icon_goes_to_the_most_urgent(xfce: Desktop, faces: Program) -> None:
    empty = xfce.shot()
    faces.show(TWO, ONE, BUSY)
    xfce.click(*centre(xfce, empty))
    faces.wait_for("Jump", "s1")


def test_the_icon_comes_back_with_the_panel(xfce: Desktop, faces: Program, icon: Callable[..., bool]) -> None:
    faces.show(ONE)
    wait_until(lambda: icon("blocked", 1), "the icon")
    xfce.panel_down()
    faces.wait_for("hosted", False)
    faces.show(ONE, TWO)
    xfce.panel_up()
    wait_until(lambda: icon("blocked", 2), "the icon of now in the new panel")


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
