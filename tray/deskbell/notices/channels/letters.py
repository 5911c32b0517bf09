"""Keep unsent messages on disk, each a letter in a file of its own, for the next run of Deskbell.

The Outbox is the only caller. It works from its memory and the folder is a copy, so a full disk delays and loses
nothing while Deskbell runs.
"""

import contextlib
import json
import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from itertools import count
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from deskbell.files.write import write_private
from deskbell.notices.channels import Message

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Letter:
    """One message to one channel."""

    channel: str
    slot: str
    message: Message
    attempts: int = 0
    """Attempts that failed."""
    due: float = 0.0
    """When the next attempt may be made."""
    reported: bool = False
    """Whether an unexpected error of this letter is in the log already."""


_numbers = count()


@cache
def _adapter() -> TypeAdapter[Letter]:
    """Return the validator of a letter. It takes memory, so it is made only if an earlier run has left a letter."""
    return TypeAdapter(Letter)


class Letters:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._trouble: str | None = None

    def files(self) -> list[Path]:
        """The letters in the folder, the oldest first."""
        return sorted(self._folder.glob("*.json"))

    def new_file(self, now: float) -> Path:
        """A path that no other letter has. The file does not exist yet."""
        return self._folder / f"{now:.6f}-{os.getpid()}-{next(_numbers)}.json"

    def write(self, file: Path, letter: Letter) -> None:
        """Write LETTER. If the disk refuses it, log that once."""
        try:
            write_private(file, json.dumps(asdict(letter), ensure_ascii=False).encode(errors="replace"))
        except OSError as error:
            self._report(error.strerror or type(error).__name__)
        else:
            self._trouble = None

    def remove(self, file: Path) -> None:
        with contextlib.suppress(OSError):
            file.unlink()

    def read(self, files: Iterable[Path]) -> Iterator[tuple[Path, Letter]]:
        """Yield the letters that can be read. Rename a file that is not a letter, so that it is read only once."""
        for file in files:
            try:
                yield file, _adapter().validate_json(file.read_bytes())
            except FileNotFoundError:
                continue
            except (OSError, ValidationError) as error:
                log.warning("%s is not a letter (%s); it is renamed", file, type(error).__name__)
                with contextlib.suppress(OSError):
                    file.replace(file.with_suffix(".bad"))

    def _report(self, trouble: str) -> None:
        if trouble != self._trouble:
            log.warning("%s: %s; unsent messages are lost when Deskbell ends", self._folder, trouble)
        self._trouble = trouble
