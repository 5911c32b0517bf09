"""Judge one word of a known command by the kind of word that its shape expects there. Pure."""

import re
from collections.abc import Callable, Set
from dataclasses import dataclass, replace

from deskbell.answers.risk.credentials import is_secret, may_be_secret
from deskbell.answers.risk.kind import PLAIN, Place, Risk, careful, jump, worst
from deskbell.answers.risk.paths import absolute, is_inside, lists, reads, reads_all
from deskbell.answers.risk.places import place_of
from deskbell.answers.risk.search import is_specific, seeks_credentials
from deskbell.answers.risk.words import Word, names

NOT_KNOWN = careful("has a word that is not known to be harmless")
RECURSIVE = frozenset(("-r", "-R", "--recursive", "recursive"))
INVERTED = frozenset(("-v", "--invert-match", "-L", "--files-without-match"))
_VERBS = names("init dev watch bench inspect debug create install add link")
"""What test runners do instead of testing if it stands in the place of a file."""


@dataclass(frozen=True, slots=True)
class Around:
    """Where a command runs, and whether it reads the files of folders by itself."""

    folder: str
    at: Place
    recursive: bool = False


Kind = Callable[[Word, Around, Set[str]], Risk]


def _like(pattern: str) -> Kind:
    form = re.compile(pattern)
    return lambda word, _, __: PLAIN if form.fullmatch(word.text) and not word.glob else NOT_KNOWN


def _read(found: str) -> str:
    return found.replace("touches", "reads").replace("touch", "read")


def _path(word: Word, around: Around, options: Set[str]) -> Risk:
    """A path that is read; "-" stands for the pipe."""
    if word.text == "-":
        return PLAIN
    if found := place_of(word):
        return jump(_read(found))
    if may_be_secret(word):
        return careful("reads what may be credentials")
    judge = reads_all if around.recursive or options & RECURSIVE else reads
    return judge(word.text, around.folder, around.at)


def _compared(word: Word, around: Around, options: Set[str]) -> Risk:
    """A path that is compared. Two folders with little in common are shown whole."""
    shows_all = options & RECURSIVE and not options & {"-q", "--brief"}
    return worst((_path(word, around, options), careful("reads all files of a folder") if shows_all else PLAIN))


def _folder(word: Word, around: Around, _: Set[str]) -> Risk:
    """A path that is only listed."""
    if found := place_of(word):
        return jump(_read(found))
    return lists(word.text, around.folder, around.at)


def _inside(word: Word, around: Around, _: Set[str]) -> Risk:
    """A path in the project that is run or checked, such as `tests/test_a.py::test_b[1]`."""
    path = word.text.partition("::")[0]
    if place_of(word) or may_be_secret(replace(word, text=path)) or word.text[:1] in ("@", "+", "-", ""):
        return NOT_KNOWN
    inside = is_inside(absolute(path, around.folder, around.at.home), around.at)
    return PLAIN if inside else careful("runs something outside the project")


def _filter(word: Word, around: Around, options: Set[str]) -> Risk:
    """A file of tests or a part of its name, for a program that also has verbs."""
    return NOT_KNOWN if word.text in _VERBS else _inside(word, around, options)


def _search(word: Word, around: Around, options: Set[str]) -> Risk:
    """A pattern to search for. One that matches every line, or that names credentials, would show what nobody named."""
    if not (around.recursive or options & RECURSIVE):
        return PLAIN
    if seeks_credentials(word.text):
        return careful("looks for credentials")
    return PLAIN if is_specific(word.text) and not options & INVERTED else careful("reads all files of a folder")


def _hunt(word: Word, _: Around, __: Set[str]) -> Risk:
    """A pattern that is searched for in all that git keeps."""
    return careful("looks for credentials") if seeks_credentials(word.text) else PLAIN


def _any(_: Word, __: Around, ___: Set[str]) -> Risk:
    return PLAIN


_LINES = r"(?:\d+|\$)(?:,(?:\d+|\$|\+\d+))?[pdq]"
_SED = (
    rf"{_LINES}(?:;{_LINES})*|/[^/\\]*/(?:,/[^/\\]*/)?[pd]"
    r"|s/[^/\\]*/[^/\\]*/[gpiI0-9]*|s\|[^|\\]*\|[^|\\]*\|[gpiI0-9]*|s#[^#\\]*#[^#\\]*#[gpiI0-9]*"
)
_JQ_NAMES = re.compile(r"env|import|include|input_filename|debug|stderr|modulemeta|getpath|\$__", re.IGNORECASE)

