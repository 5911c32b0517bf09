"""Split a shell command into its parts, and say what in it cannot be read with certainty. Pure.

This reads words, quotes, chains and redirections exactly as sh, bash and zsh all do, and plain braces around operands,
`a.{c,h}`, as bash and zsh do; sh passes them on, and no file has such a name. Everything else is a doubt: a
value that only the shell knows, or something that these shells read differently. A command with a doubt is never plain,
so what follows the doubt need not be split correctly.
"""

import math
import re

from deskbell.answers.risk.words import Command, Redirect, Script, Word, hidden

LONGEST = 20_000
"""Characters of a command that is read."""

_SPACE = " \t"
_CHAIN = re.compile(r"\n|;;?|&&|\|\||\|&|\||&")
_REDIRECT = re.compile(r"&>>|&>|<<<|<<-?|<>|>>|>\||>&|<&|>|<")
_BARE = re.compile(r"[^\s'\"\\$`#;&|<>(){}*?\[~!=]+")
_VARIABLE = re.compile(r"\w+|[@*#?$!^=~+:-]")  # zsh has more of them than bash
_CLASS = re.compile(r"[!^]?\]?(?:\[:\w+:\]|[\w.^:,@+=-])*\]")
_BRACES = re.compile(r"(?:[^\s{}]|\{(?:[^\s{}]|\{[^\s{}]{0,50}\}){0,100}\}){0,200}\}")
_NOTHING = re.compile(r"\}(?=\s|$)")  # find and xargs read it
_ALTERNATIVES = re.compile(r"[\w./+-]*(?:,[\w./+-]*)+\}", re.ASCII)
_REFERENCE = re.compile(r"@\{\w+\}", re.ASCII)  # of git; every shell leaves it as it is
_MOST_CHOICES = 50
_ANSI = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|c.|.)", re.DOTALL)
_UNTOLD = re.compile(r"\\(?:x(?![0-9A-Fa-f])|x?0+(?![0-9A-Fa-f])|[uUc])")
"""Escapes that may end the text or stand for other characters, depending on the shell and its version."""
_LETTERS = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def script(text: str) -> Script:
    """Split TEXT. A text longer than LONGEST is not split and is a doubt."""
    if len(text) > LONGEST:
        return Script([], ["it is too long"])
    doubts = ["a control or invisible character"] if hidden(text) else []
    return _Reader(text, doubts).read()


