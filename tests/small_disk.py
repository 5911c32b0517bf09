"""Mount a disk of a few kilobytes, to test what happens when it is full, read-only or out of inodes."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


class Disk:
    def __init__(self, path: Path) -> None:
        self.path = path

    def fill(self) -> None:
        """Write until nothing more fits, not even a byte."""
        with suppress(OSError), (self.path / "ballast").open("ab", buffering=0) as file:
            for size in (4096, 1):
                with suppress(OSError):
                    while file.write(b"x" * size) == size:
                        pass

    def take_inodes(self) -> None:
        """Create empty files until there can be no more."""
        with suppress(OSError):
            for number in range(10_000):
                (self.path / f"empty-{number}").touch()

    def free(self) -> None:
        for path in (*self.path.glob("ballast"), *self.path.glob("empty-*")):
            path.unlink()

    def read_only(self, on: bool = True) -> None:
        assert _root("mount", "-o", f"remount,{'ro' if on else 'rw'}", str(self.path))

    def files(self) -> set[str]:
        """Return the names of all files, hidden ones too."""
        return {path.name for path in self.path.rglob("*") if path.is_file()}


@contextmanager
def small_disk(path: Path, size: str = "256k", inodes: int = 100) -> Iterator[Disk]:
    """Mount a disk at PATH. Skip the test if this user may not mount."""
    path.mkdir(parents=True, exist_ok=True)
    options = f"size={size},nr_inodes={inodes},mode=1777"
    if sys.platform != "linux" or not _root("mount", "-t", "tmpfs", "-o", options, "deskbell-test", str(path)):
        pytest.skip("mounting a disk needs Linux and root")
    try:
        yield Disk(path)
    finally:
        _root("umount", "--lazy", str(path))


def _root(*command: str) -> bool:
    for way in ((), ("sudo", "-n")):
        with suppress(FileNotFoundError):
            if not subprocess.run([*way, *command], capture_output=True, check=False).returncode:
                return True
    return False
