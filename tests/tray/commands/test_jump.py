"""Test `deskbell jump` without a screen: what a person reads, and the exit code."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.home import home
from deskbell.sessions.visits import visits
from deskbell_hooks.record import record_event
from tests.tray.commands.said import Out, crashed, recorded, registered, running, said
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc, tmux")


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "HYPRLAND_INSTANCE_SIGNATURE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def client() -> Iterator[int]:
    with subprocess.Popen(["sleep", "60"], env={}) as process:
        yield process.pid
        process.terminate()


def test_without_a_display_it_ends_with_one_sentence(client: int, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    running("aaaa1111", "/tmp/web", client, monkeypatch)
    for word in ("aaaa", "web"):
        assert said(capsys, "jump", word, code=1).startswith("deskbell: There is no display here.")
    assert visits(home().state) == {}


def test_a_running_session_is_never_given_its_resume_command(
    client: int, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    running("aaaa1111", "/tmp/web", client, monkeypatch)
    assert "resume" not in said(capsys, "jump", "aaaa", code=1)


def test_a_crashed_session_can_be_resumed(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    crashed("cccc1111", "/tmp", monkeypatch)
    text = said(capsys, "jump", "cccc", code=1)
    assert "has ended." in text
    assert "Run `deskbell resume cccc1111` to go on with it." in text


def test_of_two_clients_none_is_guessed(client: int, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    running("aaaa1111", "/tmp/web", client, monkeypatch)
    registered("aaaa1111", os.getpid())
    for verb in ("jump", "resume"):
        text = said(capsys, verb, "web", code=2)
        assert "Session aaaa1111 runs in several terminals: " in text
        assert f"aaaa1111:{client} (working)" in text
    assert "Ship" not in said(capsys, "jump", f"web:{client}", "--print")


def test_a_session_that_ended_long_ago_is_refused(capsys: Out) -> None:
    recorded("dddd1111", "web")
    assert said(capsys, "jump", "web", code=1).startswith("deskbell: Session dddd1111 has ended.")


def test_an_unknown_session_is_not_found(capsys: Out) -> None:
    assert said(capsys, "jump", "nobody", code=3).startswith('deskbell: No session matches "nobody".')


def test_where_nobody_waits_there_is_no_next(capsys: Out) -> None:
    assert said(capsys, "jump", "--next", code=1).startswith("deskbell: No session needs you.")


def test_next_goes_on_where_the_most_urgent_session_cannot_be_reached(
    client: int, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have no window, and nobody comes to the second if the first is chosen for ever."""
    with subprocess.Popen(["sleep", "60"], env={}) as other:
        for name, pid in (("aaaa1111", client), ("bbbb1111", other.pid)):
            running(name, f"/tmp/{name[:4]}", pid, monkeypatch)
            event = {"hook_event_name": "Stop", "session_id": name, "cwd": f"/tmp/{name[:4]}"}
            record_event(str(home().state), json.dumps(event).encode())
        tried = []
        for _ in range(3):
            said(capsys, "jump", "--next", code=1)
            seen = visits(home().state)
            tried.append(max(seen, key=lambda name: seen[name]))
        other.terminate()
    assert tried[0] != tried[1]
    assert tried[0] == tried[2]


def test_print_says_where_it_is_and_goes_nowhere(client: int, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    running("aaaa1111", "/tmp/web", client, monkeypatch)
    assert said(capsys, "jump", "aaaa", "--print") == "go: a process without a terminal\n"


def test_a_link_of_the_statusline_leads_to_its_session_and_no_other_link_does(
    client: int, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    running("aaaa1111", "/tmp/web", client, monkeypatch)
    link = "deskbell://jump/aaaa1111"
    assert said(capsys, "jump", link, "--print") == "go: a process without a terminal\n"
    assert "leads to no session" in said(capsys, "jump", "deskbell://jump/../aaaa1111", code=2)
    assert "No session matches" in said(capsys, "jump", "deskbell://other/aaaa1111", code=3)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[list[str]]:
    if not shutil.which("tmux"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("tmux is missing: see tests/system-packages.sh")
    command = ["tmux", "-S", str(tmp_path / "tmux")]
    subprocess.run([*command, "-f", "/dev/null", "new-session", "-d", "sleep 60"], check=True)
    pid = subprocess.run(
        [*command, "list-panes", "-F", "#{pane_pid}"], capture_output=True, text=True, check=True
    ).stdout
    wait(lambda: b"TMUX=" in Path(f"/proc/{pid.strip()}/environ").read_bytes(), "the command in the pane")
    yield command
    subprocess.run([*command, "kill-server"], check=False)


def test_a_session_in_a_detached_tmux_is_offered_an_attach(
    tmux: list[str], capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = subprocess.run([*tmux, "list-panes", "-F", "#{pane_pid}"], capture_output=True, text=True, check=True)
    running("aaaa1111", "/tmp/web", int(shown.stdout), monkeypatch)
    text = said(capsys, "jump", "aaaa", code=1)
    assert "to which nobody is attached. The session runs in tmux, /dev/pts/" in text
    assert f"Run this in a terminal: tmux -S {tmux[2]} attach-session -t '$0:@0.%0'" in text
    assert "tmux session 0, pane %0" in said(capsys, "jump", "aaaa", "--print")


def test_a_tmux_that_hangs_is_reported_in_time(tmux: list[str], capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = subprocess.run(
        [*tmux, "list-panes", "-F", "#{pane_pid} #{pid}"], capture_output=True, text=True, check=True
    )
    pane, server = map(int, shown.stdout.split())
    running("aaaa1111", "/tmp/web", pane, monkeypatch)
    os.kill(server, 19)
    begun = time.monotonic()
    try:
        assert said(capsys, "jump", "aaaa", code=1).startswith("deskbell: tmux does not answer.")
    finally:
        os.kill(server, 18)
    assert time.monotonic() - begun < 3
