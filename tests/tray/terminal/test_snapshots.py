"""Test what the board shows on screens of three sizes, with few sessions and with many, and in which colours.

`DESKBELL_SNAPSHOTS=write` writes the snapshots anew; look at each before it is kept. A light screen and a dark one show
the same: no background is ever set, and `test_palette` computes that each colour can be read on both.
"""

import asyncio
import os
import re
from pathlib import Path

import pytest

from deskbell.session import STATUSES, Session
from deskbell.terminal.palette import READABLE, has_many
from tests.tray.cards.boards import NOW, OFFICE, agent, one
from tests.tray.terminal.boards import board, export

SNAPSHOTS = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (120, 40), (200, 60))
LIVING = [status for status in STATUSES if status not in ("ended", "crashed")]
MANY = tuple(
    one(
        f"project-{number:02}",
        LIVING[number % len(LIVING)],
        30.0 + 40 * number,
        branch=f"feature/{number}",
        model="claude-opus-5-5",
        context_percent=float(number),
        output_tokens=1000 * number,
        cost_usd=number / 7,
        todo=(number % 5, 5) if number % 3 == 0 else None,
        agents=(agent("Explore", detail="Grep: x"),) if number % 9 == 0 else (),
        turn_started=NOW - 20 * number,
        detail="Bash: make test",
        last_line="All checks pass.",
    )
    for number in range(54)
)
BOARDS: dict[str, tuple[Session, ...]] = {"none": (), "few": OFFICE, "54": MANY}
STYLE = re.compile(r"\x1b\[([0-9;]*)m")
SHAPES = {"0", "1", "2", "3", "4", "7", "39", "49", ""}
"""Bold, dim, italic, underlined and reverse, and the colours of the terminal itself."""


def drawn(sessions: tuple[Session, ...], size: tuple[int, int], styles: bool) -> str:
    async def draw() -> str:
        async with board(sessions, size) as stage:
            return export(stage.app, styles=styles)

    return asyncio.run(draw())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", BOARDS)
def test_the_board_is_as_it_was_looked_at(name: str, size: tuple[int, int]) -> None:
    found = "\n".join(line.rstrip() for line in drawn(BOARDS[name], size, styles=False).split("\n")).rstrip() + "\n"
    path = SNAPSHOTS / f"{name}-{size[0]}x{size[1]}.txt"
    if os.environ.get("DESKBELL_SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", BOARDS)
def test_it_sets_no_background_and_no_colour_but_those_that_can_be_read_on_light_and_dark(
    name: str, size: tuple[int, int]
) -> None:
    colours = {f"38;5;{number}" for number in READABLE.values()} if has_many(os.environ) else set()
    found = {code for codes in STYLE.findall(drawn(BOARDS[name], size, styles=True)) for code in parts(codes)}
    named = set() if colours else {f"3{number}" for number in READABLE}
    assert found <= SHAPES | colours | named
    assert name == "none" or found & (colours | named)


def parts(codes: str) -> list[str]:
    """Split the codes of a style; a colour of 256 is one of them."""
    return re.findall(r"[34]8;5;\d+|\d+", codes)
