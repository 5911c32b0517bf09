"""Test the page of the doctor."""

import re

import pytest

from deskbell.doctor import Check, Grade
from deskbell.pages.doctor import page, title
from tests.tray.pages.test_markup import Read

CHECKS = (
    Check("client", "ok", "Claude Code 2.1.326 at /usr/bin/claude."),
    Check("tray", "warn", "No tray found.", "Start a panel."),
    Check("settings", "bad", "The hooks were removed.", "Run `deskbell install`."),
)


def test_every_check_has_its_mark_and_what_to_do_the_worst_first() -> None:
    words = re.sub(r"\s+", " ", " ".join(Read(page(CHECKS).body).texts))
    assert words == (
        "1 check fails, 1 could be better "
        "Does not work 1 ✗ Settings The hooks were removed. What to do: Run deskbell install . "
        "Could be better 1 ! Tray No tray found. What to do: Start a panel. "
        "Works 1 ✓ Client Claude Code 2.1.326 at /usr/bin/claude."
    )


@pytest.mark.parametrize(
    ("grades", "said"),
    [
        (("ok", "ok"), "All is well"),
        (("bad", "bad"), "2 checks fail"),
        (("warn", "ok"), "1 could be better"),
    ],
)
def test_the_title_counts_what_is_not_well(grades: tuple[Grade, ...], said: str) -> None:
    assert title(Check("x", grade, "Y.") for grade in grades) == said
