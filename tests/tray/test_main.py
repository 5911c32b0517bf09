"""Test the command line as a whole: its help, its errors and what it prints where little can be encoded."""

import argparse
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path

import pytest

from deskbell import VERSION
from deskbell.__main__ import CODES, COMMANDS, main, parser
from deskbell.home import home
from tests.tray.journals import line

ROOT = Path(__file__).parents[2]
VERBS = frozenset(
    [
        "add",
        "allow",
        "answer",
        "change",
        "check",
        "choose",
        "delete",
        "do",
        "edit",
        "end",
        "explain",
        "give",
        "go",
        "hold",
        "include",
        "install",
        "keep",
        "list",
        "make",
        "name",
        "open",
        "play",
        "print",
        "put",
        "remove",
        "resume",
        "ring",
        "run",
        "set",
        "show",
        "silence",
        "start",
        "stop",
        "switch",
        "tell",
        "type",
        "wait",
    ]
)
"""The verbs with which a help text may begin, in the imperative."""
LONGEST = 100
"""Characters of a line of help."""


def options(verb: str) -> Iterator[argparse.Action]:
    """Every argument of a command, also those of its own subcommands."""
    verbs = next(action for action in parser(verb)._actions if isinstance(action, argparse._SubParsersAction))
    yield from below(verbs.choices[verb])


