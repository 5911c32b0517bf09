"""The real client, ready to use: `claude` is an account of this test, `accounts` makes more, `api` serves them."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import fetch
from tests.client.api import Api
from tests.client.claude import Claude


@pytest.fixture(scope="session")
def client() -> Path:
    """The binary; a machine that cannot have it skips, unless it is CI."""
    if reason := fetch.missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    return fetch.client()


@pytest.fixture(scope="session")
def api() -> Iterator[Api]:
    with Api() as serving:
        yield serving


@pytest.fixture
def accounts(client: Path, api: Api) -> Iterator[Callable[..., Claude]]:
    """Call it for an account; its processes and its home are gone when the test is over."""
    made: list[Claude] = []

    def account(**more: Any) -> Claude:
        made.append(Claude(client, api.url, Path(tempfile.mkdtemp(prefix="deskbell-")), **more))
        return made[-1]

    yield account
    for claude in made:
        claude.end()
        shutil.rmtree(claude.home, ignore_errors=True)


@pytest.fixture
def claude(accounts: Callable[..., Claude]) -> Claude:
    return accounts()
