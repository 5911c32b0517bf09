"""Judge one word of a known command by the kind of word that its shape expects there. Pure."""

import re
from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from deskbell.answers.risk.credentials import POINTED, is_secret, is_store, may_be_secret
from deskbell.answers.risk.kind import PLAIN, Place, Risk, careful, jump, worst
from deskbell.answers.risk.paths import absolute, is_address, is_foreign, is_inside, lists, reads, reads_all
from deskbell.answers.risk.places import place, place_of
from deskbell.answers.risk.search import is_specific, seeks_credentials
from deskbell.answers.risk.words import Word, names

NOT_KNOWN = careful("has a word that is not known to be harmless")
RECURSIVE = frozenset(("-r", "-R", "--recursive", "recursive"))
INVERTED = frozenset(("-v", "--invert-match", "-L", "--files-without-match"))
LONGEST_PATTERN = 200
MOST_AROUND = 100
"""The most lines around a match that do not count as the whole file."""
_ALL_BELOW = re.compile(r"(?<=\w)/\*$")
"""All of a folder that is named. What lies in it is looked up."""
_WILD = re.compile(r"[*?\[\]]+")
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
    if is_address(path):
        return careful("runs something from another machine")
    if is_foreign(path):
        return careful("runs something that was only fetched")
    inside = is_inside(absolute(path, around.folder, around.at.home), around.at)
    return PLAIN if inside else careful("runs something outside the project")


def _filter(word: Word, around: Around, options: Set[str]) -> Risk:
    """A file of tests or a part of its name, for a program that also has verbs."""
    return NOT_KNOWN if word.text in _VERBS else _inside(word, around, options)


def _chosen(word: Word, _: Around, __: Set[str]) -> Risk:
    """A pattern of the program's own that chooses which files it shows. Its `*` matches hidden names, too."""
    if word.text.startswith("!"):
        return PLAIN
    text = _ALL_BELOW.sub("/x.txt", re.sub(r"\*+", "*", word.text.casefold()))
    if len(text) > LONGEST_PATTERN or text.count("{") > 1:
        return careful("chooses files by a pattern that cannot be read with certainty")
    for one in _alternatives(text):
        if found := place(one) or place_of(Word(one, one, glob=True)):
            return jump(_read(found))
        if is_secret(_WILD.sub("", one)) or is_secret(_WILD.sub("x", one)) or _points(one.rpartition("/")[2]):
            return careful("chooses files that may hold credentials")
    return PLAIN


def _alternatives(pattern: str) -> list[str]:
    before, _, rest = pattern.partition("{")
    inner, _, after = rest.partition("}")
    return [f"{before}{one}{after}" for one in inner.split(",")]


def _points(pattern: str) -> bool:
    """Return whether PATTERN may match a file of credentials by its name alone."""
    return any(fnmatchcase(one, pattern.replace("[^", "[!")) for one in POINTED)


def _sought(word: Word, _: Around, __: Set[str]) -> Risk:
    """A name of files to list."""
    name = word.text.casefold().rpartition("/")[2]
    pointed = bool(re.search(r"\w", name)) and not name.startswith("*") and _points(name)
    return careful("looks for credentials") if pointed or is_store(_WILD.sub("", word.text)) else PLAIN


_MODE = re.compile(r"[-/]?(?:[0-7]{3}|[ugoa]*[+=][rwx]+)")


def _mode(word: Word, _: Around, __: Set[str]) -> Risk:
    """The permissions of files to list."""
    return PLAIN if _MODE.fullmatch(word.text) else careful("looks for programs that act with the rights of others")


def _ending(word: Word, _: Around, __: Set[str]) -> Risk:
    """An ending of the names of files to list."""
    return careful("looks for credentials") if is_store(f"x.{word.text.lstrip('.')}") else PLAIN


def _traced(word: Word, around: Around, options: Set[str]) -> Risk:
    """The lines of a file whose history is shown: `1,20:src/app.py`."""
    return worst(_revision(Word(part, part), around, options) for part in (word.text, word.text.rpartition(":")[2]))


def _context(word: Word, around: Around, options: Set[str]) -> Risk:
    """A number of lines around each match. Many of them show whole files."""
    if not word.text.isdecimal() or not word.text.isascii():
        return NOT_KNOWN
    many = len(word.text) > 3 or int(word.text) > MOST_AROUND
    searches = around.recursive or options & RECURSIVE
    return careful("reads all files of a folder") if many and searches else PLAIN


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


def _said(word: Word, around: Around, options: Set[str]) -> Risk:
    """A word to print. The shell replaces a pattern by the names of files."""
    return _folder(word, around, options) if word.glob else PLAIN


def _any(_: Word, __: Around, ___: Set[str]) -> Risk:
    return PLAIN


_LINES = r"(?:\d+|\$)(?:,(?:\d+|\$|\+\d+))?[pdq]"
_SED = (
    rf"{_LINES}(?:;{_LINES})*|/(?:[^/\\\n]|\\.)*/(?:,/(?:[^/\\\n]|\\.)*/|,\+?\d+)?[pd]"
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
    "tests?|checks?|lint|build|all|typecheck|type-check|types|unit|unit-tests|unit_tests|run_tests|unittest|test-unit|test_unit|coverage|cov|fmt-check"
    "|format-check|quick|compile|mypy|ruff|vet|verify|help|(?:V|VERBOSE|DEBUG)=[01]"
)
_ENVIRONMENT = r"(?:py|pypy)[\d.]*|tests?|lint|mypy|ruff|flake8|types?|typing|checks?|cov|coverage|unit|[\d.]+"
_PHASE = "clean|validate|compile|test-compile|process-classes|test|package|verify|integration-test"
_TASK = (
    r"(?:(?::[\w-]+)*:|[\w-]+(?::[\w-]+)*:)?(?:clean|check|build|classes|testClasses|jar|detekt|ktlintCheck|spotlessCheck|verify"
    r"|validate|help|tasks|dependencies|(?:test|assemble|compile|lint)(?:[A-Z]\w*)?)"
)
"""Gradle reads `app:test` as the task of a subproject. Maven would fetch and run a plugin."""
_OWN_FLAG = re.compile(
    r"--(?:watch|watchAll|coverage|ci|verbose|silent|bail|passWithNoTests|runInBand|run|no-coverage)(?:=\w+)?|-[vt]"
    r"|--(?:testPathPattern|testNamePattern|grep)(?:=[\w. -]+)?"
    r"|--reporter=(?:default|verbose|dot|json|junit|tap|spec|list)"
)


