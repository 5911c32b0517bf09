"""Judge a whole command of the Bash tool: every part of its chain, and everything that it names. Pure."""

import re
from collections.abc import Iterator, Sequence

from deskbell.answers.risk.checks import CHECKS
from deskbell.answers.risk.command import Part, judge
from deskbell.answers.risk.entries import Table
from deskbell.answers.risk.filtered import without_filtered
from deskbell.answers.risk.found import passes_on, taken_apart
from deskbell.answers.risk.kind import PLAIN, Place, Risk, careful, jump, worst
from deskbell.answers.risk.paths import may_take_all, takes_all
from deskbell.answers.risk.places import place, place_of
from deskbell.answers.risk.shell import LONGEST, script
from deskbell.answers.risk.words import Command, Script, Word, names

TOO_LONG = "is too long to be read"

_WHOLE = names(
    "--remove-files --remove-source-files --delete --delete-after"
    " rm rmdir mv chmod chown chgrp chattr chflags setfacl shred srm trash trash-put find fd rimraf unlink rd del"
)
_SEARCHES = names("find fd")
_ACTION = re.compile(r"-(?:delete|exec|execdir|ok|okdir|[a-zA-Z]*[xX])|--exec(?:-batch)?(?:=.*)?")
"""What makes a search more than a list."""
# Reason -> commands that write to a guarded place without naming it.
_UNNAMED: dict[str, re.Pattern[str]] = {
    reason: re.compile(rf"(?:^|[\s;&|/])(?:{pattern})", re.IGNORECASE)
    for reason, pattern in {
        "writes the settings of git": r"git (?:-c \S+ |-\S+ )*config\b"
        r"(?!(?: --(?:global|local|system|worktree|show-origin|show-scope|null|includes|name-only)| -z)*"
        r" (?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|get|list)(?!\S))",
        "writes hooks of git": r"git (?:-c \S+ |-\S+ )*(?:hook|lfs install)\b"
        r"|(?:pre-commit|lefthook) install\b|husky\b",
        "changes the settings of Claude Code": r"claude (?:mcp|config|plugin|hooks|settings|update|install|setup)",
        "changes Deskbell, or answers in your place": r"deskbell (?:answers?|reply|config|install|restore)\b",
        "starts Claude Code without its questions": r"claude\b[^;&|]* --(?:allow-)?(?:dangerously|permission-mode"
        r"|settings|mcp-config)",
        "takes what is hidden along": r"(?:shopt|setopt)\b[^;&|]*(?:dot_?glob|glob_?dots)",
        "touches ~/.ssh": r"ssh-keygen\b|ssh-copy-id\b",
        "changes what is started at a time": r"crontab\b(?! -l(?!\S))",
    }.items()
}
_FOLDERS = 8
"""The most folders in which the parts of a command may run."""
_LEVELS = 4
"""The most levels of nested shells and substitutions that are examined."""
_LOOSE = re.compile(r"\$\(|['\"`()]")  # so that what stands in quotes and substitutions is split, too
_UNQUOTED = re.compile(r"\\\n|['\"\\]")  # so that quotes inside of a pattern do not hide it
_NESTED = re.compile(r"\$\{\w*:?[-+=?]?|\$\(|[`(){}]")  # so that such a pattern is found within a substitution, too
_QUOTES = re.compile(r"\\")
_SPLIT = re.compile(r"[\s;&|(){}'\"`<>,]+")
_HOME, _HERE = (
    re.compile(r"\$\{?HOME\}?|\$env:(?:HOME|USERPROFILE)|%USERPROFILE%", re.IGNORECASE),
    re.compile(r"\$\{?(?:OLD)?PWD\}?"),
)
_WORDS_ONLY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/ =-]*")


def judged(text: str, at: Place, table: Table) -> Risk:
    """Return the risk of the shell command TEXT."""
    if len(text) > LONGEST:
        return jump(TOO_LONG)
    read = script(text)
    parts = _parts(read, at)
    if _guarded_by_person(text, read, at, table):
        return jump("touches a place of your own list")
    doubts = [careful(f"cannot be read with certainty: {doubt}") for doubt in read.doubts]
    if doubts or not all(part.known for part in parts):
        doubts.append(_named(text, read, at))
    found = worst([*(part.risk for part in parts), *doubts])
    if found.verdict == "careful" and not read.doubts and table.allows(text):
        return PLAIN
    if found.verdict == "plain" and any(table.doubts([word.text for word in one.words]) for one in read.commands):
        return careful("begins as you told Deskbell to be careful with")
    return found


