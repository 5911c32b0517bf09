"""Install or uninstall in a child process when the gate opens, with every module imported already.

Read "VERB ROOT" lines from stdin. For each, print the pid of the child that does it, then its wait status.
"""

import os
import sys
from pathlib import Path

from deskbell.settings.install import install, uninstall
from tests.tray.installing import Machine


def act(verb: str, root: Path) -> None:
    machine = Machine(root)
    setup = machine.setup
    gate = os.open(root / "gate", os.O_RDONLY)
    os.read(gate, 1)
    if verb == "install":
        install([machine.target], setup)
    else:
        uninstall([machine.target], machine.home)


def main() -> None:
    for line in sys.stdin:
        verb, root = line.split()
        child = os.fork()
        if not child:
            act(verb, Path(root))
            os._exit(0)
        print(child, flush=True)
        print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    main()
