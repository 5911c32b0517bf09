"""Test that a warning in a command without a log is one sentence."""

import logging
import os
import subprocess
import sys

PROGRAM = """
import logging, deskbell.terminal.warnings as warnings
warnings.print_warnings()
log = logging.getLogger("deskbell.x")
log.info("nobody needs this")
try:
    raise ValueError("deep\\x1b[2J")
except ValueError as error:
    log.error("the watcher: %s", error, exc_info=True)
"""


def test_a_warning_is_a_sentence_without_a_traceback() -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "deskbell: the watcher: deep\n")
    assert logging.lastResort is not None
