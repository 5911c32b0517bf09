"""Test the risk of reading and writing a path."""

import pytest

from deskbell.answers.risk.kind import Place, Verdict
from deskbell.answers.risk.paths import absolute, holds, is_inside, reads, reads_all, takes_all, writes
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
    "~/notes.txt": "plain",
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
