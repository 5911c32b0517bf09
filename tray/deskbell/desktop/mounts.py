"""Find out which folders lie on another machine, whose changes this system does not report."""

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

REMOTE = (
    *("nfs", "cifs", "smb", "afp", "9p", "ceph", "fuse.gluster", "lustre", "webdav", "davfs", "fuse.sshfs"),
    *("virtiofs", "vboxsf", "prl_fs", "fuse.vmhgfs", "drvfs", "fakeowner"),
)
"""File systems that do not report what the other side writes: networks, and the hosts of virtual machines."""

_ESCAPED = re.compile(rb"\\([0-3][0-7]{2})")
"""How the table of mounts writes a space, a tab, a line feed and a backslash."""


def mounts() -> list[tuple[str, str]]:
    """Return the mount points, each with the kind of its file system."""
    if sys.platform == "linux":
        return listed(Path("/proc/self/mounts").read_bytes())
    import psutil  # not on Linux, where it would take 0.8 MB

    return [(part.mountpoint, part.fstype) for part in psutil.disk_partitions(all=True)]


def listed(table: bytes) -> list[tuple[str, str]]:
    """Read the mount points and kinds from a table as /proc/self/mounts is: see proc_pid_mounts(5) and fstab(5)."""
    rows = (line.split(b" ") for line in table.splitlines())
    return [(os.fsdecode(_ESCAPED.sub(_byte, row[1])), row[2].decode()) for row in rows if len(row) > 2]


def _byte(escaped: re.Match[bytes]) -> bytes:
    return bytes((int(escaped[1], 8),))


def is_remote(path: Path, mounts: Iterable[tuple[str, str]]) -> bool:
    """Decide by the innermost of MOUNTS, which are mount points, each with the kind of its file system."""
    if path.drive.startswith("\\\\"):
        return True
    around = [(len(point), kind) for point, kind in mounts if path.is_relative_to(point)]
    return max(around, default=(0, ""))[1].lower().startswith(REMOTE)