def powershell(text: str, at: Place, table: Table) -> Risk:
    """Return the risk of a command of PowerShell.

    Its names mean other programs than those of a shell, so only checks in plain words are plain.
    """
    if _WORDS_ONLY.fullmatch(text) and " ".join(text.split()[:2]) in CHECKS:
        return judged(text, at, table)
    if len(text) > LONGEST:
        return jump(TOO_LONG)
    found = _named(text, Script([], []), at)
    if found.verdict == "jump" or table.guards(text, at.cwd, at):
        return found if found.verdict == "jump" else jump("touches a place of your own list")
    return worst((found, careful("cannot be read with certainty: PowerShell")))


def placed(text: str, at: Place) -> list[tuple[Command, str]]:
    """Return every command of TEXT with each folder in which it may run."""
    return [pair for pairs, _ in _walk(script(text), at) for pair in pairs]


def _parts(read: Script, at: Place) -> list[Part]:
    """Judge each command in every folder in which it may run."""
    return [part for _, parts in _walk(read, at) for part in parts]


def _walk(read: Script, at: Place) -> Iterator[tuple[list[tuple[Command, str]], list[Part]]]:
    """Yield each command with its folders, and their judgements: a `cd` may fail, and only `&&` heeds that."""
    here, every = [at.cwd], [at.cwd]
    source: Command | None = None
    for command in read.commands:
        if command.before not in ("&&", "|", "|&"):
            here = every
        pairs = [(one, folder) for one in taken_apart(command, source) for folder in here]
        parts = [judge(one, folder, at) for one, folder in pairs]
        source = passes_on(command, source)
        if any(part.moves for part in parts):
            here = list(dict.fromkeys(part.folder for part in parts))
            every = list(dict.fromkeys((*every, *here)))
        if len(every) > _FOLDERS:
            parts.append(Part(careful("goes to a folder that cannot be known"), at.cwd, False))
            here = every = [at.cwd]
        yield pairs, parts


def _named(text: str, read: Script, at: Place) -> Risk:
    """Return the risk of the places that TEXT names anywhere: a command that may write may write to them."""
    words = _all_words(text, read)
    found = place(text) or next(filter(None, map(place_of, words)), None)
    spaced = " ".join(_QUOTES.sub("", _LOOSE.sub(" ", text)).split())
    found = found or next((reason for reason, form in _UNNAMED.items() if form.search(spaced)), None)
    if found:
        return jump(found)
    return jump("takes everything in the project or your home along") if _takes_all(text, words, at) else PLAIN


def _takes_all(text: str, words: Sequence[Word], at: Place) -> bool:
    """Return whether a program that may delete or change all of a folder stands beside one that holds what is guarded.

    Look at the words without their quotes, and at TEXT, where the home may stand as a variable. What a `find` with a
    filter takes does not count.
    """
    bare = without_filtered(text)
    if bare != text:
        text = bare
        words = _all_words(text, script(text))
    pieces = {*_SPLIT.split(_HERE.sub(".", _HOME.sub("~", text))), *(word.text for word in words)}
    programs = {piece.rpartition("/")[2] for piece in pieces}
    acts = any(map(_ACTION.fullmatch, pieces)) or any(word.missing for word in words)
    if not programs & (_WHOLE if acts else _WHOLE - _SEARCHES):
        return False
    patterns = {word.pattern for word in words if word.glob or word.missing}
    return any(piece and piece[0] != "-" and takes_all(piece, at.cwd, at) for piece in pieces) or any(
        may_take_all(pattern, at.cwd, at) for pattern in patterns
    )


def _all_words(text: str, read: Script) -> list[Word]:
    """Return the words of TEXT: as READ has them, in its quotes and substitutions, and without its quotes."""
    unquoted = _UNQUOTED.sub("", text)
    others = (_LOOSE.sub(" ", text), unquoted, _NESTED.sub(" ", unquoted))
    return [*every_word(read), *(word for other in others for word in _words_of(script(other)))]


def _words_of(read: Script) -> list[Word]:
    return [word for command in read.commands for word in _words(command)]


def every_word(read: Script) -> list[Word]:
    """Return the words of READ, of its substitutions, and of texts that may be commands of another: `bash -c '...'`."""
    found, level = list[Word](), [read]
    for _ in range(1 + _LEVELS):
        words = [word for one in level for word in _words_of(one)]
        found += words
        texts = [*(text for one in level for text in one.inner), *(word.text for word in words if " " in word.text)]
        level = list(map(script, texts))
    return found


def _words(command: Command) -> list[Word]:
    return [*command.words, *(redirect.target for redirect in command.redirects)]


def _guarded_by_person(text: str, read: Script, at: Place, table: Table) -> bool:
    texts = [text, *(word.text for command in read.commands for word in _words(command))]
    return any(table.guards(name, at.cwd, at) for name in texts)
