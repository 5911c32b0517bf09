r"""Leave out of a shell command what a search with a filter takes, such as `find . -name x -delete`. Pure.

`script` asks this, because such a search takes less than the folder that it names. A filter counts only if `find` or
`fd` is the program of its part, and only for the actions after it: `find . -delete -name x` deletes everything, and so
does `rm -rf . -name x`. What an action runs is looked at like any other command.
"""

import re
from collections.abc import Sequence

from deskbell.answers.risk.words import names

_ENDS = re.compile(r"[&\n|`]|[$<>]\(|(?<!\\)(?:\\\\)*[;)]")
"""The signs between which a shell starts one program. An escaped `;` or `)` is a word of that program."""
_SHELL = re.compile(r"\s*(?:(?:/usr)?/bin/)?(?:ba|da|z)?sh -l?c (?:'([^'\\]*)'|\"([^\"\\]*)\")\s*")
_UNQUOTED = re.compile(r"['\"\\]")
_GAPS = re.compile(r"[\s(){}]+")
_QUOTED_BRACKET = re.compile(r"['\"]\(")
_SEARCH = re.compile(r"(?:(?:/usr)?/bin/)?(?:find|fd)")
_BEFORE = names("sudo time nice nohup command exec env do then else if while until !")
"""What may stand before the program that is started."""
_FILTERS = re.compile(r"-i?(?:name|path|regex|wholename)")
_NAMED = re.compile(r"\w")
_ACTIONS = names("-delete -exec -execdir -ok -okdir")
_ALTERNATIVES = names("-o -or ,")
_ALONE = names(
    "-a -and -o -or -empty -depth -d -daystart -mount -xdev -readable -writable -executable -nouser -nogroup -follow"
    " -noleaf -true -print -print0 -prune -H -L -P -E -s -x -X"
)
"""The words with a hyphen after which a filter is one. After others, it may be their argument: `-newer -name`."""


def without_filtered(text: str) -> str:
    """Return TEXT without its filtered searches. What their actions run stays."""
    parts, start = list[str](), 0
    for end in _ENDS.finditer(text):
        parts += [_bare(text[start : end.start()]), end[0]]
        start = end.end()
    return "".join([*parts, _bare(text[start:])])


def _bare(part: str) -> str:
    """Return PART, which starts one program. If that is a filtered search, return only what its actions run."""
    shell = _SHELL.fullmatch(part)
    inner = (shell[1] or shell[2] or "") if shell else part
    words = [word for word in _GAPS.split(_UNQUOTED.sub("", inner)) if word]
    while words and words[0] in _BEFORE:
        words = words[1:]
    if not words or not _SEARCH.fullmatch(words[0]) or not _is_plain(inner, words):
        return part
    ran = _ran(words)
    return part if ran is None else " ".join(ran)


def _is_plain(part: str, words: Sequence[str]) -> bool:
    """Return whether WORDS are the words of the program: no variable, no comment, and no bracket that ends PART."""
    return "$" not in part and not _QUOTED_BRACKET.search(part) and not any(word[0] == "#" for word in words)


def _ran(words: Sequence[str]) -> Sequence[str] | None:
    """Return the actions of the search WORDS and what they run; None unless a filter restricts all that it takes."""
    filtered, first = False, len(words)
    for at, word in enumerate(words):
        if word in _ALTERNATIVES:
            filtered = False
        elif _FILTERS.fullmatch(word):
            filtered |= _is_filter(words[at - 1], words[at + 1] if at + 1 < len(words) else "")
        elif word in _ACTIONS:
            if not filtered:
                return None
            first = min(first, at)
    return words[first:] if filtered else None


def _is_filter(before: str, pattern: str) -> bool:
    """Return whether a word that may be a filter is one, does not say what is left out, and names something."""
    is_test = before != "!" and (not before.startswith("-") or before in _ALONE)
    return is_test and bool(_NAMED.search(pattern))
