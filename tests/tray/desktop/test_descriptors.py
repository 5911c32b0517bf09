"""Test the limit of open files in processes that have one of their own."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such limits there")

PROGRAM = """
import resource, sys
from deskbell.desktop.descriptors import allow_enough, share
given = [resource.RLIM_INFINITY if word == "any" else int(word) for word in sys.argv[1:]]
resource.setrlimit(resource.RLIMIT_NOFILE, tuple(given))
allow_enough()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], share())
"""

TABLE = {
    "as few as there can be": ((64, 64), (64, 16)),
    "few, and more on request": ((64, 1000), (1000, 250)),
    "the usual": ((1024, 4096), (4096, 256)),
    "more than are needed on request": ((256, 5000), (4096, 256)),
    "more than are needed": ((5000, 5000), (5000, 256)),
}


@pytest.mark.parametrize(("given", "found"), TABLE.values(), ids=TABLE)
def test_the_limit_is_raised_as_far_as_it_helps_and_a_part_of_it_is_for_processes(
    given: tuple[int, int], found: tuple[int, int]
) -> None:
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PROGRAM, *map(str, given)]
    done = subprocess.run(command, env=os.environ | path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(number) for number in found]
