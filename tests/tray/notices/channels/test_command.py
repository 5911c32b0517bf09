"""Test that a program of the person gets the message, and that a failure shows no secret."""

import json
import os
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.notices.channels import Failed, send
from tests.limits import no_descriptors
from tests.tray.notices.channels.receiver import MESSAGE, channel


def program(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "program.py"
    file.write_text(text)
    return [sys.executable, str(file)]


def failure(tmp_path: Path, code: str, *arguments: str, timeout: float = 20.0) -> Failed:
    with pytest.raises(Failed) as failed:
        send(MESSAGE, channel("command", command=[*program(tmp_path, code), *arguments], timeout=timeout))
    return failed.value


def test_the_text_that_leaves_the_machine_is_safe_whoever_wrote_it(tmp_path: Path) -> None:
    """A program would not start with a NUL in its environment."""
    hostile = "web\0\x1b[2J\x9b\u202e: https://me:hunter2secret@host"
    out = tmp_path / "out"
    code = f"import os, json; json.dump(dict(os.environ), open({str(out)!r}, 'w'))"
    message = replace(MESSAGE, title=hostile, body=f"{hostile}\nend")
    send(message, channel("command", command=program(tmp_path, code)))
    given = json.loads(out.read_text())
    shown = "web: https://me:[redacted]@host"
    assert (given["DESKBELL_TITLE"], given["DESKBELL_BODY"]) == (shown, f"{shown}\nend")


def test_a_command_gets_the_message_on_its_input_and_in_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "not for others")
    out = tmp_path / "out"
    code = f"import os, sys, json; json.dump([json.load(sys.stdin), dict(os.environ)], open({str(out)!r}, 'w'))"
    send(MESSAGE, channel("command", command=program(tmp_path, code)))
    given, environment = json.loads(out.read_text())
    assert (given["title"], given["version"]) == (MESSAGE.title, 1)
    assert environment["DESKBELL_STATUS"] == "permission"
    assert "CLAUDE_CODE_SESSION_ID" not in environment


SAID = {
    "its last words": ("import sys; sys.exit('first\\nno network')", "ended with 1: no network"),
    "no words": ("import sys; sys.exit(3)", "ended with 3: "),
    "bytes that are not UTF-8": ("import sys; sys.stderr.buffer.write(b'\\xff'); sys.exit(1)", "ended with 1: "),
    "a url": (
        "import sys; sys.exit('404 for https://hooks.example/services/T0/B0/x?a=b, sorry')",
        "ended with 1: 404 for https://hooks.example/…",
    ),
    "a known token": (
        "import sys; sys.exit('Authorization: Bearer abcdef0123456789')",
        "ended with 1: Authorization: Bearer [redacted]",
    ),
    "an argument": ("import sys; sys.exit('no ' + sys.argv[1])", "ended with 1: no …"),
    "a secret of the environment": ("import os, sys; sys.exit(os.environ['PHONE_TOKEN'])", "ended with 1: …"),
}


@pytest.mark.parametrize(("code", "said"), SAID.values(), ids=SAID)
def test_a_command_that_fails_is_quoted_without_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, said: str
) -> None:
    monkeypatch.setenv("PHONE_TOKEN", "sesame-open")
    found = failure(tmp_path, code, "argument-sesame")
    assert (said in str(found), found.for_good, "sesame" in str(found)) == (True, False, False)


def test_a_command_that_hangs_may_be_tried_again(tmp_path: Path) -> None:
    found = failure(tmp_path, "import time; time.sleep(60)", timeout=0.2)
    assert ("took longer than 0.2 s" in str(found), found.for_good) == (True, False)


@pytest.mark.parametrize("name", ["/nowhere/program", "a\0b"])
def test_a_command_that_does_not_exist_is_not_tried_again(name: str) -> None:
    with pytest.raises(Failed, match="does not start") as failed:
        send(MESSAGE, channel("command", command=[name]))
    assert failed.value.for_good is True


def test_a_command_is_started_without_a_shell(tmp_path: Path) -> None:
    words = shlex.split("; touch $HOME `touch x` && false")
    send(MESSAGE, channel("command", command=[*program(tmp_path, "pass"), *words]))
    assert os.listdir(tmp_path) == ["program.py"]


LINGERS = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {code!r}])
open({file!r}, "w").write(str(child.pid))
{then}
"""


def lingering(tmp_path: Path, then: str) -> list[str]:
    """A program with a child that keeps its outputs open, for longer than any test."""
    text = LINGERS.format(code="import time; time.sleep(600)", file=str(tmp_path / "child"), then=then)
    return program(tmp_path, text)


def has_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").exists() and " Z " in Path(f"/proc/{pid}/stat").read_text()


def ended_soon(tmp_path: Path) -> bool:
    pid, until = int((tmp_path / "child").read_text()), time.monotonic() + 20
    while not has_ended(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return has_ended(pid)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="no process groups there")
def test_a_command_that_leaves_a_child_with_its_outputs_open_has_sent(tmp_path: Path) -> None:
    send(MESSAGE, channel("command", command=lingering(tmp_path, ""), timeout=2.0))
    assert ended_soon(tmp_path), "it had until the timeout"


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="no process groups there")
def test_a_command_that_hangs_ends_with_its_children(tmp_path: Path) -> None:
    with pytest.raises(Failed, match=r"took longer than 2 s$"):
        send(MESSAGE, channel("command", command=lingering(tmp_path, "child.wait()"), timeout=2.0))
    assert ended_soon(tmp_path)


def test_output_that_is_not_utf_8_is_no_failure(tmp_path: Path) -> None:
    code = "import sys; sys.stdout.buffer.write(b'\\xff\\xfe'); sys.stderr.buffer.write(b'\\xff')"
    send(MESSAGE, channel("command", command=program(tmp_path, code)))


def test_the_words_of_a_command_hold_no_escapes(tmp_path: Path) -> None:
    found = failure(tmp_path, "import sys; sys.exit('\\x1b]0;pwned\\x07\\x1b[2Jno \\x9b31mnetwork')")
    assert str(found).endswith("ended with 1: no network")


def test_a_command_that_does_not_start_for_want_of_descriptors_may_be_tried_again(tmp_path: Path) -> None:
    with no_descriptors(), pytest.raises(Failed, match="does not start: Too many open files") as failed:
        send(MESSAGE, channel("command", command=["true"]))
    assert failed.value.for_good is False