_SUFFIX = (
    "unit|ci|e2e|integration|coverage|cov|all|fast|types|ts|js|tsx|css|styles|check|dev|main|client|server|web|api|ui|lib|core"
    "|node|browser|src|tests|test|lint|build|md|json|strict|quiet|debug"
)
_SCRIPT = (
    "(?:test|tests|lint|build|typecheck|type-check|types|tsc|check|compile|eslint|coverage|unit|e2e)"
    rf"(?::(?:{_SUFFIX}))*|(?:format|fmt|prettier)[:-]check"
)
_TARGET = (
    "tests?|checks?|lint|build|all|typecheck|type-check|types|unit|unit-tests|unittest|test-unit|test_unit|coverage|cov|fmt-check"
    "|format-check|quick|compile|mypy|ruff|vet|verify|help"
)
_ENVIRONMENT = r"(?:py|pypy)[\d.]*|tests?|lint|mypy|ruff|flake8|types?|typing|checks?|cov|coverage|unit|[\d.]+"
_PHASE = (
    r"(?::?[\w-]+:|:)*(?:test|check|build|assemble|compile|compileJava|compileKotlin|lint|detekt|ktlintCheck|testDebugUnitTest"
    "|classes|testClasses|verify|package|test-compile|validate)"
)
_OWN_FLAG = re.compile(
    r"--(?:watch|watchAll|coverage|ci|verbose|silent|bail|passWithNoTests|runInBand)(?:=\w+)?|-[vt]"
    r"|--(?:testPathPattern|testNamePattern|grep)(?:=[\w. -]+)?"
)


def _argument(word: Word, around: Around, options: Set[str]) -> Risk:
    """An argument of a test script: a file of the project, or an option that means the same to all test programs."""
    return PLAIN if _OWN_FLAG.fullmatch(word.text) else _inside(word, around, options)


_REVISION = re.compile(r"[\w@^./:][\w./@^~{}:+-]*")


def _revision(word: Word, around: Around, _: Set[str]) -> Risk:
    """A commit, a range, or a path that git keeps. Credentials that git keeps are credentials, too."""
    if any(is_secret(part) for part in word.text.split(":")) or may_be_secret(word):
        return careful("reads what may be credentials")
    if found := place_of(word):
        return jump(_read(found))
    if not _REVISION.fullmatch(word.text):
        return NOT_KNOWN
    # git diff compares any two files, and one is named like a commit
    return worst(reads(part or ".", around.folder, around.at) for part in word.text.split(":"))


KINDS: dict[str, Kind] = {
    "any": _any,
    "path": _path,
    "compared": _compared,
    "folder": _folder,
    "inside": _inside,
    "argument": _argument,
    "search": _search,
    "hunt": _hunt,
    "filter": _filter,
    "revision": _revision,
    "number": _like(r"[+-]?\d+[kKMGbc]?"),
    "seconds": _like(r"\d{1,5}(?:\.\d+)?[smh]?"),
    "name": _like(r"[A-Za-z0-9_][\w.:/@,+^~=-]*"),
    "names": _like(r"[A-Za-z0-9_][\w.,: -]*"),
    "word": _like(r"[A-Za-z][\w-]*"),
    "setting": _like(r"(?:user|core|init|branch|push|pull|merge|diff|color|alias|commit|rebase)\.[\w.-]+"),
    "package": _like(r"\.(?:/[\w-][\w.-]*)*(?:/\.\.\.)?"),
    "sed": _like(_SED),
    "awk": _like(r"[\w\s$,;{}\"/=!&%.:+*-]*"),
    "jq": lambda word, _, __: NOT_KNOWN if _JQ_NAMES.search(word.text) else PLAIN,
    "text": _like(r"(?:[^%]|%s|%%|%b)*"),  # zsh evaluates an argument of a number format, and runs commands in it
    "format": _like(r"\+[\w%:. /-]*"),
    "processes": _like("aux|ax|-ef"),
    "script": _like(_SCRIPT),
    "target": _like(_TARGET),
    "phase": _like(_PHASE),
    "report": _like(r"term(?:-missing)?(?::skip-covered)?"),
    "lint": _like(r"-[DWAF](?:[\w:]+)?|[\w:]+"),
    "expression": _like(r"(?!.*__)[\w\s.,:()\[\]/=-]*"),  # older ones compute it
    "endings": _like(r"\.?\w+(?:,\.?\w+)*"),
    "vitest-format": _like("default|verbose|dot|basic|tree|json|junit|tap|tap-flat|hanging-process|github-actions"),
    "fmt-check": _like("--check"),
    "testing": _like(r"--(?:nocapture|ignored|include-ignored|exact|quiet|show-output|test-threads=\d+)|\w[\w:]*"),
    "eslint-format": _like("stylish|json|compact|unix|html|tap|junit|visualstudio|checkstyle"),
    "environment": _like(
        rf"(?:{_ENVIRONMENT})(?:-(?:{_ENVIRONMENT}))*(?:,(?:{_ENVIRONMENT})(?:-(?:{_ENVIRONMENT}))*)*"
    ),
}
"""The name of a kind, as the shapes give it -> what judges a word of the kind."""
