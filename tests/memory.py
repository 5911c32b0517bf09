"""Name the folder in memory in which the tests write, if this system has one.

They create and delete tens of thousands of files. On a disk that takes a fifth of their time.
"""

import os
import shutil
from pathlib import Path

SHARED = Path("/dev/shm")
ENOUGH = 2 << 30
"""Bytes that must be free: containers often have 64 MB there."""


def in_memory(folder: Path = SHARED) -> str | None:
    """Return FOLDER; None if it does not exist, has too little room or lets no program run, as in some containers."""
    if not folder.is_dir() or not os.access(folder, os.W_OK) or os.statvfs(folder).f_flag & os.ST_NOEXEC:
        return None
    return str(folder) if shutil.disk_usage(folder).free >= ENOUGH else None
