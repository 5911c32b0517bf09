"""Judge one word of a known command by the kind of word that its shape expects there. Pure."""

import re
from collections.abc import Callable, Set
from dataclasses import dataclass

from deskbell.answers.risk.kind import PLAIN, Place, Risk, careful
from deskbell.answers.risk.paths import absolute, is_inside, reads, reads_all
from deskbell.answers.risk.places import is_secret, may_be_secret, place_of
from deskbell.answers.risk.words import Word

NOT_KNOWN = careful("has a word that is not known to be harmless")
RECURSIVE = frozenset(("-r", "-R", "--recursive", "recursive"))


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


def _path(word: Word, around: Around, options: Set[str]) -> Risk:
    """A path that is read; "-" stands for the pipe."""
    if word.text == "-":
        return PLAIN
    if found := place_of(word):
        return careful(found.replace("touches", "reads").replace("touch", "read"))
    if may_be_secret(word):
        return careful("reads what may be credentials")
    judge = reads_all if around.recursive or options & RECURSIVE else reads
    return judge(word.text, around.folder, around.at)


def _folder(word: Word, around: Around, _: Set[str]) -> Risk:
    """A path that is only listed."""
    if found := place_of(word):
        return careful(found.replace("touches", "reads").replace("touch", "read"))
    return reads(word.text, around.folder, around.at)


def _inside(word: Word, around: Around, _: Set[str]) -> Risk:
    """A path in the project that is run or checked, such as `tests/test_a.py::test_b[1]`."""
    path = word.text.partition("::")[0]
    if place_of(word) or may_be_secret(word) or word.text[:1] in ("@", "+", "-", ""):
        return NOT_KNOWN
    inside = is_inside(absolute(path, around.folder, around.at.home), around.at)
    return PLAIN if inside else careful("runs something outside the project")


def _search(word: Word, around: Around, options: Set[str]) -> Risk:
    """A pattern to search for. One that matches every line, or that names credentials, would show what nobody named."""
    if not (around.recursive or options & RECURSIVE):
        return PLAIN
    if re.search(r"secret|passw|token|credential|api.?key|private|BEGIN|AKIA|ghp_|sk-", word.text, re.IGNORECASE):
        return careful("looks for credentials")
    return PLAIN if re.search(r"[A-Za-z0-9_]{2}", word.text) else careful("reads all files of a folder")


def _any(_: Word, __: Around, ___: Set[str]) -> Risk:
    return PLAIN


_LINES = r"(?:\d+|\$)(?:,(?:\d+|\$|\+\d+))?[pdq]"
_SED = (
    rf"{_LINES}(?:;{_LINES})*|/[^/\\]*/(?:,/[^/\\]*/)?[pd]"
    r"|s/[^/\\]*/[^/\\]*/[gpiI0-9]*|s\|[^|\\]*\|[^|\\]*\|[gpiI0-9]*|s#[^#\\]*#[^#\\]*#[gpiI0-9]*"
)
_JQ_NAMES = re.compile(r"env|import|include|input_filename|debug|stderr|modulemeta|getpath|\$__", re.IGNORECASE)

_SUFFIX = (
    "unit|ci|e2e|integration|coverage|cov|all|fast|types|ts|js|tsx|css|styles|check|fix|dev|main|client|server|web|api|ui|lib|core"
    "|node|browser|src|tests|test|lint|build|md|json|strict|quiet|debug"
)
_SCRIPT = (
    "(?:test|tests|lint|build|typecheck|type-check|types|tsc|check|compile|format|fmt|prettier|eslint|coverage|unit|e2e)"
    rf"(?::(?:{_SUFFIX}))*"
)
_TARGET = (
    "tests?|checks?|lint|build|all|typecheck|type-check|types|unit|unit-tests|unittest|test-unit|test_unit|coverage|cov|fmt-check"
    "|format-check|format|fmt|quick|compile|mypy|ruff|vet|verify|help"
)
_PHASE = (
    r"(?::?[\w-]+:|:)*(?:test|check|build|assemble|compile|compileJava|compileKotlin|lint|detekt|ktlintCheck|testDebugUnitTest"
    "|classes|testClasses|verify|package|test-compile|validate)"
)
_OWN_FLAG = re.compile(r"--(?:watch|watchAll|coverage|ci|verbose|silent|bail|passWithNoTests|runInBand)(?:=\w+)?|-[uv]")


def _argument(word: Word, around: Around, options: Set[str]) -> Risk:
    """An argument of a test script: a file of the project, or an option that means the same to all test programs."""
    return PLAIN if _OWN_FLAG.fullmatch(word.text) else _inside(word, around, options)


_REVISION = re.compile(r"[\w@^./:][\w./@^~{}:+-]*")


def _revision(word: Word, _: Around, __: Set[str]) -> Risk:
    """A commit, a range, or a path in a commit. Credentials that git keeps are credentials, too."""
    if any(is_secret(part) for part in word.text.split(":")) or place_of(word) or may_be_secret(word):
        return careful("reads what may be credentials")
    return PLAIN if _REVISION.fullmatch(word.text) else NOT_KNOWN


KINDS: dict[str, Kind] = {
    "any": _any,
    "path": _path,
    "folder": _folder,
    "inside": _inside,
    "argument": _argument,
    "search": _search,
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
    "lint": _like(r"-[DWAF]?[\w:]*|[\w:]+"),
    "testing": _like(r"--(?:nocapture|ignored|include-ignored|exact|quiet|show-output|test-threads=\d+)|\w[\w:]*"),
    "eslint-format": _like("stylish|json|compact|unix|html|tap|junit|visualstudio|checkstyle"),
    "environment": _like(r"[A-Za-z0-9][\w.,-]*"),
}
"""The name of a kind, as the shapes give it -> what judges a word of the kind."""
