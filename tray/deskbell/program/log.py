"""Where does a running Deskbell write down what it did and what went wrong?"""

import contextlib
import logging
import logging.handlers
import sys
from pathlib import Path

from deskbell import VERSION

LARGEST = 512 * 1024
KEPT = 2


def path(state: Path) -> Path:
    return state / "deskbell.log"


def start(state: Path) -> logging.Handler:
    """The folder may be deleted while Deskbell runs: the file is opened when there is something to write."""
    handler = _Handler(path(state), maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.getLogger("deskbell").info("Deskbell %s starts", VERSION)
    return handler


class _Handler(logging.handlers.RotatingFileHandler):
    def emit(self, record: logging.LogRecord) -> None:
        """A file that was deleted, with its folder or without, is begun anew. Where it cannot be, nothing is written:
        whoever has something to log goes on.
        """
        with contextlib.suppress(OSError):
            if not Path(self.baseFilename).exists():
                self.close()
                Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                Path(self.baseFilename).touch(mode=0o600)
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name is that of logging
        """A full disk is no reason to write into a terminal instead."""
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)
