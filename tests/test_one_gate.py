"""Test that nothing prints, and nothing makes HTML, but the one module that makes text safe for that."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.test_layers import modules, named, nodes

PRINTS = {
    "tray/deskbell/terminal/out.py": "it is the one gate to the terminal",
    "tray/deskbell/terminal/console.py": "it is the gate for tables, and passes every text through the same function",
    "hooks/deskbell_hooks/ask.py": "the client reads it, and it is a decision that the gate of `decision` allows",
    "hooks/deskbell_hooks/tmuxline.py": "tmux reads it, and every text in it is cleaned",
}
"""Modules that print, and the reason."""

CALLS = frozenset(("print", "input", "Console", "print_exc", "print_exception", "print_stack", "pprint"))
STREAMS = frozenset(("stdout", "stderr", "__stdout__", "__stderr__"))


def prints(path: Path) -> Iterator[ast.AST]:
    """Every call in a module that prints, and every stream of the process that it names."""
    for node in nodes(path):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
            if name in CALLS and not (name == "print" and isinstance(node.func, ast.Attribute)):
                yield node
        elif (isinstance(node, ast.Attribute) and node.attr in STREAMS and getattr(node.value, "id", "") == "sys") or (
            isinstance(node, ast.ClassDef) and "Console" in {getattr(base, "id", "") for base in node.bases}
        ):
            yield node


HTML = re.compile(r"</[a-z]|<[a-z]+ [a-z-]+=|<!(--|doctype)|<(br|hr|p|b|i|div|span|script|style)>", re.IGNORECASE)
MAKES_HTML = {
    "tray/deskbell/pages/markup.py": "it is the one maker of pages, and escapes every text",
    "tray/deskbell/demo/scenes.py": "the client writes a prompt of its own in tags",
}
"""Modules that hold a piece of HTML, and the reason."""


def words(path: Path) -> Iterator[str]:
    """Every text in a module, but for the docstrings."""
    docstrings = {id(node.value) for node in nodes(path) if isinstance(node, ast.Expr)}
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def makes_html(path: Path) -> bool:
    code = path.read_text(encoding="utf-8")
    return any(map(HTML.search, words(path))) or bool(re.search(r"\bMarkup\(", code))


def test_nothing_makes_html_but_the_one_gate() -> None:
    found = {named(path) for package in ("deskbell", "deskbell_hooks") for path in modules(package) if makes_html(path)}
    assert sorted(found - MAKES_HTML.keys()) == [], "use element and text of deskbell.pages.markup"
    assert sorted(MAKES_HTML.keys() - found) == [], "these make no HTML any more: delete their rows"


def test_nothing_prints_but_the_one_gate_and_what_has_a_reason() -> None:
    packages = ("deskbell", "deskbell_hooks", "deskbell_icons")
    found = {named(path) for package in packages for path in modules(package) if any(prints(path))}
    assert sorted(found - PRINTS.keys()) == [], "use say, say_json or complain of deskbell.terminal.out"
    assert sorted(PRINTS.keys() - found) == [], "these print nothing any more: delete their rows"
