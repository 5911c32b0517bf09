"""Test that calls of the program fail and are counted, that those of tests do not, and that nothing stays replaced."""

import errno
import os
from pathlib import Path

import pytest

from deskbell.files.read import read
from tests.faults.calls import Fault, calls_of_program
from tests.faults.injector import Injector, failing

CALLS = calls_of_program()


def test_only_the_call_of_that_number_fails_and_its_place_is_known(tmp_path: Path) -> None:
    file = tmp_path / "a"
    injector = Injector(Fault("os.open", 1, errno.EMFILE))
    with injector.installed(CALLS):
        file.write_bytes(b"one")
        assert read(file, 9) == b"one"
        with pytest.raises(OSError, match="Too many open files"):
            read(file, 9)
        assert read(file, 9) == b"one"
    assert injector.counted["os.open"] == 3
    assert str(injector.failed).startswith("read.py:")


def test_a_lasting_fault_ends_when_it_is_over(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    injector = Injector(Fault("os.read", 0, errno.EIO, lasting=True))
    with injector.installed(CALLS):
        for _ in range(2):
            with pytest.raises(OSError, match="Input/output error"):
                read(tmp_path / "a", 9)
        injector.over = True
        assert read(tmp_path / "a", 9) == b"one"


def test_calls_of_tests_are_neither_counted_nor_failed(tmp_path: Path) -> None:
    injector = Injector(Fault("os.stat", 0, errno.EIO))
    with injector.installed(CALLS):
        assert tmp_path.exists()
        os.close(os.open(tmp_path, os.O_RDONLY))
    assert (injector.failed, dict(injector.counted)) == (None, {})


def test_everything_is_as_before_afterwards() -> None:
    before = [vars(call.owner).get(call.attribute) for call in CALLS]
    with Injector().installed(CALLS):
        assert [vars(call.owner).get(call.attribute) for call in CALLS] != before
    assert [vars(call.owner).get(call.attribute) for call in CALLS] == before


def test_a_fault_that_was_never_met_is_a_mistake_of_the_test() -> None:
    with pytest.raises(AssertionError, match=r"os\.open was not called"), failing("os.open", errno.EIO):
        pass
