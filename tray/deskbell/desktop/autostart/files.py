"""How is a small file replaced so that nobody sees half of it, and left alone when it is right already?"""

import os
from pathlib import Path

from deskbell.errors import Problem


def replace(path: Path, content: bytes) -> bool:
    try:
        if path.is_file() and path.read_bytes() == content:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as error:
        raise Problem(f"{path} cannot be written: {error.strerror}") from error
    return True


def remove(path: Path) -> bool:
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Problem(f"{path} cannot be removed: {error.strerror}") from error
    return True
