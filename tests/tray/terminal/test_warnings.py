"""Test that what breaks in a command without a log is one sentence."""

import os
import subprocess
import sys

import pytest

BEGINNING = """
import logging, sys, threading, types
from deskbell.__main__ import main

def fail():
    raise ValueError("deep\\x1b[2J")

class Finalised:
    def __del__(self):
        fail()

def run(args):
    {what}
    print("done")
    return 0

sys.modules["deskbell.commands.list"] = types.SimpleNamespace(arguments=lambda parser: None, run=run)
sys.argv = ["deskbell", "list"]
sys.exit(main())
"""
BROKE = "deskbell: An error in the background: ValueError: deep\n"


@pytest.mark.parametrize(
    ("what", "said"),
    {
        "a warning": (
            "logging.getLogger('x').warning('the watcher: %s', 'deep\\x1b[2J')",
            "deskbell: the watcher: deep\n",
        ),
        "a traceback": (
            "logging.getLogger('x').error('the watcher', exc_info=ValueError('deep'))",
            "deskbell: the watcher\n",
        ),
        "nothing of interest": ("logging.getLogger('x').info('nobody needs this')", ""),
        "a thread": ("thread = threading.Thread(target=fail); thread.start(); thread.join()", BROKE),
        "a thread that ends": ("thread = threading.Thread(target=sys.exit); thread.start(); thread.join()", ""),
        "a finaliser": ("Finalised()", BROKE),
    }.values(),
)
def test_what_breaks_is_a_sentence_without_a_traceback(what: str, said: str) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", BEGINNING.format(what=what)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("done\n", said)
