"""Write what a running Deskbell does, and what goes wrong, to a log file that stays small."""

import contextlib
import logging
import os
from pathlib import Path

from deskbell import VERSION
from deskbell.errors import reason
from deskbell.files.write import append_private
from deskbell.terminal.out import complain
from deskbell.text.clean import escaped
from deskbell_hooks.trim import without_secrets

LARGEST = 512 * 1024
"""Bytes of one file."""
LONGEST = 20_000
"""Characters of one record."""
KEPT = 2
"""Older files that are kept."""


def path(state: Path) -> Path:
    return state / "deskbell.log"


def start(state: Path) -> logging.Handler:
    """Log to a file in STATE. If the folder is deleted, the next line makes it again."""
    handler = _Handler(path(state))
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.getLogger("deskbell").info("Deskbell %s starts", VERSION)
    return handler


class _Formatter(logging.Formatter):
    """Make each record safe, because people read the log in terminals and attach it to reports.

    Controls and invisible characters become numbers, secrets are removed, and every line of a record but the first is
    indented, so that no text can pretend to be a record.
    """

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        text = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        return without_secrets(escaped(text)).replace("\n", "\n    ")


class _Handler(logging.Handler):
    """Append each record to the file, and begin a new file before a record that would make it larger than LARGEST.

    `logging.handlers` has such a handler, too, but importing it takes 0.7 MB, for pickle and sockets.
    """

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def emit(self, record: logging.LogRecord) -> None:
        """Write RECORD. If the file cannot be written, do nothing and print nothing."""
        try:
            with contextlib.suppress(OSError):
                line = f"{self.format(record)}{os.linesep}".encode(errors="backslashreplace")
                append_private(self._file, line, LARGEST, KEPT)
        except Exception as error:  # noqa: BLE001  # complain about a wrong record; its caller goes on
            # The handlers of `logging` would print a traceback, and the arguments with their secrets.
            complain(f"A line of {record.name} could not be logged: {reason(error)}.")
