"""Find the parts that the program names where it calls its boundary or its supervisor."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deskbell.program.boundary import BACKGROUND

PROGRAM = Path(__file__).parents[3] / "tray" / "deskbell"
METHODS = frozenset(("call", "wait", "keep", "once", "thread", "guarded"))
WHOLE = "program"
"""All of the program, in the second thread of macOS: it ends with an error and shows nothing."""


class Named(NamedTuple):
    method: str
    """The method of the boundary or the supervisor that is called."""
    part: str
    known: bool
    """Whether PART is the name of a part. If not, it is the expression that names one, with its module."""


def named_parts() -> set[str]:
    return {one.part for one in _all() if one.known} - {WHOLE} | {BACKGROUND}  # the boundary names this one itself


def named_parts_of(*methods: str) -> set[str]:
    """The parts that are named in calls of METHODS."""
    return {one.part for one in _all() if one.known and one.method in methods}


def computed_parts() -> set[str]:
    """The expressions that name a part and are neither a word nor a constant of a module."""
    return {one.part for one in _all() if not one.known}


@cache
def _all() -> tuple[Named, ...]:
    return tuple(named for path in sorted(PROGRAM.rglob("*.py")) for named in _named(path))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _named(path: Path) -> Iterator[Named]:
    if not re.search(r"supervisor|boundary|bus\.listen", path.read_text(encoding="utf-8")):
        return
    tree = _tree(path)
    known = _imported(tree) | _constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and _names_a_part(node.func):
            assert isinstance(node.func, ast.Attribute)
            yield _resolved(node.func.attr, node.args[0], known, path)


def _names_a_part(called: ast.expr) -> bool:
    if not isinstance(called, ast.Attribute) or called.attr not in METHODS | {"listen"}:
        return False
    whose = ast.unparse(called.value)
    return whose == "bus" if called.attr == "listen" else whose.endswith(("supervisor", "boundary"))


def _resolved(method: str, part: ast.expr, known: dict[str, str], path: Path) -> Named:
    if isinstance(part, ast.Constant):
        return Named(method, str(part.value), True)
    name = ast.unparse(part)
    if name in known:
        return Named(method, known[name], True)
    return Named(method, f"{path.relative_to(PROGRAM).as_posix()}: {name}", False)


def _constants(tree: ast.Module) -> dict[str, str]:
    """The words that are assigned to names of the module, one by one or several at once."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names, value = node.targets[0], node.value
            pairs = zip(names.elts, value.elts, strict=False) if _are_tuples(names, value) else [(names, value)]
            found |= {ast.unparse(one): str(ast.literal_eval(word)) for one, word in pairs if _is_word(word)}
    return found


def _are_tuples(*nodes: ast.expr) -> bool:
    return all(isinstance(node, ast.Tuple) for node in nodes)


def _is_word(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _imported(tree: ast.Module) -> dict[str, str]:
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("deskbell."):
            path = PROGRAM.parent.joinpath(*node.module.split(".")).with_suffix(".py")
            theirs = _constants(_tree(path)) if path.exists() else {}
            found |= {alias.asname or alias.name: theirs[alias.name] for alias in node.names if alias.name in theirs}
    return found
