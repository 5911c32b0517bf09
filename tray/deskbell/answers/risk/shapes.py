"""Match the words of a command against the shape that the table gives for it. Pure.

A shape is one line, such as `search path* -n -i -A=number --include=any --color~any safe`:

    search path*     the kinds of the words outside of options, in order, each a row of KINDS in `kinds`;
                     `*` any number of them, `+` at least one, `?` one or none
    -n --count       an option without a value; single letters may stand together, `-ni`
    -A=number        an option with a value, attached or in the next word
    --color~any      an option whose value, if any, is attached with =
    -#               a number as an option, `-20`
    !--check         an option without a value; one of those with `!` must be given, as all is rewritten without it
    free             the program prints what looks like an option and is not listed
    safe             none of the program's options writes or runs anything, not even those that are not listed

An option that is not in the shape, even an abbreviated one, is refused.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from deskbell.answers.risk.kind import Risk, careful, worst
from deskbell.answers.risk.kinds import KINDS, Around
from deskbell.answers.risk.words import Word

UNKNOWN_OPTION = "has an option that is not known to be harmless"
UNKNOWN_SHAPE = "has a form that is not known to be harmless"
REWRITES = "rewrites files of the project"

_NO_OPTION = re.compile(r"-(?:\d+[a-zA-Z]?)?", re.ASCII)
_OPTION = re.compile(r"(-[^=~]+)(?:([=~])(.+))?")


@dataclass(slots=True)
class Shape:
    """The parts of a shape: each kind of word and each option."""

    operands: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    valued: dict[str, str] = field(default_factory=dict)
    attached: dict[str, str] = field(default_factory=dict)
    needed: set[str] = field(default_factory=set)
    free: bool = False
    safe: bool = False


@cache
def shape(line: str) -> Shape:
    """Return the shape that LINE describes."""
    found = Shape()
    for part in line.split():
        if part[0] == "!":
            part = part[1:]
            found.needed.add(part)
        option = _OPTION.fullmatch(part)
        if part in ("safe", "free"):
            found.safe, found.free = found.safe or part == "safe", found.free or part == "free"
        elif not option:
            found.operands.append(part)
        elif option[2] == "=":
            found.valued[option[1]] = option[3]
        elif option[2]:
            found.attached[option[1]] = option[3]
        else:
            found.flags.add(option[1])
    return found


class Misfit(Exception):
    """The words do not have the shape."""


def matched(line: str, words: Sequence[Word], around: Around) -> Risk:
    """Return the risk of a command with the arguments WORDS and the shape LINE: plain only if every word fits."""
    of = shape(line)
    if any(odd(word, of.safe) for word in words[: _end(words)]):
        return careful("has a word that may be an option in disguise")
    try:
        pairs = list(_pairs(of, words))
    except Misfit as misfit:
        return careful(str(misfit))
    given = {option for option, _, _ in pairs}
    if of.needed and not of.needed & (given | {word.text for _, _, word in pairs}):
        return careful(REWRITES)
    return worst(KINDS[kind](word, around, given) for _, kind, word in pairs if kind)


def _end(words: Sequence[Word]) -> int:
    return next((at for at, word in enumerate(words) if word.text == "--"), len(words))


def odd(word: Word, safe: bool) -> bool:
    """Return whether WORD may be read as an option without looking like one, or be misread by a person."""
    first = word.text[:1]
    if first == "-" and (word.missing or not word.text.isascii()):
        return True
    return (word.pattern[:1] in ("*", "?") and word.glob and not safe) or (not first.isascii() and not first.isalnum())


def _pairs(of: Shape, words: Sequence[Word]) -> Iterator[tuple[str, str, Word]]:
    """Yield the option, kind and word of each part: ("-A", "number", 3), ("", "path", x), ("-n", "", -n)."""
    rest, operands = list(words), []
    while rest:
        word = rest.pop(0)
        if word.text == "--":
            operands += rest
            break
        if word.text[:1] != "-" or word.text == "-" or (of.free and word.text not in of.flags):
            operands.append(word)
        else:
            yield from _option(of, word, rest)
    yield from _operands(of.operands, operands)


def _option(of: Shape, word: Word, rest: list[Word]) -> Iterator[tuple[str, str, Word]]:
    name, equals, _ = word.text.partition("=")
    if word.text in of.flags or (re.fullmatch(r"-\d+", word.text) and "-#" in of.flags):
        yield word.text, "", word
    elif equals and (name in of.attached or (name in of.valued and len(name) > 2)):
        yield name, of.attached.get(name) or of.valued[name], _after(word, len(name) + 1)
    elif word.text in of.attached:
        yield word.text, "", word
    elif word.text in of.valued:
        yield word.text, of.valued[word.text], _next(rest)
    elif not word.text.startswith("--"):
        yield from _letters(of, word, rest)
    else:
        raise Misfit(UNKNOWN_OPTION)


def _letters(of: Shape, word: Word, rest: list[Word]) -> Iterator[tuple[str, str, Word]]:
    """Yield the same for letters that stand together; the last may have a value."""
    for at, letter in enumerate(word.text[1:], 2):
        option = f"-{letter}"
        if option in of.valued:
            value = _after(word, at)
            yield option, of.valued[option], value if value.text or value.missing else _next(rest)
            return
        if option not in of.flags:
            raise Misfit(UNKNOWN_OPTION)
        yield option, "", word


def _after(word: Word, start: int) -> Word:
    """Return what follows the first START signs of WORD, which are an option; it is a pattern if WORD is one."""
    return replace(word, text=word.text[start:], pattern=word.pattern[start:])


def _next(rest: list[Word]) -> Word:
    """Take the value of an option. Refuse one that looks like an option, because the program may read it as one."""
    if not rest or (rest[0].text[:1] == "-" and not _NO_OPTION.fullmatch(rest[0].text)):
        raise Misfit(UNKNOWN_SHAPE)
    return rest.pop(0)


def _operands(kinds: Sequence[str], words: Sequence[Word]) -> Iterator[tuple[str, str, Word]]:
    kinds = list(kinds)
    for word in words:
        if not kinds:
            raise Misfit(UNKNOWN_SHAPE)
        yield "", kinds[0].rstrip("*?+"), word
        if kinds[0][-1] == "+":
            kinds[0] = kinds[0][:-1] + "*"
        elif kinds[0][-1] != "*":
            kinds.pop(0)
    if any(kind[-1] not in "*?" for kind in kinds):
        raise Misfit(UNKNOWN_SHAPE)
