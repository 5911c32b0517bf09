"""Test how the limits of an account are put into words."""

import pytest

from deskbell.text.times import clock
from deskbell.text.usage import in_words
from deskbell.usage import Usage, Window
from tests.tray.making import NOON

FIVE, SEVEN = Window("five_hour", 41.6, NOON + 3600), Window("seven_day", 12, NOON + 86_400)
UNTIL, LATER = clock(FIVE.resets, NOON), clock(SEVEN.resets, NOON)


@pytest.mark.parametrize(
    ("usages", "long", "brief"),
    [
        ([], [], []),
        ([Usage("~/.claude", (FIVE, SEVEN))], [f"5 h 42 % until {UNTIL}, 7 d 12 % until {LATER}"], ["5 h 42 %, 7 d 12 %"]),
        (
            [Usage("~/.claude", (FIVE,)), Usage("~/wor\x1b[31mk", (SEVEN,))],
            [f"~/.claude: 5 h 42 % until {UNTIL}", f"~/work: 7 d 12 % until {LATER}"],
            ["~/.claude: 5 h 42 %", "~/work: 7 d 12 %"],
        ),
    ],
)  # fmt: skip
def test_each_account_says_what_it_has_used(usages: list[Usage], long: list[str], brief: list[str]) -> None:
    assert in_words(usages, NOON) == long
    assert in_words(usages, NOON, long=False) == brief
