"""Take apart a search that hands the files it finds to another program: `find src -name x | xargs wc -l`. Pure.

Only programs that count or search are known here. A count shows no content, and `xargs grep` shows what `grep -r` would
show in the same folders. The names begin with a folder of the search, so none of them can be an option.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from deskbell.answers.risk.words import Command, Word, names

_COUNTING = names("wc ls du stat basename dirname file")
_SEARCHING = names("grep egrep fgrep")
_FILTERS: dict[str, re.Pattern[str]] = {
    program: re.compile(changes)
    for program, changes in {
        "sort": r"$.",
        "uniq": r"-.*",
        "head": r"-[a-z]*c.*|--bytes.*",
        "tail": r"-[a-z]*c.*|--bytes.*",
        "grep": r"-[A-Za-z]*[oncHbTZz].*|--(?:only|line|count|with|byte|color).*",
    }.items()
}
"""Programs that pass some lines on as they are -> the options with which they change them."""
_FLAG = re.compile(r"-[A-Za-z0-9]+")
_XARGS = re.compile(r"(?:-[0rt]+|-[nPL] ?\d+)")


def passes_on(command: Command, source: Command | None) -> Command | None:
    """Return the search whose names leave COMMAND, which reads from a pipe those of SOURCE; None if there is none."""
    if _folders(command):
        return command
    program, *rest = (word.text for word in command.words) if command.words else [""]
    filters = command.before == "|" and program in _FILTERS
    return source if filters and not any(map(_FILTERS[program].fullmatch, rest)) else None


def taken_apart(command: Command, source: Command | None) -> list[Command]:
    """Return the commands that COMMAND stands for. SOURCE: the search whose names it reads from a pipe, if any."""
    text = [word.text for word in command.words]
    if source is not None and command.before == "|" and text[:1] == ["xargs"]:
        started = _started(_without_options(command.words[1:]), _folders(source))
        return [replace(command, words=started)] if started else [command]
    if _folders(command) and "-exec" in text:
        return _of_action(command, text)
    return [command]


def _folders(command: Command) -> Sequence[Word]:
    """Return the folders of COMMAND if it is a `find` that names some; with them begins every name that it finds."""
    words = command.words
    if not words or words[0].text != "find" or not words[0].bare:
        return []
    return list(takewhile(lambda word: re.match(r"[\w./~]", word.text), words[1:]))


def _without_options(words: Sequence[Word]) -> Sequence[Word]:
    """Return WORDS of xargs without its options."""
    while words and words[0].text.startswith("-"):
        length = 2 if words[0].text in ("-n", "-P", "-L") else 1
        if not _XARGS.fullmatch(" ".join(word.text for word in words[:length])):
            return []
        words = words[length:]
    return words


def _of_action(command: Command, text: Sequence[str]) -> list[Command]:
    """Return the search and the program of its one action; COMMAND itself if it does something else."""
    start = text.index("-exec")
    if text[-1] not in (";", "+") or text[-2] != "{}" or {"{}", ";"} & set(text[start:-2]):
        return [command]
    words = command.words[start + 1 : -2]
    started = _started(words, _folders(command)) if words and words[0].text in _COUNTING else []
    return [replace(command, words=command.words[:start]), replace(command, words=started)] if started else [command]


def _started(words: Sequence[Word], folders: Sequence[Word]) -> list[Word]:
    """Return the words of the program that gets the names, with FOLDERS in their place; none if it may do more."""
    if not words or not words[0].bare:
        return []
    program, rest = words[0], words[1:]
    if program.text in _COUNTING and all(_FLAG.fullmatch(word.text) for word in rest):
        return [*words, *folders]
    return [program, Word("-r", "-r"), *rest, *folders] if program.text in _SEARCHING else []
