"""Test which machine and pid namespace this program takes for its own. The looks at whole machines are in test_world."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from deskbell.sessions.here import Here, here, is_identified

THIS = Here("laptop", "m1", "b1", "pid:[1]")


@pytest.mark.skipif(sys.platform != "linux", reason="these files are of Linux")
def test_linux_identifies_this_machine_its_start_and_its_pids() -> None:
    assert here() == Here(
        os.uname().nodename,
        Path("/etc/machine-id").read_text().strip() if Path("/etc/machine-id").exists() else "",
        Path("/proc/sys/kernel/random/boot_id").read_text().strip(),
        os.readlink("/proc/self/ns/pid"),
    )


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ({}, True),
        ({"host": "laptop"}, True),
        ({"host": "elsewhere"}, False),
        ({"host": "elsewhere", "boot": "b1"}, True),
        ({"host": "elsewhere", "machine": "m1", "boot": "b0"}, True),
        ({"host": "laptop", "machine": "m2", "boot": "b2"}, False),
        ({"host": "laptop", "machine": "m2"}, False),
        ({"host": "laptop", "boot": "b2"}, True),
    ],
)
def test_a_machine_is_known_by_its_ids_and_only_without_them_by_its_name(where: dict[str, Any], found: bool) -> None:
    assert THIS.has_machine(where) is found


def test_where_this_machine_has_no_ids_the_name_decides() -> None:
    assert Here("mac").has_machine({"host": "mac", "machine": "m1", "boot": "b1"})
    assert not Here("mac").has_machine({"host": "pc", "machine": "m1", "boot": "b1"})


@pytest.mark.parametrize(
    ("this", "pids", "found"),
    [
        (THIS, "pid:[1]", True),
        (THIS, "", True),
        (THIS, "pid:[2]", False),
        (Here("mac"), "pid:[2]", True),
    ],
)
def test_an_unknown_namespace_counts_as_this_one(this: Here, pids: str, found: bool) -> None:
    assert this.has_pids(pids) is found


def test_a_record_of_an_older_hook_has_only_the_name_of_its_machine() -> None:
    assert is_identified({"host": "laptop", "machine": "m1"})
    assert is_identified({"boot": "b1"})
    assert not is_identified({"host": "laptop"})
