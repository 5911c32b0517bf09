"""Judge a path that is read or written: inside the project or not, hidden, guarded, a secret. Pure.

Nothing is looked up in the file system. `links` follows links.
"""

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from posixpath import normpath

from deskbell.answers.risk.credentials import is_kept, is_secret, is_source, is_store
from deskbell.answers.risk.kind import PLAIN, Place, Risk, careful, jump
from deskbell.answers.risk.places import place
from deskbell.answers.risk.words import hidden

NOTHING = ("/dev/null", "/dev/stdout", "/dev/stderr")

_DRIVE = re.compile(r"^[A-Za-z]:")
_ODD = re.compile(r"[\\:*?\"<>|]|~\d|(?<=[^/.])[. ]+(?:/|$)|(?:^|/)-|[^/]/\.\.(?:/|$)")
"""What Windows reads differently, and `..` after a name: if the name is a link, `..` leads elsewhere."""
_KNOWN_HIDDEN = frozenset(
    (".gitignore", ".editorconfig", ".dockerignore", ".prettierignore", ".eslintignore", ".gitkeep")
)
_TOOLS = (
    "prettier|eslint|babel|nvm|stylelint|swc|browserslist|mocha|nyc|commitlint|lint-?staged|pylint|coverage|jshint|postcss"
    "|graphql|markdownlint|textlint|xo|depcheck|c8|release-it|version|oxlint|luacheck|bazel|rubocop|golangci|goreleaser"
    "|yamllint|swiftlint|solhint|phpunit|phpcs|php[-_]cs(?:-fixer)?|hadolint|bumpversion|renovate"
)
_SHOWN = re.compile(
    rf"\.(?:(?:{_TOOLS})(?:rc)?(?:[.-][\w.-]+)?|[\w-]*ignore|git(?:hub|lab|lab-ci\.yml|attributes|keep)|keep|mailmap"
    r"|editorconfig|(?:python|node|ruby|go|java|terraform|swift)-version|tool-versions|flake8|pre-commit-[\w.-]+|rspec"
    r"|clang-(?:format|tidy)|ci|circleci|travis\.yml|buildkite|vscode|idea|husky|storybook|changeset|devcontainer|cargo|cursor"
    r"|mypy\.ini|isort\.cfg|rustfmt\.toml|scalafmt\.conf|ocamlformat|formatter\.exs|credo\.exs|readthedocs\.ya?ml"
    r"|codecov\.ya?ml|pytest_cache|mypy_cache|ruff_cache|venv|tox|nox|next|nuxt|svelte-kit|turbo|cache|parcel-cache|output"
    r"|dart_tool|gradle|mvn|yarn|pnp\.\w+|env\.(?:example|sample|template|dist)|bin)"
)
"""Hidden names in a project that everybody who works on it shares."""
_LATER = re.compile(
    r"(?:^|/)(?:(?:claude|agents?|gemini|copilot-instructions)[\w.-]*\.md|skill\.md"
    r"|(?:applypatch-msg|pre-applypatch|post-applypatch|pre-commit|pre-merge-commit|prepare-commit-msg|commit-msg|post-commit"
    r"|pre-rebase|post-checkout|post-merge|pre-push|pre-receive|post-receive|post-update|post-rewrite)(?:\.(?:sh|py|js))?|update"
    r"|(?:gnu)?makefile(?:\.(?:inc|am|in|common|local))?|[\w.-]+\.mk|\.?justfile|taskfile\.ya?ml|rakefile|[\w.-]+\.rake|(?:grunt|gulp)file\.\w+|jakefile"
    r"|package\.json|binding\.gyp|setup\.(?:py|cfg)|pyproject\.toml|tox\.ini|noxfile\.py|fabfile\.py|tasks\.py|conftest\.py"
    r"|(?:site|user)customize\.py|[\w.-]+\.pth|build\.rs|[\w.-]+\.gradle(?:\.kts)?|gradlew(?:\.bat)?|mvnw(?:\.cmd)?|pom\.xml"
    r"|gradle-wrapper\.\w+|cmakelists\.txt|[\w.-]+\.cmake|build\.(?:zig|sbt|xml)|mix\.exs|gemfile|procfile|brewfile|vagrantfile"
    r"|jenkinsfile|dockerfile[\w.-]*|(?:docker-)?compose[\w.-]*\.ya?ml|[\w-]+\.config\.[cm]?[jt]s|lefthook\.\w+|pytest\.ini"
    r"|directory\.build\.\w+|[\w.-]+\.(?:service|timer|desktop))$"
    r"|(?:^|/)(?:(?:git-?)?hooks(?:/[^/]*\.(?:sh|bash|pl|rb|py)|/[^/.]*)|(?:node_modules|site-packages)/.*)$"
    r"|(?:^|/)(?:v?env|virtualenv)/.*|(?:^|/)(?:s?bin|scripts)/[^/.]+$|(?:^|/)vendor/bin/"
)
"""What a tool, a hook of git, a build or an agent starts or obeys by itself, whoever wrote it."""
_LIBRARIES = re.compile(r"\.(?:cargo/registry|rustup/toolchains|local/lib|pyenv/versions|nvm/versions|m2/repository)/")
_LONGEST_PATTERN = 200
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+-]+:(?![\d:]|$)|[A-Za-z][\w.+-]*://|[\w.-]+@[\w.-]+:")
_FOREIGN = re.compile(r"(?:^|/)(?:node_modules|site-packages|dist-packages|bower_components|third_party)(?:/|$)")
_OPEN = re.compile(
    r"/(?:usr|lib\d*|bin|sbin|nix/store|gnu/store|snap|opt/homebrew/(?:Cellar|lib|include)|Library/Developer|System/Library)"
    r"(?:/(?!local/etc|etc)|$)|/(?:private/)?(?:var/)?tmp(?:/|$)"
    r"|/etc/(?:[\w-]*release|debian_version|hosts|hostname|issue|timezone|localtime|shells|services|protocols|resolv\.conf"
    r"|nsswitch\.conf|mime\.types)$"
)
"""What the system lets everybody read, because nothing of a person is in it."""
_SYSTEM = re.compile(r"/(?:proc|sys|dev)(?:/|$)")
_HOMES = re.compile(r"(?:[A-Z]:)?/(?:home|Users)/|/root(?:/|$)|/var/root(?:/|$)")


