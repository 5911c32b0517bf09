"""Find out which folders are on another machine: this system does not report their changes."""

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

REMOTE = (
    *("nfs", "cifs", "smb", "afp", "9p", "ceph", "fuse.gluster", "lustre", "webdav", "davfs", "fuse.sshfs"),
    *("virtiofs", "vboxsf", "prl_fs", "fuse.vmhgfs", "drvfs", "fakeowner"),
)
"""File systems that do not report what others write: of networks, and of the hosts of virtual machines."""

_ESCAPED = re.compile(rb"\\([0-3][0-7]{2})")
"""How the table of mounts escapes a space, a tab, a newline and a backslash."""


def mounts() -> list[tuple[str, str]]:
    """Return each mount point with the kind of its file system."""
    if sys.platform == "linux":
        return listed(Path("/proc/self/mounts").read_bytes())
    import psutil  # imported here, because it takes 0.8 MB and Linux does not need it

    return [(part.mountpoint, part.fstype) for part in psutil.disk_partitions(all=True)]


def listed(table: bytes) -> list[tuple[str, str]]:
    """Return the same from a table in the form of /proc/self/mounts; see proc_pid_mounts(5) and fstab(5)."""
    rows = (line.split(b" ") for line in table.split(b"\n"))
    return [(os.fsdecode(_ESCAPED.sub(_byte, row[1])), row[2].decode()) for row in rows if len(row) > 2]


def _byte(escaped: re.Match[bytes]) -> bytes:
    return bytes((int(escaped[1], 8),))


def is_remote(path: Path, mounts: Iterable[tuple[str, str]]) -> bool:
    """Return whether the innermost of MOUNTS that holds PATH is on another machine. MOUNTS: as `mounts` returns it."""
    if path.drive.startswith("\\\\"):
        return True
    around = [(len(point), kind) for point, kind in mounts if path.is_relative_to(point)]
    return max(around, default=(0, ""))[1].lower().startswith(REMOTE)
