"""Show a file to the person with the program that they have chosen for it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from deskbell.errors import Problem
from deskbell.home import environment


def start(command: Sequence[str]) -> None:
    """Start COMMAND in a session of its own, without input and output, and do not wait for it."""
    nothing = subprocess.DEVNULL
    subprocess.Popen(  # the callers give fixed programs
        command, env=environment(os.environ), stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
    )


def show(path: Path) -> None:
    """Open PATH with the program that the person has chosen for such files. Raise Problem if there is none."""
    if sys.platform == "win32":
        os.startfile(path)
        return
    opener = "open" if sys.platform == "darwin" else "xdg-open"
    if not shutil.which(opener):
        raise Problem(f"{opener} is not installed. Open {path} yourself.")
    start([opener, str(path)])
