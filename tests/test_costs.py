"""Test that the tests which need the marker `long` are found."""

import subprocess
import sys
from typing import NamedTuple

from tests.costs import SPENT, costly, processor


class Part(NamedTuple):
    nodeid: str
    spent: float | None
    """None for a part that reports no time, as a setup does."""

    @property
    def user_properties(self) -> list[tuple[str, object]]:
        return [] if self.spent is None else [(SPENT, self.spent)]


def test_the_cases_of_a_test_count_together_and_the_most_costly_comes_first() -> None:
    parts = [
        Part("a.py::one[x]", 0.4),
        Part("a.py::one[y[0]]", None),
        Part("a.py::one[y[0]]", 0.75),
        Part("b.py::two", None),
    ]
    assert costly([*parts, Part("b.py::two", 2.5)]) == [("b.py::two", 2.5), ("a.py::one", 1.15)]


def test_tests_that_take_a_second_or_less_are_not_named() -> None:
    assert costly([Part("a.py::one[x]", 0.5), Part("a.py::one[y]", 0.5), Part("a.py::other", 0.9)]) == []


WORK = "import time\nwhile time.process_time() < 0.3: pass"


def test_the_work_of_a_child_is_counted_and_the_wait_for_it_is_not() -> None:
    before = processor()
    subprocess.run([sys.executable, "-I", "-S", "-c", WORK], check=True)
    worked = processor()
    subprocess.run([sys.executable, "-I", "-S", "-c", "import time; time.sleep(0.3)"], check=True)
    assert worked - before > 0.25 > processor() - worked