def absolute(path: str, folder: str, home: str) -> str:
    """Return PATH as an absolute path: from FOLDER, with `~` as HOME, without `.` and `..`."""
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    if _DRIVE.match(folder):
        path = _slashes(path)
    rooted = path.startswith("/") or _DRIVE.match(path)
    return normpath(path if rooted else f"{_slashes(folder) if _DRIVE.match(folder) else folder}/{path}")


def _slashes(path: str) -> str:
    path = path.replace("\\", "/")
    return path[0].upper() + path[1:] if _DRIVE.match(path) else path


def is_inside(path: str, at: Place) -> bool:
    """Return whether the absolute PATH is in the project. False for all if the project holds the home folder."""
    project = absolute(at.project, at.project, at.home)
    rooted = at.project.startswith("/") or bool(_DRIVE.match(at.project))
    if not rooted or holds(project, absolute(at.home, at.project, at.home)) or project in ("/", "//"):
        return False
    return holds(project, path)


def holds(folder: str, path: str) -> bool:
    """Return whether PATH is FOLDER or below it; both are absolute."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def reads(path: str, folder: str, at: Place) -> Risk:
    """Return the risk of reading PATH, as it is written in FOLDER."""
    return _seen(path, folder, at, is_secret, _shows)


def lists(path: str, folder: str, at: Place) -> Risk:
    """Return the risk of reading no more of PATH than names, sizes and dates."""
    return _seen(path, folder, at, is_store, _only_lists)


def _seen(
    path: str, folder: str, at: Place, secret: Callable[[str], bool], otherwise: Callable[[str, Place], Risk]
) -> Risk:
    full = absolute(path, folder, at.home)
    if found := place(path) or place(full):
        return jump(found.replace("touches", "reads"))
    if hidden(path):
        return careful("reads a file whose name hides something")
    below = full[len(absolute(at.project, at.project, at.home)) :] if is_inside(full, at) else full
    if secret(path) or secret(below) or is_kept(full):
        return careful("reads what may be credentials")
    if is_address(path) or full.startswith("//") or path.startswith("\\\\"):
        return careful("reads from another machine")
    return PLAIN if full in NOTHING else otherwise(full, at)


def is_foreign(path: str) -> bool:
    """Return whether PATH is in a folder that holds what others wrote, and that was only fetched."""
    return bool(_FOREIGN.search(path))


def is_address(path: str) -> bool:
    """Return whether PATH is an address, such as `https:x`, `npm:x` or `user@host:x`, and no file."""
    return bool(_ADDRESS.match(path))


def _only_lists(full: str, at: Place) -> Risk:
    if is_inside(full, at):
        return PLAIN
    home = absolute(at.home, at.home, at.home)
    if _SYSTEM.match(full):
        return careful("reads from the system itself")
    if holds(home, full):
        below = full[len(home.rstrip("/")) + 1 :]
        return careful("reads a hidden file of your home") if _conceals(below) else PLAIN
    return careful("reads from the home of another person") if _HOMES.match(full) else PLAIN


def _shows(full: str, at: Place) -> Risk:
    if is_inside(full, at):
        below = full[len(absolute(at.project, at.project, at.home)) :]
        unknown = any(part[:1] == "." and not _SHOWN.fullmatch(part) for part in below.split("/"))
        return careful("reads a hidden file that is not known") if unknown else PLAIN
    found, home = _only_lists(full, at), absolute(at.home, at.home, at.home)
    if found is not PLAIN:
        return found
    if holds(home, full):
        library = _LIBRARIES.match(full[len(home.rstrip("/")) + 1 :])
        return PLAIN if library or is_source(full) else careful("reads a file of your home, outside the project")
    return PLAIN if _OPEN.match(full) else careful("reads a file of the system, which may be private")


def _conceals(below: str) -> bool:
    return bool(re.search(r"(?:^|/)\.", below)) and not _LIBRARIES.match(below)


def reads_all(path: str, folder: str, at: Place) -> Risk:
    """Return the risk of reading every file below PATH."""
    full = absolute(path, folder, at.home)
    if holds(full, absolute(at.home, at.home, at.home)):
        return careful("reads everything in your home")
    return reads(path, folder, at)


def writes(path: str, folder: str, at: Place) -> Risk:
    """Return the risk of writing to PATH, as it is written in FOLDER."""
    full = absolute(path, folder, at.home)
    if found := place(path) or place(full):
        return jump(found)
    below = full[len(absolute(at.project, at.project, at.home)) :]
    if not is_inside(full, at):
        return careful("writes outside the project")
    if hidden(path) or _ODD.search(_DRIVE.sub("", _slashes(path) if _DRIVE.match(folder) else path, count=1)):
        return careful("writes to a path that cannot be read with certainty")
    if is_secret(below) or is_kept(full):
        return careful("writes what may be credentials")
    if any(part[:1] == "." and part not in _KNOWN_HIDDEN for part in below.split("/")):
        return careful("writes a hidden file")
    return careful("writes what is started or obeyed later") if _LATER.search(below.casefold()) else PLAIN


def may_take_all(pattern: str, folder: str, at: Place) -> bool:
    """Return whether PATTERN, for `fnmatch`, may match a folder that holds the project or the home."""
    if len(pattern) > _LONGEST_PATTERN or not pattern.strip("*?/"):
        return False
    full = absolute(re.sub(r"\*+", "*", pattern), folder, at.home).casefold()
    held = {absolute(one, one, at.home).casefold() for one in (at.project, at.home)}
    parents = {str(parent) for one in held for parent in (PurePosixPath(one), *PurePosixPath(one).parents)}
    return any(fnmatchcase(parent, full) for parent in parents)


def takes_all(path: str, folder: str, at: Place) -> bool:
    """Return whether PATH holds the project or the home, and with it every guarded place in them."""
    full = absolute(path, folder, at.home).casefold()
    return any(holds(full, absolute(one, one, at.home).casefold()) for one in (at.project, at.home))
