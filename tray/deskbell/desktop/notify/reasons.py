"""Note why a notification was not displayed: from what a backend raises, and from the library's log.

The base class of the library's backends logs the errors of `send` and does not raise them.
"""

import logging
from collections.abc import Awaitable

from deskbell.errors import reason

LIBRARY = logging.getLogger("desktop_notifier.backends.base")


class Reasons(logging.Filter):
    """Keeps the last error. It is a filter of LIBRARY.

    The record is dropped; otherwise each notice that is not displayed would log a traceback.
    """

    def __init__(self) -> None:
        super().__init__()
        self.error: BaseException | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info:
            self.error = record.exc_info[1]
        return not record.exc_info

    async def noted(self, work: Awaitable[None]) -> None:
        """Await WORK, and keep the error that it raises."""
        try:
            await work
        except Exception as error:
            self.error = error
            raise

    @property
    def text(self) -> str | None:
        return reason(self.error) if self.error else None
