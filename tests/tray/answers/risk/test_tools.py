"""Test the risk of tools other than Bash, and of inputs that are not understood."""

from collections.abc import Mapping

import pytest

from deskbell.answers.risk import risk, table
from deskbell.answers.risk.kind import Verdict
from tests.tray.answers.risk.table import AT

CASES: list[tuple[str, Mapping[str, object], Verdict]] = [
    ("Bash", {"command": "npm test", "description": "x", "timeout": 5, "run_in_background": True}, "plain"),
    ("Bash", {"command": "ls", "dangerouslyDisableSandbox": True}, "careful"),
    ("Bash", {"command": "ls", "new": ".git/config"}, "jump"),
    ("Bash", {}, "careful"),
    ("Bash", {"command": ""}, "careful"),
    ("Bash", {"command": ["ls"]}, "careful"),
    ("bash", {"command": "ls"}, "careful"),
    ("PowerShell", {"command": "npm test"}, "plain"),
    ("PowerShell", {"command": "npm test; ls"}, "careful"),
    ("PowerShell", {"command": "ls"}, "careful"),
    ("PowerShell", {"command": "Remove-Item x"}, "careful"),
    ("PowerShell", {"command": "Set-Content $PROFILE x"}, "jump"),
    ("PowerShell", {"command": "Set-Content $env:USERPROFILE\\.ssh\\config x"}, "jump"),
    ("PowerShell", {"command": "Set-Content .gi`t\\config x"}, "jump"),
    ("PowerShell", {"command": "rm -r $env:USERPROFILE"}, "jump"),
    ("PowerShell", {"command": "Set-Content x/secrets/y z"}, "jump"),
    ("PowerShell", {"command": "x" * 30_000}, "jump"),
    ("Read", {"file_path": "/home/ann/work/shop/a.py", "limit": 5}, "plain"),
    ("Read", {"file_path": "/etc/hosts"}, "plain"),
    ("Read", {"file_path": "/home/ann/Desktop/seed.txt"}, "careful"),
    ("Read", {"file_path": "/home/ann/.ssh/config"}, "jump"),
    ("Read", {"file_path": "/home/ann/work/shop/.env"}, "careful"),
    ("Read", {"file_path": "/x/secrets/y"}, "jump"),
    ("Read", {"file_path": 5}, "careful"),
    ("Read", {}, "careful"),
    ("NotebookRead", {"notebook_path": "a.ipynb"}, "plain"),
    ("LS", {"path": "/home/ann/work/shop"}, "plain"),
    ("LS", {}, "plain"),
    ("LS", {"path": ""}, "plain"),
    ("LS", {"path": 5}, "careful"),
    ("LS", {"path": "/home/ann/.ssh"}, "jump"),
    ("LS", {"path": "/x/secrets"}, "jump"),
    ("Glob", {"pattern": "**/*.ts"}, "plain"),
    ("Glob", {"pattern": "*.pem", "path": "src"}, "careful"),
    ("Glob", {"pattern": "/home/ann/.ssh/*"}, "jump"),
    ("Grep", {"pattern": "def main", "path": "src", "glob": "*.py", "-n": True}, "plain"),
    ("Grep", {"pattern": "def main"}, "plain"),
    ("Grep", {"pattern": "password"}, "careful"),
    ("Grep", {"pattern": "."}, "careful"),
    ("Grep", {"pattern": "main", "path": "/home/ann"}, "careful"),
    ("Grep", {"pattern": "main", "glob": ".env"}, "careful"),
    ("Grep", {"pattern": "main", "glob": "*.{pem,key}"}, "careful"),
    ("Grep", {"pattern": "main", "glob": "**/*.{ts,tsx}"}, "plain"),
    ("Grep", {"pattern": "main", "-C": 5}, "plain"),
    ("Grep", {"pattern": "main", "-C": 5000}, "careful"),
    ("Grep", {"pattern": "main", "context": 5000}, "careful"),
    ("Grep", {"pattern": 5}, "careful"),
    ("Grep", {"pattern": "main", "path": 5}, "careful"),
    ("Edit", {"file_path": "/home/ann/work/shop/a.py", "old_string": ".git", "new_string": "~/.bashrc"}, "plain"),
    ("Edit", {"file_path": "/home/ann/work/shop/a.py", "mode": "x"}, "careful"),
    ("Edit", {"file_path": "/tmp/a.py"}, "careful"),
    ("Edit", {"file_path": "/home/ann/work/shop/.git/config"}, "jump"),
    ("Edit", {"file_path": "/home/ann/work/shop/secrets/x"}, "jump"),
    ("Edit", {}, "careful"),
    ("Edit", {"file_path": [".git/config"]}, "jump"),
    ("Write", {"file_path": "/home/ann/work/shop/new.py", "content": "x" * 100_000}, "plain"),
    ("Write", {"file_path": "/home/ann/.bashrc", "content": "x"}, "jump"),
    ("Write", {"file_path": ".mcp.json"}, "jump"),
    ("Write", {"file_path": "/home/ann/work/shop/CLAUDE.md", "content": "x"}, "careful"),
    ("Edit", {"file_path": "/home/ann/work/shop/Makefile"}, "careful"),
    ("MultiEdit", {"file_path": "a.py", "edits": [{"old_string": "x"}]}, "plain"),
    ("MultiEdit", {"file_path": ".claude/settings.json", "edits": []}, "jump"),
    ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": "x"}, "plain"),
    ("NotebookEdit", {"notebook_path": "../a.ipynb"}, "careful"),
    ("WebFetch", {"url": "https://docs.python.org/3/", "prompt": "x"}, "plain"),
    ("WebFetch", {"url": "https://169.254.169.254/"}, "careful"),
    ("WebFetch", {"prompt": "x"}, "careful"),
    ("WebSearch", {"query": "python re"}, "plain"),
    ("WebSearch", {"query": "x" * 500}, "careful"),
    ("WebSearch", {"query": "what is sk-live-4eC39HqLyjWDarjtT1zdp7dc4eC39"}, "careful"),
    ("WebSearch", {"query": "x\u202e"}, "careful"),
    ("WebSearch", {}, "careful"),
    ("Task", {"prompt": "x"}, "careful"),
    ("Agent", {"prompt": "edit .git/config"}, "jump"),
    ("New", {"x": 1}, "careful"),
    ("mcp__files__write", {"path": "a"}, "careful"),
    ("mcp__files__write", {"path": "/home/ann/.ssh/config"}, "jump"),
    ("mcp__files__write", {"a": {"b": [{"c": (1, None, ".git/config")}]}}, "jump"),
    ("mcp__files__write", {".git/config": 1}, "jump"),
    ("mcp__files__write", {"path": "secrets/x"}, "jump"),
    ("mcp__files__write", {"content": "x" * 30_000}, "jump"),
    ("mcp__files__write", {"content": [0] * 30_000}, "jump"),
    ("", {}, "careful"),
]
OWN = table(jump=["**/secrets/**"])


@pytest.mark.parametrize(("tool", "tool_input", "verdict"), CASES)
def test_a_tool_is_judged_by_its_input(tool: str, tool_input: Mapping[str, object], verdict: Verdict) -> None:
    found = risk(tool, tool_input, AT, OWN)
    assert found.verdict == verdict
    assert (found.reason == "") == (verdict == "plain")


def test_an_input_that_is_nested_deep_is_examined() -> None:
    deep: object = ".git/config"
    for _ in range(5_000):
        deep = [deep]
    assert risk("mcp__a__b", {"x": deep}, AT).verdict == "jump"
