"""Keep unsent messages on disk, each a letter in a file of its own, for the next run of Deskbell.

The Outbox is the only caller. It sends from memory, and the folder is only a copy: a full disk delays and loses nothing
while Deskbell runs.
"""

import contextlib
import json
import logging
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from deskbell.files.read import LATEST, Unfit, read
from deskbell.files.write import write_private
from deskbell.notices.asks import SAME_ASK
from deskbell.notices.channels import Message

LARGEST = 64 * 1024
"""Bytes of a letter."""
MOST = 1000
"""The most letters that wait at the same time. A phone that was off for a week needs no more."""
MOST_ATTEMPTS = 1000
"""The most failed attempts in a valid letter. No channel allows so many."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Letter:
    """One message to one channel."""

    channel: str
    slot: str
    message: Message
    attempts: Annotated[int, Field(ge=0, le=MOST_ATTEMPTS)] = 0
    """The number of failed attempts."""
    due: Annotated[float, Field(ge=0, lt=LATEST)] = 0.0
    """When the next attempt may be made."""
    reported: bool = False
    """Whether an unexpected error of this letter is in the log already."""
    about: Annotated[tuple[tuple[str, float], ...], Field(max_length=MOST)] = ()
    """What it is about: the id of each session, and since when it waits."""

    def stands(self, standing: Collection[tuple[str, float]]) -> bool:
        """Return whether everything that it is about still waits. STANDING: what waits."""
        return all(
            any(one == there and abs(since - at) < SAME_ASK for there, at in standing) for one, since in self.about
        )


_numbers = count()


@cache
def _adapter() -> TypeAdapter[Letter]:
    """Return the validator of a letter. It takes memory, so it is made only if an earlier run has left a letter."""
    return TypeAdapter(Letter)


class Letters:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._trouble: str | None = None
        self._unremoved: set[Path] = set()
        """Files that could not be removed although their letters are done: the next run would send them again."""

    def files(self) -> list[Path]:
        """Return the files of the letters, the oldest first. Of more than MOST the oldest are given up.

        If the folder cannot be listed, the letters wait for the next run.
        """
        try:
            found = sorted(file for file in self._folder.iterdir() if file.suffix == ".json")
        except FileNotFoundError:
            return []
        except OSError as error:
            log.warning("%s cannot be listed (%s); the next run tries again", self._folder, error.strerror)
            return []
        if given_up := found[:-MOST]:
            log.warning("%s holds %d letters; the oldest %d are given up", self._folder, len(found), len(given_up))
        for file in given_up:
            self.remove(file)
        return found[-MOST:]

    def new_file(self, now: float) -> Path:
        """Return a path that no other letter has. The file does not exist yet."""
        return self._folder / f"{now:.6f}-{os.getpid()}-{next(_numbers):09}.json"

    def write(self, file: Path, letter: Letter) -> None:
        """Write LETTER. If the disk refuses it, log that once."""
        try:
            write_private(file, json.dumps(asdict(letter), ensure_ascii=False).encode(errors="replace"))
        except OSError as error:
            self._report(error.strerror or type(error).__name__)
        else:
            self._trouble = None

    def remove(self, file: Path) -> None:
        """Remove FILE. If the disk refuses that, `tidy` tries again."""
        self._unremoved.add(file)
        self.tidy()

    def tidy(self) -> None:
        """Remove the files that could not be removed before."""
        for file in tuple(self._unremoved):
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)
                self._unremoved.discard(file)

    def read(self, files: Iterable[Path]) -> Iterator[tuple[Path, Letter]]:
        """Yield the letters that can be read. Rename a file that is not a letter, so that it is read only once."""
        for file in files:
            try:
                yield file, _adapter().validate_json(read(file, LARGEST))
            except FileNotFoundError:
                continue
            except (Unfit, ValidationError) as error:
                why = error.strerror if isinstance(error, Unfit) else "it is damaged, or of another version"
                log.warning("%s is not a letter (%s); it is renamed", file, why)
                with contextlib.suppress(OSError):
                    file.replace(file.with_suffix(".bad"))
            except OSError as error:
                log.warning("%s cannot be read (%s); the next run tries again", file, error.strerror)

    def _report(self, trouble: str) -> None:
        if trouble != self._trouble:
            log.warning("%s: %s; unsent messages are lost when Deskbell ends", self._folder, trouble)
        self._trouble = trouble
