"""Judge one command of a chain: what it runs, with which words, in which folder. Pure.

Plain is only what `reads` and `checks` list, in a shape that they list. The reason of everything else comes from
`dangers`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deskbell.answers.risk.checks import CHECKS, FOLDERS, PREFIXES
from deskbell.answers.risk.dangers import danger
from deskbell.answers.risk.kept import shows_all
from deskbell.answers.risk.kind import PLAIN, Place, Risk, careful, jump, worst
from deskbell.answers.risk.kinds import KINDS, Around
from deskbell.answers.risk.paths import NOTHING, absolute, is_foreign, is_inside, reads, reads_all, writes
from deskbell.answers.risk.places import place_of
from deskbell.answers.risk.reads import CONFIGURED, CONTENT_SEARCH, READS, VERSION_LETTERS, VERSIONS
from deskbell.answers.risk.shapes import matched
from deskbell.answers.risk.words import Command, Redirect, Word

UNKNOWN = "runs a program that is not known to be harmless"

_READING = ("reads", "looks", "shows", "chooses")
"""How a reason begins that says what is read. A command with such a reason writes nothing."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=")
_HARMLESS_ASSIGNMENT = re.compile(
    r"(?:CI|NO_COLOR|FORCE_COLOR|COLUMNS|LINES|LANG|LC_ALL|TZ|NODE_ENV|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED"
    r"|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONWARNINGS|TERM|DEBUG|VERBOSE|LOG_LEVEL|CGO_ENABLED|GOOS|GOARCH"
    r"|CARGO_TERM_COLOR|GO111MODULE|DJANGO_SETTINGS_MODULE|\w+_(?:TIMEOUT|SEED|WORKERS|THREADS|LOG_LEVEL|DEBUG|VERBOSE))=[\w.:*,-]*"
    r"|(?:RAILS|RACK|MIX|APP|FLASK)_ENV=(?:test|development|dev|ci)|(?:GIT_)?PAGER=cat|NODE_OPTIONS=--max-old-space-size=\d+"
    r"|PYTHONPATH=(?:\.|(?:\./)?\w[\w-]*(?:/\w[\w-]*)*/?)(?::(?:\.|(?:\./)?\w[\w-]*(?:/\w[\w-]*)*/?))*"
)
_PATTERN = re.compile(r"-[rniRlwcoEPhHsIaqN]*e|--regexp(?:=.*)?", re.DOTALL)
"""An option with the pattern of a search. All its operands are paths then."""
_SYSTEM_FOLDER = re.compile(r"(?:/usr)?/bin/(?=[^/]+$)")
_RECURSIVE = re.compile(r"-[A-Za-z]*[rR]|--recursive$")


@dataclass(frozen=True, slots=True)
class Part:
    """What is known of one command, and the folder that the next one runs in."""

    risk: Risk
    folder: str
    known: bool
    """Whether all its words were understood, and it cannot write to what they name."""
    moves: bool = False
    """Whether it changes to `folder`, if that exists."""


def judge(command: Command, folder: str, at: Place) -> Part:
    """Judge COMMAND, which runs in FOLDER."""
    words, assigned = _without_assignments(command.words)
    inner = _unwrapped(words)
    if not inner:
        main = Part(careful("sets what later commands use"), folder, False)
    elif inner[0].text == "cd" and inner is words:
        main = _moved(inner, command, folder, at)
    else:
        main = _judge(inner, command, folder, at)
    rest = worst((assigned, *(_redirected(one, folder, at) for one in command.redirects)))
    writes_none = assigned is PLAIN and not any(map(_writes, command.redirects))
    return Part(worst((main.risk, rest)), main.folder, main.known and writes_none, main.moves)


def _without_assignments(words: Sequence[Word]) -> tuple[Sequence[Word], Risk]:
    end = next((at for at, word in enumerate(words) if not _ASSIGNMENT.match(word.text)), len(words))
    harmless = all(word.bare and _HARMLESS_ASSIGNMENT.fullmatch(word.text) for word in words[:end])
    return words[end:], PLAIN if harmless else careful("sets a variable that may change what the command does")


def _unwrapped(words: Sequence[Word]) -> Sequence[Word]:
    """Leave out programs that only measure or limit the command that follows."""
    for _ in range(3):
        text = [word.text if word.bare else "" for word in words[:3]]
        if text[:1] in (["time"], ["nice"]) and len(words) > 1 and not text[1].startswith("-"):
            words = words[1:]
        elif text[:1] == ["timeout"] and len(words) > 2 and re.fullmatch(r"\d+(?:\.\d+)?[smhd]?", text[1], re.ASCII):
            words = words[2:]
    return words


def _writes(redirect: Redirect) -> bool:
    """Return whether REDIRECT writes to a file."""
    copies = redirect.sign in (">&", "<&") and redirect.target.text in ("1", "2")
    return redirect.sign != "<" and not copies and not (redirect.target.bare and redirect.target.text in NOTHING)


def _redirected(redirect: Redirect, folder: str, at: Place) -> Risk:
    target = redirect.target
    if not _writes(redirect):
        return KINDS["path"](target, Around(folder, at), set()) if redirect.sign == "<" else PLAIN
    if redirect.sign[:2] == "<<":
        return careful("feeds a text to a program")
    if found := place_of(target):
        return jump(found)
    return worst((writes(target.text, folder, at), careful("writes to a file by a redirection")))


