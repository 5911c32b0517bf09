"""Test that a person is told the true reason why a tab is not reached: nothing that is installed is recommended."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from deskbell.desktop.focus.processes import environment, terminals
from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.hints import hint
from deskbell.desktop.jump.spot import Spot, spot
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc, D-Bus")

TABS = """
import pty, sys, time
for _ in range(int(sys.argv[1])):
    pid, _ = pty.fork()
    if not pid:
        time.sleep(60)
    print(pid, flush=True)
time.sleep(60)
"""


@contextmanager
def terminal(folder: Path, name: str, tabs: int = 2, env: Mapping[str, str] | None = None) -> Iterator[Spot]:
    """Run a program of this NAME with TABS. Yield the spot of what runs in the first one."""
    program = folder / name
    program.symlink_to(Path(sys.executable).resolve())
    command = [str(program), "-c", TABS, str(tabs)]
    with subprocess.Popen(command, env=dict(env or {}), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        first = int(process.stdout.readline())
        try:
            wait(lambda: terminals(process.pid) == tabs, "the tabs")
            there = spot(first)
            assert there
            yield there
        finally:
            process.kill()


CONFIG = """<busconfig><type>session</type><listen>{address}</listen><servicedir>{folder}</servicedir>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""


@pytest.fixture
def services(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The folder of the services that the bus can start; one, if the test names it."""
    folder = tmp_path / "services"
    folder.mkdir()
    if name := getattr(request, "param", ""):
        (folder / f"{name}.service").write_text(f"[D-BUS Service]\nName={name}\nExec=/bin/false\n")
    return folder


@pytest.fixture
def address(tmp_path: Path, services: Path) -> Iterator[str]:
    if not shutil.which("dbus-daemon"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("dbus-daemon is missing: see tests/system-packages.sh")
    socket, config = tmp_path / "bus", tmp_path / "bus.conf"
    config.write_text(CONFIG.format(address=f"unix:path={socket}", folder=services))
    command = ["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={config}"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as daemon:
        try:
            wait(socket.exists, "the bus")
            yield f"unix:path={socket}"
        finally:
            daemon.terminate()


def said(there: Spot, address: str) -> str:
    with Desk({"DBUS_SESSION_BUS_ADDRESS": address}) as desk:
        return hint(there, desk)


UNKNOWN = "has several tabs or windows, and it is not known which one is shown."


def test_accessibility_is_recommended_where_it_is_missing(tmp_path: Path, address: str) -> None:
    with terminal(tmp_path, "xfce4-terminal") as there:
        help_ = "Install at-spi2-core and start xfce4-terminal again to reach its tabs."
        assert said(there, address) == f"xfce4-terminal {UNKNOWN} {help_}"


@pytest.mark.parametrize(("name", "value"), [("NO_AT_BRIDGE", "1"), ("GTK_A11Y", "none")])
def test_accessibility_that_was_switched_off_is_named(tmp_path: Path, address: str, name: str, value: str) -> None:
    with terminal(tmp_path, "mate-terminal", env={name: value}) as there:
        assert environment(there.line[1])[name] == value
        assert f"mate-terminal was started with {name}={value}" in said(there, address)
        assert "nstall" not in said(there, address)


@pytest.mark.parametrize("services", ["org.a11y.Bus"], indirect=True)
def test_a_terminal_that_takes_no_part_in_it_is_started_again(tmp_path: Path, address: str) -> None:
    with terminal(tmp_path, "xfce4-terminal") as there:
        help_ = "xfce4-terminal does not take part in accessibility. Start it again to reach its tabs."
        assert said(there, address).endswith(help_)


def test_nothing_is_recommended_where_no_bus_answers(tmp_path: Path) -> None:
    with terminal(tmp_path, "xfce4-terminal") as there:
        unheard = said(there, f"unix:path={tmp_path / 'nowhere'}")
        assert unheard == f"xfce4-terminal {UNKNOWN} The session bus does not answer, on which it is asked."


def test_a_terminal_with_one_tab_or_of_another_kind_needs_no_help(tmp_path: Path, address: str) -> None:
    with terminal(tmp_path, "tilix", tabs=1) as there:
        assert said(there, address) == ""
    with terminal(tmp_path, "sakura") as there:
        assert said(there, address) == f"sakura {UNKNOWN}"
