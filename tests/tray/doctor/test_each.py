"""Test that a check that raises is said to be unknown, and hides no other."""

from collections.abc import Iterator

import pytest

from deskbell.doctor import Check
from deskbell.doctor.each import AGAIN, each
from deskbell.doctor.report import checks
from deskbell.home import home

GOOD = Check("good", "ok", "It holds.")


def broken() -> Iterator[Check]:
    yield GOOD
    raise LookupError("boom")


def test_what_raises_is_a_check_of_its_own_after_what_it_has_found() -> None:
    unknown = Check("disk", "bad", "Cannot check the disk: LookupError: boom.", AGAIN)
    assert list(each({"disk": broken, "files": lambda: [GOOD]})) == [GOOD, unknown, GOOD]


def test_a_bus_whose_address_nobody_expects_hides_no_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "tcp:host=127.0.0.1,port=9999999")
    found = {check.name: check for check in checks(home(), None, [])}
    assert found["notifications"].sentence.startswith("Cannot check the notifications: OverflowError: ")
    assert found.keys() >= {"client", "disk space", "answers", "settings of Deskbell", "clipboard", "terminal"}