def below(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            yield action
            continue
        yield from action._choices_actions
        for sub in action.choices.values():
            yield from below(sub)


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_help_line_of_a_command_begins_with_a_verb(verb: str) -> None:
    line = COMMANDS[verb][1]
    assert line.split()[0].rstrip(",") in VERBS
    assert len(line) <= LONGEST
    assert not line.endswith(".")


def described(above: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Return for every command below one its line in the help above it, and the first words of its own help."""
    for action in above._actions:
        if isinstance(action, argparse._SubParsersAction):
            lines = {one.dest: str(one.help) for one in action._choices_actions}
            for name, sub in action.choices.items():
                line = lines.get(name, "")
                yield line, str(sub.description)[: len(line)]
                yield from described(sub)


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_help_of_a_command_begins_with_its_line_in_the_help_of_all(verb: str) -> None:
    assert [(line, own) for line, own in described(parser(verb)) if not line or own != line] == []


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_option_of_a_command_has_a_help_text(verb: str) -> None:
    assert [action.dest for action in options(verb) if not action.help] == []


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_help_of_an_option_begins_with_a_verb(verb: str) -> None:
    texts = [str(action.help) for action in options(verb) if action.help not in (None, argparse.SUPPRESS)]
    assert [text for text in texts if text.split()[0].rstrip(",") not in VERBS] == []


@pytest.mark.parametrize("verb", COMMANDS)
def test_no_help_text_is_long_or_ends_with_a_full_stop(verb: str) -> None:
    texts = [str(action.help) for action in options(verb) if action.help]
    assert [text for text in texts if len(text) > LONGEST or text.endswith(".")] == []


@pytest.mark.parametrize(
    "arguments", [[], *([verb] for verb in COMMANDS)], ids=lambda words: " ".join(words) or "alone"
)
def test_no_line_of_help_is_long(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(LONGEST))
    with pytest.raises(SystemExit, match="0"):
        main([*arguments, "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line) > LONGEST] == []


@pytest.mark.parametrize("verb", ["list", "show", "events", "why", "mute", "snooze"])
def test_the_help_of_a_command_that_is_used_much_has_examples_that_it_takes(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([verb, "--help"])
    lines = capsys.readouterr().out.partition("\nexamples:\n")[2].splitlines()
    assert len(lines) >= 3
    for row in lines:
        example, _, does = row.strip().partition("  ")
        assert does.split()[0] in VERBS
        _, *words = shlex.split(example.partition(" |")[0])
        assert parser(verb).parse_args(words).verb == verb


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    shown = capsys.readouterr().out
    assert [verb for verb in COMMANDS if f"  {verb}" not in shown] == []


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("lsit", "deskbell: 'lsit' is not a command. Did you mean \"list\"?\n"),
        ("Unstall", "deskbell: 'Unstall' is not a command. Did you mean \"uninstall\"?\n"),
        ("notify_test", "deskbell: 'notify_test' is not a command. Did you mean \"notify-test\"?\n"),
        ("xyzzy", "deskbell: 'xyzzy' is not a command. `deskbell --help` lists the commands.\n"),
    ],
)
def test_an_unknown_command_names_the_nearest_one(typed: str, answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([typed, "--json"]) == 2
    assert capsys.readouterr() == ("", answer)


@pytest.mark.parametrize(
    ("typed", "answer"),
    {
        "list --wacth": "`deskbell list` does not take '--wacth'. Did you mean \"--watch\"?",
        "--verson": "`deskbell` does not take '--verson'. Did you mean \"--version\"?",
        "status --xyzzy": "`deskbell status` does not take '--xyzzy'. `deskbell status --help` says what it takes.",
        "doctor now": "`deskbell doctor` does not take 'now'. `deskbell doctor --help` says what it takes.",
    }.items(),
)
def test_what_a_command_does_not_take_is_refused_in_one_sentence(
    typed: str, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(typed.split()) == 2
    assert capsys.readouterr() == ("", f"deskbell: {answer}\n")


# command line: the code that it ends with. The tests of the commands hold the codes of their own.
ENDS = {
    "": 0,
    "list": 0,
    "list --watch now": 2,
    "lsit": 2,
    "why": 0,
    "events": 0,
    "events nobody": 3,
    "events --since soon": 2,
    "show nobody": 3,
    "mute nobody": 3,
    "unmute nobody": 3,
    "mute working": 2,
    "snooze soon": 2,
    "snooze off": 0,
    "unsnooze": 0,
    "config path": 0,
    "config set rings 1": 2,
    "config set burst.more_than many": 2,
    "restore 7": 3,
    "install --yes --config-dir nowhere": 3,
    "status": 3,
    "prune": 0,
    "autostart status": 0,
}


@pytest.mark.parametrize(("typed", "code"), ENDS.items(), ids=ENDS)
def test_a_command_ends_with_its_code_and_says_why(typed: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    """`status` says it in its report."""
    assert main(typed.split()) == code
    err = capsys.readouterr().err
    assert err.startswith("deskbell: ") == (code > 0 and typed != "status")
    assert err.count("\n") <= 1


def test_the_exit_codes_are_in_the_help_and_in_the_page_of_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    shown = capsys.readouterr().out
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for code, meaning in CODES.items():
        assert f"  {code:<5}{meaning}\n" in shown
        assert f"| {code} | {meaning} |\n" in page
    assert page.count("| ") == len(CODES) * 2 + 2


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"deskbell {VERSION}\n"


def test_a_problem_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "nothing-like-this"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("deskbell: ")
    assert "Traceback" not in err


BROKEN = """
import sys, types
from deskbell.__main__ import main

def run(args):
    raise {error}

sys.modules["deskbell.commands.list"] = types.SimpleNamespace(arguments=lambda parser: None, run=run)
sys.exit(main(["list"]))
"""


def broken(error: str, **more: str) -> tuple[int, str]:
    """The exit code and stderr of `deskbell list` if its command raises ERROR."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | more
    command = [sys.executable, "-c", BROKEN.format(error=error)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("error", "sentence"),
    {
        "a file": ("PermissionError(13, 'Permission denied', '/x\x1b[2J')", "Permission denied: /x."),
        "no descriptor": ("OSError(24, 'Too many open files')", "Too many open files."),
        "nobody foresaw it": (
            "ValueError('token=hunter2secret99 is bad')",
            "ValueError in __main__.py, line 0: token=[redacted] is bad. This is a mistake in Deskbell. "
            "Set DESKBELL_DEBUG=1 to see the traceback.",
        ),
        "nobody asked for it to be cancelled": (
            "__import__('asyncio').CancelledError",
            "CancelledError in __main__.py, line 0. This is a mistake in Deskbell. "
            "Set DESKBELL_DEBUG=1 to see the traceback.",
        ),
        "it says nothing": (
            "RecursionError",
            "RecursionError in __main__.py, line 0. This is a mistake in Deskbell. "
            "Set DESKBELL_DEBUG=1 to see the traceback.",
        ),
    }.values(),
)
def test_an_error_that_no_command_foresaw_is_one_sentence(error: str, sentence: str) -> None:
    code, said = broken(error)
    assert (code, re.sub(r"line \d+", "line 0", said)) == (1, f"deskbell: {sentence}\n")


def test_a_developer_sees_the_traceback() -> None:
    code, said = broken("ValueError('bad')", DESKBELL_DEBUG="1")
    assert code == 1
    assert said.startswith("Traceback")
    assert said.endswith("ValueError: bad\n")


def test_a_person_who_interrupts_is_told_nothing() -> None:
    assert broken("KeyboardInterrupt") == (130, "")


@pytest.mark.parametrize(
    "words",
    [
        ("why", "--last", "9" * 30),
        ("prune", "--dry-run", "--megabytes", "inf"),
        ("prune", "--dry-run", "--megabytes", "nan"),
        ("prune", "--dry-run", "--days", "nan"),
        ("show", "x" * 100_000),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_no_argument_leads_to_a_mistake_of_deskbell(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        main(words)
    assert "mistake" not in capsys.readouterr().err


def test_only_the_module_of_the_typed_command_is_imported() -> None:
    program = "import sys; from deskbell.__main__ import parser; parser('list'); print(*sys.modules)"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("deskbell.commands.")}
    own = {name.partition("commands.")[2] for name in loaded}
    assert {name for name in own if not name.startswith("_")} == {"list"}


TITLE = "naïve ✓ 日本 👍"
CALLS = {
    "run": ["--help"],
    "list": ["--all"],
    "board": ["--once", "--all"],
    "answer": [],
    "answers": ["status"],
    "show": ["a1"],
    "jump": ["a1"],
    "resume": ["--print", TITLE],
    "events": ["a1"],
    "prune": ["--dry-run"],
    "demo": ["--help"],
    "autostart": ["status"],
    "install": ["--dry-run"],
    "uninstall": ["--dry-run"],
    "statusline": ["preview"],
    "status": [],
    "doctor": [],
    "restore": [],
    "reply": ["a1", "go on"],
    "config": ["show"],
    "mute": [TITLE],
    "notify-test": ["--help"],
    "snooze": ["30m"],
    "unsnooze": [],
    "tmux": ["status"],
    "unmute": [TITLE],
    "why": ["--last", "5"],
}
"""A call of every command that prints something. Those that would start or ask a program print their help instead."""


def record_a_session() -> None:
    folder = home().events
    folder.mkdir(parents=True)
    lines = [line("SessionStart", 0, source="startup"), line("UserPromptSubmit", 1, prompt=TITLE)]
    (folder / "a1b2c3d4.jsonl").write_bytes(b"".join(one + b"\n" for one in lines))


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_command_prints_where_only_ascii_can_be_encoded(verb: str) -> None:
    record_a_session()
    out = io.BytesIO()
    with redirect_stdout(io.TextIOWrapper(out, encoding="ascii", errors="strict")) as wrapper, suppress(SystemExit):
        main([verb, *CALLS[verb]])
    wrapper.flush()
    assert out.getvalue().isascii()


@pytest.mark.parametrize(
    ("encoding", "title"),
    {"ascii": b"na?ve + ???? ??", "cp1252": b"na\xefve + ???? ??", "utf-8": TITLE.encode()}.items(),
)
def test_a_process_replaces_what_its_stdout_cannot_encode(encoding: str, title: bytes) -> None:
    record_a_session()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "deskbell", "show", "a1"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert title in done.stdout
