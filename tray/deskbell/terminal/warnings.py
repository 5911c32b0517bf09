"""Print the warnings of a command, which keeps no log, as one sentence each and without a traceback."""

import logging
import sys
import threading
from typing import Any

from deskbell.errors import reason
from deskbell.terminal.out import complain

log = logging.getLogger("deskbell")


class _Printer(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        complain(record.getMessage())


def print_warnings() -> None:
    """Print errors of threads and finalisers, and warnings, as one sentence each in place of a traceback.

    `deskbell run` writes them into its log instead. Call this only in a process of Deskbell's own.
    """
    logging.lastResort = _Printer(logging.WARNING)
    threading.excepthook = sys.unraisablehook = _log


def _log(broken: Any) -> None:  # threading's and sys's arguments have the same fields, and no type in common
    if broken.exc_value is not None and not isinstance(broken.exc_value, SystemExit):
        log.error("An error in the background: %s", reason(broken.exc_value), exc_info=broken.exc_value)
