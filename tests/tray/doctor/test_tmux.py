"""Test what the doctor says of tmux: nothing where nobody wants it, else what is missing and the next step."""

import sys

import pytest

from deskbell.desktop.tmux.applied import Server
from deskbell.doctor import Check, Grade
from deskbell.doctor.tmux import checked, servers
from deskbell.home import home
from deskbell.settings import tmux_files
from deskbell.settings.interpreter import Interpreter

PYTHON = Interpreter(sys.executable, sys.version_info[:2], sys.implementation.cache_tag or "")
SHOWS, NEW = Server("/s/a", "3.4", True), Server("/s/b", "3.0a", False)
OLD = Server("/s/c", "2.8", False, "tmux 2.8 is too old.")


def found(*servers: Server, is_there: bool = True) -> list[Check]:
    return list(checked(home(), lambda: is_there, lambda _: servers))


@pytest.fixture
def installed() -> tmux_files.Files:
    places = tmux_files.files(home(), {})
    tmux_files.install(places, PYTHON, ("/opt/deskbell",), ("u", "b"))
    return places


def test_nothing_is_checked_where_nothing_is_installed() -> None:
    assert found(SHOWS) == []


CASES: list[tuple[tuple[Server, ...], list[tuple[Grade, str]]]] = [
    ((), [("ok", "no server runs now")]),
    ((SHOWS,), [("ok", "tmux 3.4")]),
    ((SHOWS, NEW), [("warn", "tmux 3.0a, does not show the sessions yet")]),
    ((OLD,), [("warn", "too old")]),
]


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("servers", "expected"), CASES)
def test_each_server_is_checked(servers: tuple[Server, ...], expected: list[tuple[Grade, str]]) -> None:
    seen = found(*servers)
    assert [check.verdict for check in seen] == [verdict for verdict, _ in expected]
    assert all(words in check.sentence for check, (_, words) in zip(seen, expected, strict=True))
    assert all(check.mend for check in seen if check.verdict != "ok")


@pytest.mark.usefixtures("installed")
def test_a_missing_tmux_is_a_warning() -> None:
    (check,) = found(is_there=False)
    assert check.verdict == "warn"


def test_a_file_of_another_version_is_a_warning(installed: tmux_files.Files) -> None:
    installed.include.write_text("old")
    (check,) = found(SHOWS)
    assert (check.verdict, check.mend) == ("warn", "Run `deskbell tmux install`.")


def test_without_a_socket_there_is_no_server() -> None:
    assert servers(home()) == []  # the folder of the tests has none
