"""One desktop for all tests of a module; where its parts are missing the tests skip, and in CI they fail."""

import os
from collections.abc import Iterator

import pytest

from tests.desktop.desktop import Desktop, desktop, missing


@pytest.fixture(scope="module")
def xfce(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    if absent := missing():
        stop = pytest.fail if os.environ.get("CI") else pytest.skip
        stop(f"a desktop needs {', '.join(absent)}: see tests/system-packages.sh")
    with desktop(tmp_path_factory.mktemp("desk"), "xfce4-notifyd") as one:
        yield one
