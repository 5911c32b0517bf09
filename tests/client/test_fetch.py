"""Test that the client is fetched once and whole, however many processes ask for it at the same time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.fetch import VERSION, package

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the real client is driven on Linux only")

NPM = """#!/bin/sh
[ "$1" = view ] && { echo 2.1.999; exit; }
echo "$3" >> "$CALLS"
mkdir package && printf '#!/bin/sh\\n' > package/claude && tar czf client.tgz package && rm -r package
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that fetches: npm is NPM, which lists what it fetches in the file CALLS."""
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(NPM, encoding="utf-8")
    npm.chmod(0o755)
    return {
        "PATH": f"{npm.parent}{os.pathsep}{os.environ['PATH']}",
        "DESKBELL_TEST_CACHE": str(tmp_path / "cache"),
        "CALLS": str(tmp_path / "calls"),
    }


def fetching(environment: dict[str, str]) -> subprocess.Popen[str]:
    command, root, pipe = [sys.executable, "-m", "tests.client.fetch"], Path(__file__).parents[2], subprocess.PIPE
    return subprocess.Popen(command, cwd=root, env=environment, stdout=pipe, stderr=pipe, text=True)


def test_four_processes_get_the_same_client_from_one_download(environment: dict[str, str]) -> None:
    asking = [fetching(environment) for _ in range(4)]
    found = {process.communicate(timeout=60)[0].strip() for process in asking}
    assert Path(environment["CALLS"]).read_text().splitlines() == [f"{package()}@{VERSION}"]
    assert len(found) == 1
    assert os.access(found.pop(), os.X_OK)


@pytest.mark.parametrize(("named", "version"), [("2.1.5", "2.1.5"), ("newest", "2.1.999"), ("", VERSION)])
def test_an_environment_variable_chooses_the_version(environment: dict[str, str], named: str, version: str) -> None:
    found = fetching({**environment, "DESKBELL_TEST_VERSION": named}).communicate(timeout=60)[0]
    assert Path(found.strip()).parent.name.endswith(f"-{version}")
    assert Path(environment["CALLS"]).read_text().strip() == f"{package()}@{version}"


def test_a_version_that_is_none_is_refused(environment: dict[str, str]) -> None:
    refused = fetching({**environment, "DESKBELL_TEST_VERSION": "2.1"})
    assert "'2.1' is no version of Claude Code. Use one such as" in refused.communicate(timeout=60)[1]
    assert not Path(environment["CALLS"]).exists()


def test_the_package_is_named_for_this_machine() -> None:
    assert package().startswith("@anthropic-ai/claude-code-linux-")
    assert "unknown" not in package()
