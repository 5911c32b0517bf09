"""Run every measurement, or those that are named: `python -m tests.bench [MODULE...]`. Each module has a `run()`."""

import pkgutil
import sys
from collections.abc import Sequence
from importlib import import_module

from tests import bench


def main(names: Sequence[str]) -> int:
    for name in names or sorted(module.name for module in pkgutil.iter_modules(bench.__path__)):
        module = import_module(f"tests.bench.{name}")
        if hasattr(module, "run"):
            print(module.run(), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