def _argument(word: Word, around: Around, options: Set[str]) -> Risk:
    """An argument of a test script: a file of the project, or an option that means the same to all test programs."""
    return PLAIN if _OWN_FLAG.fullmatch(word.text) else _inside(word, around, options)


_SETTING = re.compile(r"(?:user|core|init|branch|push|pull|merge|diff|color|alias|commit|rebase)\.[\w.-]+")
_REVISION = re.compile(r"[\w@^./:][\w./@^~{}:+,-]*")


def _revision(word: Word, around: Around, _: Set[str]) -> Risk:
    """A commit, a range, or a path that git keeps. Credentials that git keeps are credentials, too."""
    if found := place_of(word):
        return jump(_read(found))
    if not _REVISION.fullmatch(word.text):
        return NOT_KNOWN
    commit, path = word.text.partition(":")[::2]
    ends = [commit] if commit.startswith(".") else re.split(r"\.{2,3}(?![./])", commit)
    # git diff compares any two files, and one is named like a commit
    shown = [one for one in (path, *filter(_is_path, ends)) if one]
    risks = [reads(one, around.folder, around.at) for one in shown]
    return worst((*risks, *(lists(one or ".", around.folder, around.at) for one in ends)))


def _kept(word: Word, around: Around, options: Set[str]) -> Risk:
    """A file that git keeps, or a commit."""
    return worst((_revision(word, around, options), _path(word, around, options)))


def _setting(word: Word, _: Around, __: Set[str]) -> Risk:
    """A setting of git. Others than these may hold credentials, as `http.extraheader` does."""
    return PLAIN if _SETTING.fullmatch(word.text) else careful("reads a setting that may be private")


def _is_path(text: str) -> bool:
    """Return whether TEXT looks like a path more than like the name of a branch, such as `fix/api-key`."""
    return text[:1] in ("/", "~", ".") or "." in text.rpartition("/")[2]


def _pathspec(word: Word, around: Around, options: Set[str]) -> Risk:
    """A path for git, which expands patterns itself and reads signs after a colon in front."""
    if word.text.startswith(":"):
        return NOT_KNOWN
    return worst((_inside(word, around, options), _chosen(word, around, options)))


_PROGRAM = re.compile(
    r"(?s)(?!.*(?:\b(?:system|getline|close|fflush|ENVIRON|ARGV|ARGIND|PROCINFO|SYMTAB|FUNCTAB|include|load|extension)\b|@))"
    r"(?:[\w\s$,;\"/!&%.:+*()\[\]?~^<=-]|>(?=\s*[\d=])|\|\|)*"
    r"(?:\{(?:[\w\s$,;{}\"/!&%.:+*()\[\]?~^<=-]|>(?==)|\|\|)*)?"
)
"""A program for awk that computes and prints. `>` within braces writes to a file."""


KINDS: dict[str, Kind] = {
    "any": _any,
    "said": _said,
    "path": _path,
    "compared": _compared,
    "chosen": _chosen,
    "sought": _sought,
    "ending": _ending,
    "traced": _traced,
    "context": _context,
    "pathspec": _pathspec,
    "folder": _folder,
    "inside": _inside,
    "argument": _argument,
    "search": _search,
    "hunt": _hunt,
    "filter": _filter,
    "revision": _revision,
    "kept": _kept,
    "mode": _mode,
    "number": _like(r"[+-]?\d+[kKMGbc]?"),
    "seconds": _like(r"\d{1,5}(?:\.\d+)?[smh]?"),
    "name": _like(r"[A-Za-z0-9_][\w.:/@,+^~=-]*"),
    "names": _like(r"[A-Za-z0-9_][\w.,: -]*"),
    "word": _like(r"[A-Za-z][\w-]*"),
    "setting": _setting,
    "listed": _like(r"all|std|\.(?:/[\w-][\w.-]*)*(?:/\.\.\.)?"),
    "package": _like(r"\.(?:/[\w-][\w.-]*)*(?:/\.\.\.)?"),
    "sed": _like(_SED),
    "awk": _like(_PROGRAM.pattern),
    "variable": _like(r"[a-z]\w*=[\w.,:/ -]*"),
    "jq": lambda word, _, __: NOT_KNOWN if _JQ_NAMES.search(word.text) else PLAIN,
    "text": _like(r"(?:[^%]|%s|%%|%b)*"),  # zsh evaluates an argument of a number format, and runs commands in it
    "format": _like(r"\+[\w%:. /-]*"),
    "processes": _like("aux|ax|-ef"),
    "script": _like(_SCRIPT),
    "target": _like(_TARGET),
    "phase": _like(_PHASE),
    "task": _like(_TASK),
    "modules": _like(r":?\w[\w.:,-]*(?:/\w[\w.:,-]*)*"),
    "unplugged": _like(r"no:\w+"),
    "warnings": _like("ignore|error|default|always|once"),
    "lock": _like("readonly|vendor"),
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
