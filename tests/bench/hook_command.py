"""Compare the registered command, which has guards, with the plainest command that starts the hook."""

import sys
import tempfile
from pathlib import Path

from deskbell.settings import deploy
from deskbell.settings.interpreter import stable_interpreter
from deskbell.settings.registration import Hook, wanted
from tests.bench.recorder import tool_call
from tests.bench.table import Table
from tests.bench.timing import Times, interleaved, process

ROUNDS = 150


def run() -> Table:
    if sys.platform == "win32":
        return Table("hook command: Windows starts the hook without a shell", ("",), ())
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as name:
        found = _measured(Path(name))
    plain = found["plain"].median
    rows = tuple((name, f"{times.median:.2f} ms", f"{times.median / plain:.2f}x") for name, times in found.items())
    return Table(f"hook command: from the shell to the end, {ROUNDS} interleaved rounds", ("", "median", "ratio"), rows)


def _measured(root: Path) -> dict[str, Times]:
    interpreter = stable_interpreter()
    main = deploy.main_file(deploy.deploy(root / "data", interpreter))
    hook = Hook(interpreter.path, str(main), str(root / "state"))
    start = f"'{hook.python}' -I -S '{hook.main}' record '{hook.state}'"
    commands = {
        "plain": f"exec {start}",
        "as registered": str(wanted(hook, None)["Stop"][0]["command"]),
        "a second process instead of guards": f"{start} >/dev/null 2>&1 || :",
    }
    stdin = tool_call(root, "bench")
    deeds = {name: process(["/bin/sh", "-c", command], stdin) for name, command in commands.items()}
    return interleaved(deeds, ROUNDS)
