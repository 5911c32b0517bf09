"""Test that what is printed does nothing to a terminal, and is otherwise what the command said."""

import argparse
import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.terminal import out

HOSTILE = "web\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\x7f"
Out = pytest.CaptureFixture[str]


def test_a_line_loses_what_would_act_on_the_terminal(capsys: Out) -> None:
    out.say(f"  {HOSTILE}  done")
    assert capsys.readouterr() == ("  web  done\n", "")


def test_a_newline_in_a_line_does_not_begin_another(capsys: Out) -> None:
    out.say("one\nforged", "two")
    assert capsys.readouterr().out == "one forged\ntwo\n"


def test_nothing_to_say_prints_nothing(capsys: Out) -> None:
    out.say()
    assert capsys.readouterr().out == ""


def test_exact_text_shows_its_controls_as_numbers(capsys: Out) -> None:
    out.say_exactly('+\t"a\x9b": 1\r\n+  "b"\n')
    assert capsys.readouterr().out == '+\t"a\\u009b": 1\r\n+  "b"\n'


@given(st.text())
def test_json_is_ascii_without_controls_and_reads_as_what_was_said(text: str) -> None:
    with redirect_stdout(io.StringIO()) as printed:
        out.say_json({text: [text]})
    shown = printed.getvalue()
    assert shown.isascii()
    assert shown.removesuffix("\n").isprintable()
    assert json.loads(shown) == {text: [text]}


def test_a_number_that_json_cannot_write_is_null(capsys: Out) -> None:
    value = {"at": float("nan"), "all": (float("inf"), -float("inf"), 1.5, 2, True, "NaN", None)}
    out.say_json(value)
    assert capsys.readouterr().out == '{"at": null, "all": [null, null, 1.5, 2, true, "NaN", null]}\n'


def test_a_complaint_is_a_sentence_on_stderr_without_controls_and_secrets(capsys: Out) -> None:
    out.complain(f"{HOSTILE}: https://me:hunter2secret@host/x is not reached.")
    assert capsys.readouterr() == ("", "deskbell: web: https://me:[redacted]@host/x is not reached.\n")


def test_the_further_lines_of_a_complaint_are_indented(capsys: Out) -> None:
    out.complain("Use one of these:\n  deskbell mute a\ndeskbell: all is well")
    assert capsys.readouterr().err == "deskbell: Use one of these:\n  deskbell mute a\n  deskbell: all is well\n"


def test_help_and_errors_of_the_command_line_lose_it_too(capsys: Out) -> None:
    parser = out.Parser(prog=HOSTILE)
    parser.add_subparsers().add_parser("list")
    parser.print_help()
    with pytest.raises(SystemExit, match="2"):
        parser.parse_args([f"x{HOSTILE}"])
    shown = capsys.readouterr()
    assert shown.out.startswith("usage: web [-h]")
    assert "invalid choice" in shown.err
    assert (shown.out + shown.err).replace("\n", "").isprintable()


def test_a_parser_makes_parsers_of_its_own_kind() -> None:
    verbs = out.Parser().add_subparsers()
    assert isinstance(verbs, argparse._SubParsersAction)
    assert isinstance(verbs.add_parser("list"), out.Parser)


class Full(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def test_output_that_cannot_be_written_is_a_problem() -> None:
    with redirect_stdout(Full()), pytest.raises(out.Problem, match=r"^The output cannot be written: No space left"):
        out.say("x")


def test_a_complaint_that_cannot_be_written_is_silent() -> None:
    with redirect_stderr(Full()):
        out.complain("x")


@pytest.mark.parametrize(
    ("said", "encoding", "printed"),
    [
        ("● api · npm publish…", "ascii", b"* api - npm publish~\n"),
        ("naïve 日本 👍 e\u0301", "ascii", b"na?ve ???? ?? e\n"),
        ("naïve ✓", "cp1252", b"na\xefve +\n"),
        ("✓ 日本", "utf-8", "✓ 日本\n".encode()),
    ],
)
def test_what_cannot_be_encoded_is_replaced_as_many_columns_wide(said: str, encoding: str, printed: bytes) -> None:
    raw = io.BytesIO()
    with redirect_stdout(io.TextIOWrapper(raw, encoding=encoding)) as stream:
        out.prepare()
        out.say(said)
        stream.flush()
        assert raw.getvalue() == printed


def test_a_stream_that_fails_to_decode_is_not_replaced() -> None:
    out.prepare()
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode(errors="deskbell")


@pytest.mark.parametrize(
    ("more", "can"),
    [
        ({}, (False, False, False)),
        ({"FORCE_COLOR": "1"}, (True, True, True)),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (True, True, False)),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, (True, False, False)),
    ],
    ids=["a pipe", "a terminal", "NO_COLOR", "dumb"],
)
def test_what_a_terminal_can_do_is_told_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, str], can: tuple[bool, ...]
) -> None:
    for name, value in {"TERM": "xterm", **more}.items():
        monkeypatch.setenv(name, value)
    assert (out.is_terminal(), out.has_screen(), out.has_colours()) == can


def test_only_a_terminal_or_the_environment_bounds_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert out.columns() is None
    monkeypatch.setenv("COLUMNS", "44")
    assert out.columns() == 44


def test_an_argument_that_is_one_of_some_words_suggests_the_nearest() -> None:
    assert out.one_of(("idle", "plan"))("plan") == "plan"
    with pytest.raises(argparse.ArgumentTypeError, match=r"^'pla' is not one of idle, plan\. Did you mean \"plan\"\?$"):
        out.one_of(("idle", "plan"))("pla")
    with pytest.raises(argparse.ArgumentTypeError, match=r"^'x' is not one of idle, plan\.$"):
        out.one_of(("idle", "plan"))("x")


def test_a_program_without_a_console_prints_nothing() -> None:
    with redirect_stdout(None), redirect_stderr(None):
        out.prepare()
        out.say("x")
        out.complain("x")
        out.flush()


def ran(program: str, *arguments: str, stdout: int, env: Sequence[tuple[str, str]] = ()) -> tuple[int, str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | dict(env)
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, env=environment, text=True, check=False)
    return done.returncode, done.stderr


SAYS = "import sys; from deskbell.__main__ import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("verb", [["--help"], ["config", "show"], ["list"], ["list", "--json"]], ids=" ".join)
def test_a_full_disk_behind_stdout_is_one_sentence(verb: list[str], unbuffered: str) -> None:
    with open("/dev/full", "w") as full:
        code, said = ran(SAYS, *verb, stdout=full.fileno(), env=[("PYTHONUNBUFFERED", unbuffered)])
    assert code in (1, 2)
    assert said.startswith("deskbell: ")
    assert "No space left on device." in said
    assert said.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe of this kind ends otherwise there")
@pytest.mark.parametrize("verb", [["--help"], ["list"], ["list", "--json"]], ids=" ".join)
def test_a_reader_that_has_left_is_no_reason_to_say_anything(verb: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert ran(SAYS, *verb, stdout=writing) == (0, "")
    finally:
        os.close(writing)
