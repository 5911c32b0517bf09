"""Test the risk of reading and writing a path."""

import pytest

from deskbell.answers.risk.kind import Place, Verdict
from deskbell.answers.risk.paths import absolute, holds, is_inside, lists, reads, reads_all, takes_all, writes
from tests.tray.answers.risk.table import AT

WINDOWS = Place(r"C:\Users\ann\shop", r"C:\Users\ann\shop", r"C:\Users\ann")

WRITES: dict[str, Verdict] = {
    "src/app.py": "plain",
    "./src/app.py": "plain",
    "/home/ann/work/shop/src/new.py": "plain",
    "~/work/shop/a.py": "plain",
    ".gitignore": "plain",
    "src/[id].tsx": "plain",
    "../x": "careful",
    "/home/ann/work/shopping/x": "careful",
    "/etc/hosts": "careful",
    "~/x": "careful",
    "~bob/x/../../y": "careful",
    "src/../app.py": "careful",
    "a:b": "careful",
    "a\\b": "careful",
    "a./b": "careful",
    "a /b": "careful",
    "PROGRA~1": "careful",
    "-x": "careful",
    "src/\u202ex": "careful",
    "a\0b": "careful",
    ".env": "careful",
    "config/secrets.yml": "careful",
    "server.key": "careful",
    ".vscode/tasks.json": "careful",
    ".github/workflows/ci.yml": "careful",
    ".husky/pre-commit": "careful",
    ".git/config": "jump",
    ".GIT/config": "jump",
    "x/../.git/config": "jump",
    ".git./config": "jump",
    ".claude/settings.json": "jump",
    "sub/.claude/settings.json": "jump",
    ".mcp.json": "jump",
    "~/.bashrc": "jump",
    "/root/.profile": "jump",
    "~/.ssh/config": "jump",
    "/etc/profile.d/x.sh": "jump",
    "~/.config/fish/config.fish": "jump",
    "~/.config/./fish/config.fish": "jump",
    "~/.config/x/../fish/config.fish": "jump",
    "~/.config/deskbell/config.toml": "jump",
}


@pytest.mark.parametrize(("path", "verdict"), WRITES.items())
def test_what_is_written_decides_the_risk(path: str, verdict: Verdict) -> None:
    assert writes(path, AT.cwd, AT).verdict == verdict


ON_WINDOWS: dict[str, Verdict] = {
    r"C:\Users\ann\shop\src\app.py": "plain",
    r"c:\Users\ann\shop\src\app.py": "plain",
    r"src\app.py": "plain",
    r"C:\Users\ann\other\app.py": "careful",
    r"D:\x": "careful",
    r"\\host\share\x": "careful",
    r"src\app.py:hidden": "careful",
    r"src\app.py.": "careful",
    r"C:\Users\ann\shop\.git\config": "jump",
    r"C:\Users\ann\shop\.GIT.\config": "jump",
    r"C:\Users\ann\shop\.git::$INDEX_ALLOCATION\config": "jump",
    r"C:\Users\ann\shop\GIT~1\config": "jump",
    r"C:\Users\ann\.ssh\config": "jump",
    r"C:\Users\ann\Documents\PowerShell\Microsoft.PowerShell_profile.ps1": "jump",
    r"C:\Users\ann\AppData\Roaming\Microsoft\Windows\Start Menu\Programs\Startup\x.bat": "jump",
    r"C:\Users\ann\AppData\Local\deskbell\config.toml": "jump",
}


@pytest.mark.parametrize(("path", "verdict"), ON_WINDOWS.items())
def test_a_path_of_windows_is_read_as_windows_does(path: str, verdict: Verdict) -> None:
    assert writes(path, WINDOWS.cwd, WINDOWS).verdict == verdict


READS: dict[str, Verdict] = {
    "src/app.py": "plain",
    "/usr/include/stdio.h": "plain",
    "/dev/null": "plain",
    "~/other/src/app.py": "plain",
    "/tmp/build.log": "plain",
    "/etc/hosts": "plain",
    ".nvmrc": "plain",
    ".eslintrc.json": "plain",
    ".vscode/settings.json": "plain",
    "..": "careful",
    "../other": "careful",
    "~/notes.txt": "careful",
    "~/Documents/a.pdf": "careful",
    "/etc/openvpn/x": "careful",
    "/etc/app.conf": "careful",
    "/etc/passwd": "careful",
    "/usr/local/etc/x.conf": "careful",
    "/var/lib/x/state": "careful",
    "/srv/x": "careful",
    "/tmp/krb5cc_1000": "careful",
    ".unknown": "careful",
    "src/.unknown/x": "careful",
    "https://evil.org/x": "careful",
    "https:evil.org": "careful",
    "npm:x": "careful",
    "git+ssh://x/y": "careful",
    "ann@host:x": "careful",
    "src/app.py:10": "plain",
    "a.py:10": "plain",
    "~/.cargo/registry/src/a/lib.rs": "plain",
    "src/token.py": "plain",
    ".env.example": "plain",
    ".github/workflows/ci.yml": "plain",
    "/home/bob/x": "careful",
    "/root/x": "careful",
    "/proc/self/environ": "careful",
    "/dev/sda": "careful",
    "//host/share": "careful",
    "\\\\host\\share": "careful",
    "~/.unknown": "careful",
    "~/a/.b/c": "careful",
    ".env": "careful",
    "prod.env": "careful",
    "~/.aws/credentials": "careful",
    "tokens.txt": "careful",
    ".git/config": "jump",
    "~/.ssh/config": "jump",
    "a\u200bb": "careful",
}


