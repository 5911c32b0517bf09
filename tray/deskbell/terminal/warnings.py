"""Print the warnings of a command that keeps no log, each as one sentence and without a traceback."""

import logging

from deskbell.terminal.out import complain


class _Printer(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        complain(record.getMessage())


def print_warnings() -> None:
    """Take the place of the handler that `logging` uses as long as no other is set. It prints raw text."""
    logging.lastResort = _Printer(logging.WARNING)
