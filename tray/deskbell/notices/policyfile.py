"""What does config.toml say, and where is it wrong? A broken file never costs the last good policy."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from deskbell.errors import Problem
from deskbell.files.stamp import Stamp, stamp
from deskbell.notices.policy import Policy

Path_ = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"""\s*([\w."'-]+)\s*=""")


@dataclass(frozen=True, slots=True)
class Reading:
    """The policy that holds, and what is wrong with the file if anything is."""

    policy: Policy = field(default_factory=Policy)
    problem: str | None = None
    stamp: Stamp | None = None


def reread(path: Path, before: Reading) -> Reading:
    """The same reading when the file has not changed; the policy of before when it is broken."""
    found = stamp(path)
    if found == before.stamp:
        return before
    if found is None:
        return Reading()
    try:
        return Reading(parse(path.read_text(encoding="utf-8"), path), None, found)
    except Problem as problem:
        return replace(before, problem=str(problem), stamp=found)
    except (OSError, UnicodeDecodeError) as error:
        return replace(before, problem=f"{path} cannot be read ({error}).", stamp=found)


def parse(text: str, path: Path) -> Policy:
    try:
        return Policy.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"{path} is not TOML: {error}") from None
    except ValidationError as error:
        raise Problem("; ".join(_complaints(error, text, path))) from None


def _complaints(error: ValidationError, text: str, path: Path) -> Iterator[str]:
    known = lines(text)
    for one in error.errors(include_url=False):
        place = tuple(one["loc"])
        line = next((known[place[:n]] for n in range(len(place), 0, -1) if place[:n] in known), 1)
        name = ".".join(map(str, place)) or "the file"
        if one["type"] == "extra_forbidden":
            yield f"{path}, line {line}: {name} is no setting of Deskbell"
        else:
            yield f"{path}, line {line}: {name}: {one['msg'].removeprefix('Value error, ')}"


def lines(text: str) -> dict[Path_, int]:
    """On which line each table and key stands."""
    found: dict[Path_, int] = {}
    table: Path_ = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _names(header[2])
            if header[1] == "[[":
                table += (sum(path[: len(table)] == table and len(path) == len(table) + 1 for path in found),)
            found[table] = number
        elif key := _KEY.match(line):
            found.setdefault(table + _names(key[1]), number)
    return found


def _names(dotted: str) -> Path_:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