@pytest.mark.parametrize(("path", "verdict"), READS.items())
def test_what_is_read_decides_the_risk(path: str, verdict: Verdict) -> None:
    assert reads(path, AT.cwd, AT).verdict == verdict


LISTS: dict[str, Verdict] = {
    ".": "plain",
    "..": "plain",
    "~": "plain",
    "~/Documents": "plain",
    "/etc": "plain",
    "src/auth": "plain",
    "keys": "plain",
    ".unknown": "plain",
    "~/.unknown": "careful",
    "~/.aws": "careful",
    "/proc/1": "careful",
    "/home/bob": "careful",
    "~/.ssh": "jump",
}


@pytest.mark.parametrize(("path", "verdict"), LISTS.items())
def test_what_is_only_listed_has_its_own_risk(path: str, verdict: Verdict) -> None:
    assert lists(path, AT.cwd, AT).verdict == verdict


LATER = """CLAUDE.md docs/CLAUDE.md claude.local.md AGENTS.md agent.md GEMINI.md hooks/pre-commit git-hooks/x hooks/run.sh commit-msg
    pre-push.sh venv/bin/pytest env/bin/python node_modules/.bin/tsc node_modules/a/index.js lib/site-packages/a.py a.pth
    Makefile makefile GNUmakefile Makefile.inc rules.mk Justfile Taskfile.yml Rakefile package.json setup.py setup.cfg
    pyproject.toml tox.ini noxfile.py conftest.py tests/conftest.py sitecustomize.py build.rs build.gradle build.gradle.kts
    gradlew mvnw pom.xml CMakeLists.txt cmake/x.cmake Dockerfile Dockerfile.dev docker-compose.yml compose.yaml vite.config.ts
    jest.config.js gulpfile.js Procfile Vagrantfile Jenkinsfile Gemfile mix.exs bin/run scripts/deploy vendor/bin/phpunit
    x.service x.desktop binding.gyp lefthook.yml"""
NOW = """src/app.py tests/test_app.py README.md docs/agents/intro.md src/hooks/useCart.ts src/bin/main.rs scripts/deploy.py
    package-lock.txt src/environment.ts src/makefile.py update.py app/config.ts styles.css data.json src/venv.py"""


SANTA = Place("/home/ann/work/secret-token-santa", "/home/ann/work/secret-token-santa", "/home/ann")
KEPT = Place("/home/ann/.aws", "/home/ann/.aws", "/home/ann")


def test_the_name_of_the_project_makes_no_file_of_it_secret() -> None:
    assert [reads(path, SANTA.cwd, SANTA).verdict for path in ("package.json", "a.txt", "a/token.txt", ".env")] == [
        "plain",
        "plain",
        "careful",
        "careful",
    ]
    assert writes("a.txt", SANTA.cwd, SANTA).verdict == "plain"
    assert {act("config", KEPT.cwd, KEPT).verdict for act in (reads, lists, writes)} == {"careful"}


def test_what_runs_later_by_itself_is_written_with_care() -> None:
    assert [path for path in LATER.split() if writes(path, AT.cwd, AT).verdict != "careful"] == []
    assert [path for path in NOW.split() if writes(path, AT.cwd, AT).verdict != "plain"] == []


def test_reading_all_of_a_folder_that_holds_the_home_is_careful() -> None:
    assert [reads_all(path, AT.cwd, AT).verdict for path in (".", "/usr", "~", "/home", "/")] == [
        "plain",
        "plain",
        "careful",
        "careful",
        "careful",
    ]


@pytest.mark.parametrize("project", ["/", "/home", "/home/ann", "shop", ""])
def test_a_project_that_holds_the_home_or_is_not_known_holds_nothing(project: str) -> None:
    assert not is_inside("/home/ann/work/shop/x", Place(AT.cwd, project, AT.home))


def test_a_folder_holds_itself_and_what_is_below() -> None:
    assert holds("/a", "/a")
    assert holds("/a", "/a/b")
    assert holds("/", "/a")
    assert not holds("/a", "/ab")


def test_a_path_is_seen_from_its_folder() -> None:
    assert absolute("~", "/x", "/h") == "/h"
    assert absolute("a/../b", "/x", "/h") == "/x/b"
    assert absolute("~a", "/x", "/h") == "/x/~a"


def test_what_holds_the_project_or_the_home_takes_all_with_it() -> None:
    assert [takes_all(path, AT.cwd, AT) for path in (".", "..", "/", "~", "/HOME", "src", "~/x")] == [True] * 5 + [
        False
    ] * 2
