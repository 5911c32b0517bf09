"""Write what a running Deskbell does, and what goes wrong, to a log file that stays small."""

import contextlib
import logging
import logging.handlers
import sys
from pathlib import Path

from deskbell import VERSION
from deskbell.files.write import make_private

LARGEST = 512 * 1024
"""Bytes of one file."""
KEPT = 2
"""Older files that are kept."""


def path(state: Path) -> Path:
    return state / "deskbell.log"


def start(state: Path) -> logging.Handler:
    """Log to a file in STATE. The folder may be deleted at any time, so the file is opened when there is a line."""
    handler = _Handler(path(state), maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.getLogger("deskbell").info("Deskbell %s starts", VERSION)
    return handler


class _Handler(logging.handlers.RotatingFileHandler):
    def emit(self, record: logging.LogRecord) -> None:
        """Begin a new file if it was deleted, with or without its folder. Write nothing if that fails: the caller
        goes on.
        """
        with contextlib.suppress(OSError):
            if not Path(self.baseFilename).exists():
                self.close()
                make_private(Path(self.baseFilename).parent)
                Path(self.baseFilename).touch(mode=0o600)
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name is that of logging
        """Do not write to the terminal when the disk is full."""
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)
