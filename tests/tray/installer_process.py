"""A process that installs or uninstalls once the gate opens, as often as it is asked: everything is imported already.

Asked on stdin with "VERB ROOT", it answers with the pid of the child that will do it, then with how that child ended.
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