class _Reader:
    """Reads one command from left to right. `at` only grows, so the time is bounded."""

    def __init__(self, text: str, doubts: list[str]) -> None:
        self.text, self.doubts = text, doubts
        self.at = 0
        self.word: Word | None = None
        self.waiting: str | None = None
        self.commands = [Command("")]
        self.inner: list[str] = []

    def read(self) -> Script:
        while self.at < len(self.text):
            self._step(self.text[self.at])
        self._end_word()
        self._unfinished()
        last = self.commands[-1]
        if last.before in (";", "&", "\n") and not last.words and not last.redirects:
            self.commands.pop()
        if any(not command.words and not command.redirects for command in self.commands):
            self._doubt("an empty part of a chain")
        return Script(self.commands, list(dict.fromkeys(self.doubts)), self.inner)

    def _step(self, sign: str) -> None:
        if sign in _SPACE:
            self._end_word()
            self.at += 1
        elif redirect := _REDIRECT.match(self.text, self.at):
            self._redirect(redirect[0])
        elif chain := _CHAIN.match(self.text, self.at):
            self._chain(chain[0])
        elif bare := _BARE.match(self.text, self.at):
            self._current().add(bare[0])
            self.at = bare.end()
        else:
            self.at += 1
            _SIGNS.get(sign, _Reader._other)(self, sign)

    def _current(self) -> Word:
        self.word = self.word or Word()
        return self.word

    def _end_word(self) -> None:
        if self.word is None:
            return
        if self.waiting is None:
            self.commands[-1].words += self._expanded(self.word)
        else:
            self.commands[-1].redirects.append(Redirect(self.waiting, self.word))
        self.word = self.waiting = None

    def _unfinished(self) -> None:
        if self.waiting:
            self._doubt("a redirection to nothing")
        self.waiting = None

    def _doubt(self, what: str) -> None:
        self.doubts.append(what)

    def _redirect(self, sign: str) -> None:
        number = self.word.text if self.word and self.word.bare else ""
        if number.isascii() and number.isdecimal() and sign[0] != "&":
            self.word = None
        self._end_word()
        self._unfinished()
        self.at += len(sign)
        if sign in ("<<", "<<-", "<<<"):
            self._doubt("a here-document")
        if self.text[self.at : self.at + 1] == "(":
            self._doubt("a substitution")
        self.waiting = sign

    def _chain(self, sign: str) -> None:
        self._end_word()
        self._unfinished()
        self.at += len(sign)
        if sign == "&":
            self._doubt("a command in the background")
        if sign in ("\n", ";;"):
            self._doubt("several lines or cases")
        self.commands[-1].after = sign
        self.commands.append(Command(sign))

    def _single(self, _: str) -> None:
        end = self.text.find("'", self.at)
        if end < 0:
            self._doubt("an open quote")
            end = len(self.text)
        if self.text[end - 1 : end] == "\\":
            self._doubt("an escape before a quote")  # fish takes it for part of the text
        word = self._current()
        word.add(self.text[self.at : end])
        word.bare = False
        self.at = end + 1

    def _double(self, _: str) -> None:
        word = self._current()
        word.bare = False
        while self.at < len(self.text):
            sign = self.text[self.at]
            self.at += 1
            if sign == '"':
                return
            if sign == "\\":
                self._escaped_in_quotes()
            elif sign == "$":
                self._dollar(sign, quoted=True)
            elif sign == "`":
                self._backtick(sign)
            else:
                word.add(sign)
        self._doubt("an open quote")

    def _escaped_in_quotes(self) -> None:
        sign = self.text[self.at : self.at + 1]
        if sign and sign in '$`"\\':
            self._current().add(sign)
            self.at += 1
        else:
            self._current().add("\\")

    def _escape(self, _: str) -> None:
        sign = self.text[self.at : self.at + 1]
        if not sign:
            self._doubt("an open escape")
        if sign != "\n":
            self._current().add(sign)
        self._current().bare = False
        self.at += 1

    def _dollar(self, _: str, quoted: bool = False) -> None:
        rest = self.text[self.at : self.at + 1]
        if rest == "'" and not quoted:
            self._ansi()
        elif rest and rest in "({":
            self._doubt("a substitution" if rest == "(" else "a variable")
            self.at += 1
            self._unknown()
            self._skip(rest, ")" if rest == "(" else "}")
        elif rest == "?":  # a number in every shell
            self._unknown()
            self.at += 1
        elif rest == "[" or (rest == '"' and not quoted):
            self._doubt("a substitution")
            self._unknown()
        elif name := _VARIABLE.match(self.text, self.at):
            self._doubt("a variable")
            self._unknown()
            self.at = name.end()
        else:
            self._current().add("$")

    def _unknown(self) -> None:
        self._current().wild("*", "")
        self._current().bare = False

    def _skip(self, opening: str, closing: str) -> None:
        depth, begun = 1, self.at
        while depth and self.at < len(self.text):
            depth += (self.text[self.at] == opening) - (self.text[self.at] == closing)
            self.at += 1
        self.inner.append(self.text[begun : self.at - (not depth)])

    def _backtick(self, _: str) -> None:
        self._doubt("a substitution")
        self._unknown()
        end = self.text.find("`", self.at)
        self.inner.append(self.text[self.at : end if end >= 0 else None])
        self.at = len(self.text) if end < 0 else end + 1

    def _ansi(self) -> None:
        self._doubt("an escaped quote")
        end = re.compile(r"(?:[^'\\]|\\.)*", re.DOTALL).match(self.text, self.at + 1)
        word = self._current()
        word.bare = False
        word.add(_ANSI.sub(_unescaped, end[0]) if end else "")
        if end and _UNTOLD.search(end[0]):
            self._unknown()
        self.at = end.end() + 1 if end else self.at + 1

    def _comment(self, sign: str) -> None:
        if self.word:
            self.word.add(sign)
            return
        self._doubt("a comment")
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def _group(self, _: str) -> None:
        self._doubt("a subshell or a function")
        self._end_word()
        self.commands.append(Command(";"))

    def _expanded(self, word: Word) -> list[Word]:
        if math.prod(map(len, word.choices)) > _MOST_CHOICES:
            self._doubt("braces")
            return [word]
        found = word.expanded()
        if word.choices and not all(one.text for one in found):
            self._doubt("braces")
        return found

    def _brace(self, sign: str) -> None:
        operand = sign == "{" and self.commands[-1].words and self.waiting is None
        if operand and (found := _ALTERNATIVES.match(self.text, self.at)):
            self._current().choose(found[0][:-1].split(","))
            self.at = found.end()
            return
        if operand and self.word is None and _NOTHING.match(self.text, self.at):
            self._current().add("{}")
            self.at += 1
            return
        if operand and (found := _REFERENCE.match(self.text, self.at - 2)):
            self._current().add(found[0][1:])
            self.at = found.end()
            return
        self._doubt("braces")
        self._unknown()
        if sign == "{" and (found := _BRACES.match(self.text, self.at)):
            self.at = found.end()

    def _glob(self, sign: str) -> None:
        alone, word = self.word is None and self.text[self.at : self.at + 1] == " ", self._current()
        if sign == "[" and alone:  # the program `[`
            word.add(sign)
            return
        word.wild("*" if sign == "*" else "?", sign)
        if sign != "[":
            return
        if found := _CLASS.match(self.text, self.at):
            if found[0][0] == "!":
                self._mark("")
            word.text += found[0]
            self.at = found.end()
        elif self.text.find("]", self.at) >= 0:  # the shell removes quotes in brackets: `.["e"]nv` matches `.env`
            self._doubt("an odd pattern in brackets")

    def _tilde(self, sign: str) -> None:
        follows = self.text[self.at : self.at + 1]
        if self.word is None and follows not in ("", "/", " "):
            self._doubt("the home of another person")
        self._current().add(sign)

    def _mark(self, sign: str) -> None:
        if sign == "!" and self.word is None and self.commands[-1].words and self.text[self.at : self.at + 1] == " ":
            self._current().add(sign)
            return
        self._doubt("a mark that the history or a pattern reads")
        self._current().add(sign)

    def _equals(self, sign: str) -> None:
        if self.word is None:
            self._doubt("a word that begins with =")
        self._current().add(sign)

    def _other(self, sign: str) -> None:
        self._current().add(sign)
        self._current().bare = False


def _unescaped(found: re.Match[str]) -> str:
    code = found[1]
    if code[0] in "xuU" and len(code) > 1:
        return chr(min(int(code[1:], 16), 0x10FFFF))
    if code[0] in "01234567":
        return chr(int(code, 8))
    return _LETTERS.get(code, code)


_SIGNS = {
    "'": _Reader._single,
    '"': _Reader._double,
    "\\": _Reader._escape,
    "$": _Reader._dollar,
    "`": _Reader._backtick,
    "#": _Reader._comment,
    "(": _Reader._group,
    ")": _Reader._group,
    "{": _Reader._brace,
    "}": _Reader._brace,
    "*": _Reader._glob,
    "?": _Reader._glob,
    "[": _Reader._glob,
    "~": _Reader._tilde,
    "!": _Reader._mark,
    "=": _Reader._equals,
}
