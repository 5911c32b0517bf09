"""Read the files of commands with what must come out for each."""

import re
from pathlib import Path

from deskbell.answers.risk import Place

AT = Place("/home/ann/work/shop", "/home/ann/work/shop", "/home/ann")


def rows(name: str) -> list[tuple[str, str]]:
    """The verdict and the command of each line of the file NAME."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").split("\n")
    pairs = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    return [(verdict, _decoded(command)) for verdict, command in pairs]


def _decoded(command: str) -> str:
    command = command.replace("␤", "\n").replace("␉", "\t")
    return re.sub(r"‹([0-9A-F]{4,5})›", lambda found: chr(int(found[1], 16)), command)
