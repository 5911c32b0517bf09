"""Give tests the real client: `claude` is an account, `accounts` makes more, `api` answers them."""

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
    """The binary. Without it the test is skipped; in CI it fails."""
    if reason := fetch.missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    return fetch.client()


@pytest.fixture(scope="session")
def api() -> Iterator[Api]:
    with Api() as serving:
        yield serving


@pytest.fixture
def accounts(client: Path, api: Api) -> Iterator[Callable[..., Claude]]:
    """A function that makes an account."""
    with ExitStack() as stack:
        yield lambda **more: stack.enter_context(account(client, api.url, **more))


@pytest.fixture
def claude(accounts: Callable[..., Claude]) -> Claude:
    return accounts()
