"""Give every test a private home: no test sees the developer's own Claude Code, Deskbell, session bus or screen.

A run that leaves out the tests marked `long` ends with a list of the tests that need the marker and lack it.
"""

import gc
import itertools
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.costs import MOST, SPENT, costly, processor
from tests.memory import in_memory

if TYPE_CHECKING:
    from _typeshed import TraceFunction

# No deadline: a loaded machine breaks no law.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# CI tries the same cases every time. New cases are found on a developer's machine.
settings.register_profile("steady", parent=settings.get_profile("patient"), derandomize=True)
# `make quick` tries fewer cases of each law; `make test` tries them all.
settings.register_profile("few", parent=settings.get_profile("patient"), max_examples=10)
settings.register_profile("thorough", parent=settings.get_profile("patient"), max_examples=3_000)
settings.load_profile(
    "thorough" if os.environ.get("DESKBELL_THOROUGH") else "steady" if os.environ.get("CI") else "patient"
)


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell ignores it for a job in the background. Every program that a test interrupts would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it

if "TMPDIR" not in os.environ:
    tempfile.tempdir = in_memory()

number = itertools.count()
"""The numbers of the homes. mktemp would read the folder of thousands of homes to find the next one."""
FOREIGN = (
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "TMUX",
    "TMUX_PANE",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Return a function that returns an empty folder: the last one if it is still empty, as after most tests.

    Making a folder takes as long as most tests do.
    """
    found: list[Path] = []

    def empty() -> Path:
        if not found or not found[-1].is_dir() or os.listdir(found[-1]):
            found.append(tmp_path_factory.getbasetemp() / f"home-{next(number)}")
            found[-1].mkdir()
        return found[-1]

    return empty


@pytest.fixture(autouse=True)
def private_home(homes: Callable[[], Path]) -> Iterator[Path]:
    root = homes()
    own: dict[str, str | None] = dict.fromkeys(FOREIGN)
    own |= {
        "HOME": str(root),
        "USERPROFILE": str(root),
        "DESKBELL_HOME": str(root / "deskbell"),
        "CLAUDE_CONFIG_DIR": str(root / ".claude"),
        "TMUX_TMPDIR": str(root),
    }
    before = {name: os.environ.get(name) for name in own}
    set_all(own)
    yield root
    set_all(before)


def set_all(variables: Mapping[str, str | None]) -> None:
    """Set VARIABLES; remove those that are None. `monkeypatch` takes ten times as long."""
    for name, value in variables.items():
        if value is not None:
            os.environ[name] = value
        elif name in os.environ:
            del os.environ[name]


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Collect no garbage meanwhile: nearly all objects stay, and each worker would look through them many times."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Keep the collected tests out of every later collection of garbage: they stay until the end.

    Of what the tests make, little is left as garbage, so it is looked for less often than usual.
    """
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


_count: "TraceFunction | None" = None
"""The function by which `coverage` counts the lines that run; None if nothing counts them."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Count only the lines that tests run: counting makes Python twice as slow, and most of the lines are pytest's."""
    global _count
    _count = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(_count)


@contextmanager
def counting() -> Iterator[None]:
    """Count the lines that run in the block."""
    sys.settrace(_count)
    try:
        yield
    finally:
        sys.settrace(None)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    with nullcontext() if pyfuncitem.get_closest_marker("uncounted") else counting():
        return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
    """Count also the lines of a fixture that several tests share. A test that asks for it itself counts them already."""
    counts = sys.gettrace() is None and fixturedef.scope != "function"
    with counting() if counts else nullcontext():
        return (yield)


BEGUN = pytest.StashKey[float]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[BEGUN] = processor()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    yield
    item.user_properties.append((SPENT, processor() - item.stash[BEGUN]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Only list what is too slow: on a loaded machine the same work takes more processor time."""
    reports = [one for some in terminalreporter.stats.values() for one in some if isinstance(one, pytest.TestReport)]
    if "not long" in config.getoption("markexpr") and (found := costly(reports)):
        terminalreporter.section(f"more than {MOST:g} s of processor in all cases: make it cheap, or mark it `long`")
        for name, seconds in found:
            terminalreporter.write_line(f"{seconds:5.1f} s  {name}")
