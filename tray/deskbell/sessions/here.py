"""Say which machine, start of it and pid namespace this program runs in, and whether a client runs there too.

A name of a machine is no identity: a network may change it. The id of the machine and that of its present start are. A
pid is a number of one namespace: in another one, as in a container, the same number is another process.
"""

import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from deskbell.sessions.processes import host
from deskbell_hooks.place import identity


class Here(NamedTuple):
    """Where this program runs. What is unknown is empty."""

    name: str = ""
    machine: str = ""
    boot: str = ""
    pids: str = ""
    """The pid namespace, as Linux names it: "pid:[4026531836]"."""

    def has_machine(self, where: Mapping[str, Any]) -> bool:
        """Return whether WHERE, as a hook found it, is on this machine. Older records only have its name."""
        if self.boot and where.get("boot") == self.boot:
            return True
        if self.machine and where.get("machine"):
            return bool(where["machine"] == self.machine)
        return bool(where.get("host", self.name) == self.name)

    def has_pids(self, pids: str) -> bool:
        """Return whether a pid of the namespace PIDS is the number of the same process here."""
        return not pids or not self.pids or pids == self.pids


def here() -> Here:
    """Return where this program runs. The name of the machine may change meanwhile, the rest does not."""
    return Here(host(), **_identity())


@cache
def _identity() -> Mapping[str, str]:
    return identity() if sys.platform == "linux" else {}


def is_identified(where: Mapping[str, Any]) -> bool:
    """Return whether a record says more of the machine than its name."""
    return bool(where.get("machine") or where.get("boot"))
