"""Test how a command is split, and what is doubted in it."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskbell.answers.risk.shell import LONGEST, script

Parts = list[list[str]]

SPLIT: dict[str, Parts] = {
    "ls -la src": [["ls", "-la", "src"]],
    "  ls\t ": [["ls"]],
    "a 'b c' \"d e\"": [["a", "b c", "d e"]],
    "a b'c'\"d\"e": [["a", "bcde"]],
    r"a b\ c": [["a", "b c"]],
    r'a "b\"c\d"': [["a", 'b"c\\d']],
    "a ''": [["a", ""]],
    "a | b || c && d ; e |& f": [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]],
    "a;b": [["a"], ["b"]],
    "a;": [["a"]],
    "a#b": [["a#b"]],
    'grep "a$" b$': [["grep", "a$", "b$"]],
    "a HEAD~1 ~ ~/b": [["a", "HEAD~1", "~", "~/b"]],
    "a b=c": [["a", "b=c"]],
    "a *.py [ab]? x[": [["a", "*.py", "[ab]?", "x["]],
    "a {b,c}": [["a", "b", "c"]],
    "a x{b,}.{c,d}": [["a", "xb.c", "xb.d", "x.c", "x.d"]],
    "a *.{c,h} 'd'{e,f}": [["a", "*.c", "*.h", "de", "df"]],
    "a {} + {}": [["a", "{}", "+", "{}"]],
    "a @{u} b@{0}": [["a", "@{u}", "b@{0}"]],
    "a ! b": [["a", "!", "b"]],
    "a '{b,c}'": [["a", "{b,c}"]],
    "a 2>&1 >b <c": [["a"]],
    "a b2 >c": [["a", "b2"]],
}


@pytest.mark.parametrize(("text", "parts"), SPLIT.items())
def test_a_command_is_split_as_the_shell_does(text: str, parts: Parts) -> None:
    read = script(text)
    assert [[word.text for word in command.words] for command in read.commands] == parts
    assert read.doubts == (["a control or invisible character"] if "\t" in text else [])


DOUBTS = {
    r"a 'b\'": "an escape before a quote",
    "a $b": "a variable",
    "a ${b}": "a variable",
    "a ${b": "a variable",
    'a "$b"': "a variable",
    "a $(b)": "a substitution",
    "a $(b $(c) d)": "a substitution",
    "a `b`": "a substitution",
    "a `b": "a substitution",
    'a "`b`"': "a substitution",
    "a $[1]": "a substitution",
    'a $"b"': "a substitution",
    "a <(b)": "a substitution",
    "a $'b'": "an escaped quote",
    "a $'b": "an escaped quote",
    "a $'": "an escaped quote",
    "a <<b": "a here-document",
    "a <<<b": "a here-document",
    "a # b": "a comment",
    "# b\nc": "a comment",
    "(a)": "a subshell or a function",
    "{a,b} c": "braces",
    "a {b}": "braces",
    "a {1..3}": "braces",
    "a {b,{c,d}}": "braces",
    "a {b,'c'}": "braces",
    "a {,}": "braces",
    "a >{b,c}": "braces",
    "a " + "{b,c}" * 6: "braces",
    "{ a; }": "braces",
    "a {": "braces",
    'a .["b"]': "an odd pattern in brackets",
    "a .[''b]": "an odd pattern in brackets",
    r"a .[\b]": "an odd pattern in brackets",
    "a .[%b]": "an odd pattern in brackets",
    'a .[" "b]': "an odd pattern in brackets",
    "a ~b": "the home of another person",
    "a !b": "a mark that the history or a pattern reads",
    "a =b": "a word that begins with =",
    "a & b": "a command in the background",
    "a\nb": "several lines or cases",
    "a ;; b": "several lines or cases",
    "a 'b": "an open quote",
    'a "b': "an open quote",
    "a \\": "an open escape",
    "a >": "a redirection to nothing",
    "a > > b": "a redirection to nothing",
    "a >; b": "a redirection to nothing",
    "": "an empty part of a chain",
    "a |": "an empty part of a chain",
    "; a": "an empty part of a chain",
    "a \\\nb": "a control or invisible character",
    "a \u200b": "a control or invisible character",
    "a" * (LONGEST + 1): "it is too long",
}


@pytest.mark.parametrize(("text", "doubt"), DOUBTS.items())
def test_what_only_the_shell_knows_is_a_doubt(text: str, doubt: str) -> None:
    assert doubt in script(text).doubts


REDIRECTS = {
    "a >b": [(">", "b")],
    "a 2>b": [(">", "b")],
    "a 2>&1": [(">&", "1")],
    "a &>>b": [("&>>", "b")],
    "a <b >|c": [("<", "b"), (">|", "c")],
    "a 1<>b": [("<>", "b")],
    "a > 'b c'": [(">", "b c")],
}


@pytest.mark.parametrize("text", ["a; >b", "a;>b", "a && >b", "a | >b", ">b", "a & >b", "a; 2>b"])
def test_a_redirection_without_a_command_is_a_part_of_its_own(text: str) -> None:
    last = script(text).commands[-1]
    assert (last.words, [redirect.target.text for redirect in last.redirects]) == ([], ["b"])


@pytest.mark.parametrize(("text", "redirects"), REDIRECTS.items())
def test_a_redirection_is_found_with_its_target(text: str, redirects: list[tuple[str, str]]) -> None:
    (command,) = script(text).commands
    assert [(one.sign, one.target.text) for one in command.redirects] == redirects
    assert [word.text for word in command.words] == ["a"]


ESCAPED = {
    r"$'\x2egit'": ".git",
    r"$'\056git'": ".git",
    r"$'\u002egit'": ".git",
    r"$'\U0000002egit'": ".git",
    r"$'a\nb'": "a\nb",
    r"$'a\'b'": "a'b",
    r"$'\x'": "x",
    r"$'\U99999999'": "\U0010ffff",
}


@pytest.mark.parametrize(("text", "meaning"), ESCAPED.items())
def test_an_escaped_quote_is_decoded(text: str, meaning: str) -> None:
    (command,) = script(text).commands
    assert command.words[0].text == meaning


def test_a_pattern_keeps_what_may_stand_for_other_texts() -> None:
    (command,) = script("a*b .g[i]t ${x}c 'd*' {e{f}}g").commands
    assert [word.pattern for word in command.words] == ["a*b", ".g?t", "*c", "d[*]", "*g"]
    assert [word.glob for word in command.words] == [True, True, False, False, False]
    assert [word.missing for word in command.words] == [False, False, True, False, True]
    assert not any(word.bare for word in command.words[2:])


SHELLS = [shell for shell in ("bash", "dash", "zsh") if shutil.which(shell)]
HARMLESS = st.lists(
    st.sampled_from(["a", "b", ".", "/", "-", "~", " ", "'", '"', "\\", "$", "`", "#", "{", "}", "=", "!", "^", "%", "@", "+", ",", ":",
                     "0", "_", "é"]),
    max_size=14,
).map("".join)  # fmt: skip


@pytest.mark.uncounted
@pytest.mark.long
@pytest.mark.parametrize("shell", SHELLS)
@given(text=HARMLESS)
@settings(max_examples=400, deadline=None)
def test_a_real_shell_reads_the_same_words_where_nothing_is_doubted(
    shell: str, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    read = script(f"x {text}")
    if shell == "dash" and "{" in text and "," in text:  # it keeps the braces that the others expand
        return
    if read.doubts or len(read.commands) != 1:
        return
    words = [word.text for word in read.commands[0].words[1:]]
    expected = [_home(word) if text_has_tilde(text) else word for word in words]
    done = _run(shell, f"printf '%s\\n' ok {text}", tmp_path_factory.getbasetemp())
    assert [_home(line) if text_has_tilde(text) else line for line in done] == ["ok", *expected]


def text_has_tilde(text: str) -> bool:
    return "~" in text


def _home(word: str) -> str:
    """A quoted tilde and one that the shell replaced count as the same: both are judged as the home."""
    return "~" + word.removeprefix("~").removeprefix("/home/nobody") if word.startswith(("~", "/home/nobody")) else word


def _run(shell: str, command: str, folder: Path) -> list[str]:
    environment = {"HOME": "/home/nobody", "PATH": "/nonexistent", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [str(shutil.which(shell)), "-c", command],
        capture_output=True,
        cwd=folder,
        env=environment,
        check=False,
        timeout=20,
    )
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout.decode().split("\n")[:-1]
