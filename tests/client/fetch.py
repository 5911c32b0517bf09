"""Fetch the real client from npm once, and keep it in .cache of the repository for every run."""

import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from functools import cache
from pathlib import Path

VERSION = "2.1.326"
"""What the suites drive, in CI too. DESKBELL_TEST_VERSION names another one, or `newest`."""
NEWEST = "newest"

_ARCHITECTURES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_ENVIRONMENT = dict(os.environ)
"""The environment of the developer: npm reads its registry from the real home, which tests hide."""


def package() -> str:
    libc = "" if platform.libc_ver()[0] == "glibc" else "-musl"
    return f"@anthropic-ai/claude-code-linux-{_ARCHITECTURES.get(platform.machine().lower(), 'unknown')}{libc}"


@cache
def version() -> str:
    """Return the version to drive. `newest` is what npm installs where no version is named."""
    asked = _ENVIRONMENT.get("DESKBELL_TEST_VERSION") or VERSION
    found = _npm("view", package(), "version").strip() if asked == NEWEST else asked
    if not re.fullmatch(r"\d+\.\d+\.\d+", found):
        raise ValueError(f"{found!r} is no version of Claude Code. Use one such as {VERSION}, or {NEWEST}.")
    return found


def kept() -> Path:
    """Return the folder of the kept clients. DESKBELL_TEST_CACHE lets several checkouts share one."""
    named = _ENVIRONMENT.get("DESKBELL_TEST_CACHE")
    return Path(named) if named else Path(__file__).parents[2] / ".cache"


def missing() -> str | None:
    """Return why the real client cannot run on this machine, or None if it can."""
    if sys.platform != "linux":
        return "the real client is driven on Linux only"
    if not shutil.which("tmux"):
        return "tmux is not installed: the real client needs a terminal"
    is_named = _ENVIRONMENT.get("DESKBELL_TEST_VERSION") != NEWEST
    if not shutil.which("npm") and not (is_named and _binary().exists()):
        return "npm is not installed: it fetches the real client"
    return None


def client() -> Path:
    """Return the binary of the client. If several processes ask at once, one fetches it and the others wait."""
    import fcntl  # Windows lacks it; `missing` refuses there

    binary = _binary()
    binary.parent.parent.mkdir(parents=True, exist_ok=True)
    with (binary.parent.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not binary.exists():
            _fetch(binary)
    return binary


def _binary() -> Path:
    return kept() / "claude-code" / f"{package().rpartition('/')[2]}-{version()}" / "claude"


def _fetch(binary: Path) -> None:
    """Unpack the client beside its place and rename it, so that no process sees half of it."""
    with tempfile.TemporaryDirectory(dir=binary.parent.parent) as scratch:
        _npm("pack", "--silent", f"{package()}@{version()}", folder=scratch)
        with tarfile.open(next(Path(scratch).glob("*.tgz"))) as archive:
            archive.extractall(scratch, filter="data")
        unpacked = Path(scratch) / "package"
        (unpacked / "claude").chmod(0o755)
        unpacked.rename(binary.parent)


def _npm(*words: str, folder: str | None = None) -> str:
    """Run npm and return what it prints."""
    done = subprocess.run(
        ["npm", *words], cwd=folder, env=_ENVIRONMENT, capture_output=True, text=True, timeout=600, check=True
    )
    return done.stdout


if __name__ == "__main__":
    print(client())