def _judge(words: Sequence[Word], command: Command, folder: str, at: Place) -> Part:
    found = _known(words, folder, at)
    if found and found.verdict == "plain":
        return Part(found, folder, True)
    text = [word.text for word in words]
    reason = danger(text, piped=command.before in ("|", "|&"))
    if found:
        reads_only = _row(_in_project(words, folder, at))[0] in READS and found.reason.startswith(_READING)
        risk = careful(reason) if reason and found.reason.startswith("has ") and found.verdict != "jump" else found
        return Part(risk, folder, reads_only)
    return Part(careful(reason or UNKNOWN), folder, False)


def _moved(words: Sequence[Word], command: Command, folder: str, at: Place) -> Part:
    """Judge `cd`, which decides what a path of the next command means."""
    simple = len(words) == 2 and not words[1].missing and not words[1].glob and words[1].text[:1] not in ("-", "+", "")
    to = absolute(words[1].text, folder, at.home) if simple else "/"
    if not simple or command.before in ("|", "|&", "||") or command.after in ("|", "|&", "||", "&"):
        return Part(careful("goes to a folder that cannot be known"), to, False)
    found = reads(words[1].text, folder, at)
    if found.verdict == "plain" and not is_inside(to, at):
        found = careful("goes outside the project")
    return Part(found, to, found.verdict == "plain", moves=True)


def _known(words: Sequence[Word], folder: str, at: Place) -> Risk | None:
    """Return what the tables say; None for a program and a verb that they do not list."""
    key, rest = _row(_in_project(words, folder, at))
    if not key:
        return _version(words, folder, at)
    if reason := _wrong_folder(key, folder, at) or shows_all(key, [word.text for word in rest]):
        return careful(reason)
    return matched(CHECKS[key], rest, Around(folder, at)) if key in CHECKS else _reading(key, rest, folder, at)


def _wrong_folder(key: str, folder: str, at: Place) -> str | None:
    """Return the reason if the program of KEY obeys FOLDER, and that is not the project's own."""
    project = absolute(at.project, at.project, at.home)
    if (key in CHECKS or key.split()[0] in CONFIGURED) and not is_inside(folder, at):
        return "runs something outside the project"
    if key in CHECKS and is_foreign(folder[len(project) :]):
        return "runs something that was only fetched"
    # git obeys the configuration of the repository that it runs in. `links` looks for one below the project.
    elsewhere = key.startswith("git ") and (not is_inside(folder, at) or is_foreign(folder[len(project) :]))
    return "runs git outside the project's own repository" if elsewhere else None


def _reading(key: str, rest: Sequence[Word], folder: str, at: Place) -> Risk:
    """Return the risk of the command KEY of `reads` with the words REST."""
    shape = READS[key]
    searches = shape.startswith("search ")
    if searches and any(_PATTERN.fullmatch(word.text) for word in rest):
        shape = shape.removeprefix("search ")
    recursive = key in CONTENT_SEARCH
    everywhere = recursive or any(_RECURSIVE.match(word.text) for word in rest)
    found = matched(shape, rest, Around(folder, at, recursive))
    return worst((found, reads_all(".", folder, at))) if everywhere and searches else found


def _in_project(words: Sequence[Word], folder: str, at: Place) -> Sequence[Word]:
    """Leave out an option that has git run in the project, where it runs anyway."""
    project = absolute(at.project, at.project, at.home)
    here = [word.text for word in words[:2]] == ["git", "-C"] and len(words) > 3 and words[2].bare and folder == project
    return [words[0], *words[3:]] if here and absolute(words[2].text, folder, at.home) == project else words


def _version(words: Sequence[Word], folder: str, at: Place) -> Risk | None:
    if len(words) != 2 or not all(word.bare for word in words) or not is_inside(folder, at):
        return None
    asked = VERSIONS if words[1].text == "--version" else VERSION_LETTERS.get(words[1].text, frozenset())
    return PLAIN if words[0].text in asked else None


def _row(words: Sequence[Word]) -> tuple[str, Sequence[Word]]:
    """Return the key of the row for WORDS, and the words after it. The key is empty if no table lists them."""
    if [word.text for word in words[:2]] == ["git", "--no-pager"]:
        words = [words[0], *words[2:]]
    if words[0].text == "[" and words[-1].text == "]":
        words = [Word("test", "test"), *words[1:-1]]
    words = _in_workspace(words)
    text = [word.text if word.bare else "" for word in words[:5]]
    own = next((folder for folder in FOLDERS if text[0].removeprefix("./").startswith(folder)), "")
    if own:
        text[0] = text[0].removeprefix("./").removeprefix(own)
    text[0] = _SYSTEM_FOLDER.sub("", text[0])
    for prefix in sorted(PREFIXES, key=len, reverse=True):
        if tuple(text[: len(prefix)]) == prefix and " ".join(text[len(prefix) :][:1]) in PREFIXES[prefix]:
            return _longest(text, words, len(prefix), own=True)
    return _longest(text, words, 0, bool(own))


def _in_workspace(words: Sequence[Word]) -> Sequence[Word]:
    """Leave out words that choose which packages of the project a packager runs a script for."""
    program, first = words[0].text, words[1].text if len(words) > 1 else ""
    if program == "pnpm" and first in ("-r", "--recursive"):
        return [words[0], *words[2:]]
    chooses = (program, first) in (("pnpm", "--filter"), ("pnpm", "-F"), ("yarn", "workspace"))
    named = chooses and len(words) > 3 and re.fullmatch(r"@?\w[\w/-]*", words[2].text)
    return [words[0], *words[3:]] if named else words


def _longest(text: Sequence[str], words: Sequence[Word], start: int, own: bool) -> tuple[str, Sequence[Word]]:
    for length in (3, 2, 1):
        key = " ".join(text[start : start + length])
        if (
            len(text) >= start + length
            and all(text[start : start + length])
            and (key in CHECKS or (key in READS and not own and not start))
        ):
            return key, words[start + length :]
    return "", words
