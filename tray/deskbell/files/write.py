"""How is a small file of Deskbell's own written?"""

import os
from pathlib import Path


def write_private(path: Path, content: bytes) -> None:
    """Whole or not at all, for nobody else to read."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(fd)
    beside.replace(path)
