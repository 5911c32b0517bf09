"""Lay out the figures of a measurement as a table."""

from typing import NamedTuple


class Table(NamedTuple):
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.heads, *self.rows, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (self.heads, *self.rows)
        ]
        return "\n".join([f"== {self.title}", lines[0], "-" * len(lines[0]), *lines[1:]])
