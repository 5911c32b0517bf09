"""The real client, ready to use: `claude` is an account of this test, `accounts` makes more, `api` serves them."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.client import fetch
from tests.client.api import Api
from tests.client.claude import Claude, account


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
    """Call it for one more account."""
    with ExitStack() as stack:
        yield lambda **more: stack.enter_context(account(client, api.url, **more))


@pytest.fixture
def claude(accounts: Callable[..., Claude]) -> Claude:
    return accounts()
