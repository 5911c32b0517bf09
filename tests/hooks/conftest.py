"""Set how thoroughly the hook is tested, and start it with every Python.

DESKBELL_THOROUGH=1 takes every figure to its full size.
"""

from collections.abc import Iterator

import pytest

from tests.hooks import recorder
from tests.hooks.pythons import PYTHONS

THOROUGH = recorder.THOROUGH


@pytest.fixture(params=PYTHONS)
def python(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each Python in turn: every recorder process of the test is started by it."""
    with recorder.started_by(request.param):
        yield request.param
