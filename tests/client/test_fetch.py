"""Test that the client is fetched once and whole, however many processes ask for it at the same time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.fetch import package

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the real client is driven on Linux only")

NPM = """#!/bin/sh
echo called >> "$CALLS"
mkdir package && printf '#!/bin/sh\\n' > package/claude && tar czf client.tgz package && rm -r package
"""


def test_four_processes_get_the_same_client_from_one_download(tmp_path: Path) -> None:
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(NPM, encoding="utf-8")
    npm.chmod(0o755)
    calls = tmp_path / "calls"
    environment = {
        "PATH": f"{npm.parent}{os.pathsep}{os.environ['PATH']}",
        "DESKBELL_TEST_CACHE": str(tmp_path / "cache"),
        "CALLS": str(calls),
    }
    command = [sys.executable, "-m", "tests.client.fetch"]
    root = Path(__file__).parents[2]
    asking = [subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE) for _ in range(4)]
    found = {process.communicate(timeout=60)[0].decode().strip() for process in asking}
    assert calls.read_text().splitlines() == ["called"]
    assert len(found) == 1
    assert os.access(found.pop(), os.X_OK)


def test_the_package_is_named_for_this_machine() -> None:
    assert package().startswith("@anthropic-ai/claude-code-linux-")
    assert "unknown" not in package()
