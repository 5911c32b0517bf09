"""Give tests the real client: `claude` is an account, `accounts` makes more, `api` answers them."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.client import copies, fetch
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


@pytest.fixture(scope="session", autouse=True)
def _copies() -> Iterator[None]:
    """End the process that is copied."""
    yield
    copies.original.end()


@pytest.fixture
def accounts(client: Path, api: Api) -> Iterator[Callable[..., Claude]]:
    """A function that makes an account."""
    with ExitStack() as stack:
        yield lambda **more: stack.enter_context(account(client, api.url, **more))


@pytest.fixture
def claude(accounts: Callable[..., Claude]) -> Claude:
    return accounts()


TABLES = "tables"
_KEPT = pytest.StashKey[dict[str, Any]]()
Report = Callable[[Iterable[str]], None]


@pytest.fixture(scope="session")
def report(pytestconfig: pytest.Config) -> Report:
    """A function that has lines printed when all tests have run."""
    return _tables(pytestconfig).extend


def _tables(config: pytest.Config) -> list[str]:
    """The lines to print. A worker hands its own to the process that started it."""
    kept: dict[str, Any] = config.stash.setdefault(_KEPT, {})
    tables: list[str] = getattr(config, "workeroutput", kept).setdefault(TABLES, [])
    return tables


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _tables(node.config).extend(getattr(node, "workeroutput", {}).get(TABLES, ()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for line in _tables(config):
        terminalreporter.write_line(line)
