"""Set the variables that the hook sees when it runs in the process of a test.

The hook reads the environment from `posix` or `nt`, which take it once, when the interpreter starts.
"""

import sys

import pytest


def set_variable(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    if sys.platform == "win32":
        import nt

        monkeypatch.setitem(nt.environ, name, value)
    else:
        import posix

        monkeypatch.setitem(posix.environ, name.encode(), value.encode())
