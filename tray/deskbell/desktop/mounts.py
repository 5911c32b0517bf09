"""Find out which folders lie on another machine, whose changes this system does not report."""

from collections.abc import Iterable
from pathlib import Path

import psutil

REMOTE = (
    *("nfs", "cifs", "smb", "afp", "9p", "ceph", "fuse.gluster", "lustre", "webdav", "davfs", "fuse.sshfs"),
    *("virtiofs", "vboxsf", "prl_fs", "fuse.vmhgfs", "drvfs", "fakeowner"),
)
"""File systems that do not report what the other side writes: networks, and the hosts of virtual machines."""


def mounts() -> list[tuple[str, str]]:
    """Return the mount points, each with the kind of its file system."""
    return [(part.mountpoint, part.fstype) for part in psutil.disk_partitions(all=True)]


def is_remote(path: Path, mounts: Iterable[tuple[str, str]]) -> bool:
    """Decide by the innermost of MOUNTS, which are mount points, each with the kind of its file system."""
    if path.drive.startswith("\\\\"):
        return True
    around = [(len(point), kind) for point, kind in mounts if path.is_relative_to(point)]
    return max(around, default=(0, ""))[1].lower().startswith(REMOTE)
