"""Hold what the person adds to the table of risks, and match it. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deskbell.answers.risk.kind import Place
from deskbell.answers.risk.paths import absolute, holds
from deskbell.answers.risk.places import forms

_TOKENS = re.compile(r"[\s'\"()<>|;&,=:@{}$`\[\]]+")


@dataclass(frozen=True, slots=True)
class Table:
    """What the person adds. Deskbell's own rows are in `reads`, `checks` and `places`."""

    plain: frozenset[str] = frozenset()
    """Whole commands, names of tools of MCP servers, or hosts whose pages may be fetched."""
    careful: tuple[tuple[str, ...], ...] = ()
    """The first words of commands, or names of tools."""
    jump: tuple[re.Pattern[str], ...] = ()
    """Paths."""

    def allows(self, text: str) -> bool:
        return text in self.plain

    def doubts(self, words: Sequence[str]) -> bool:
        """Return whether WORDS hold an entry of `careful`, with or without the folder of its program."""
        return any(
            words[at].endswith(entry[0]) and tuple(words[at + 1 : at + len(entry)]) == entry[1:]
            for entry in self.careful
            for at in range(len(words))
        )

    def guards(self, text: str, folder: str, at: Place) -> bool:
        """Return whether TEXT, a path or a program, names a path that an entry of `jump` matches."""
        return bool(self.jump) and any(self._guards(one, folder, at) for one in {text, *_TOKENS.split(text)} if one)

    def _guards(self, path: str, folder: str, at: Place) -> bool:
        full = absolute(path, folder, at.home)
        project = absolute(at.project, at.project, at.home)
        names = {path, full, full[len(project) :].lstrip("/") if holds(project, full) else full}
        every = {form for name in names for form in forms(name)}
        return any(one.fullmatch(name) or one.fullmatch(f"{name}/") for one in self.jump for name in every)


DEFAULT = Table()


def table(plain: Iterable[str] = (), careful: Iterable[str] = (), jump: Iterable[str] = ()) -> Table:
    """Return the table of what the configuration adds: whole commands, beginnings of commands, globs of paths."""
    return Table(
        frozenset(entry.strip() for entry in plain if entry.strip()),
        tuple(tuple(entry.split()) for entry in careful if entry.split()),
        tuple(re.compile(_expression(entry.casefold()), re.DOTALL) for entry in jump if entry),
    )


_SIGNS = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _expression(glob: str) -> str:
    """Return GLOB as a regular expression: `**` matches any number of folders, `*` and `?` stay in one."""
    parts = re.split(r"(\*\*/|/\*\*$|\*\*|\*|\?)", re.sub(r"\*{3,}", "**", glob.replace("\\", "/")))
    return "".join(_SIGNS.get(part, re.escape(part)) for part in parts)
