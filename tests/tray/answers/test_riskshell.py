"""Test how a command is split, and what is doubted in it."""

import pytest

from deskbell.answers.riskshell import LONGEST, script

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
    "a 2>&1 >b <c": [["a"]],
    "a b2 >c": [["a", "b2"]],
}


@pytest.mark.parametrize(("text", "parts"), SPLIT.items())
def test_a_command_is_split_as_the_shell_does(text: str, parts: Parts) -> None:
    read = script(text)
    assert [[word.text for word in command.words] for command in read.commands] == parts
    assert read.doubts == (["a control or invisible character"] if "\t" in text else [])


DOUBTS = {
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
    "a {b,c}": "braces",
    "{ a; }": "braces",
    "a {": "braces",
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
    (command,) = script("a*b .g[i]t ${x}c 'd*' {e,f}g").commands
    assert [word.pattern for word in command.words] == ["a*b", ".g?t", "*c", "d[*]", "*g"]
    assert [word.glob for word in command.words] == [True, True, False, False, False]
    assert [word.missing for word in command.words] == [False, False, True, False, True]
    assert not any(word.bare for word in command.words[2:])
