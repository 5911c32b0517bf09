"""List the modules in which the tests must run every line and branch: the hook, and all modules that are pure.

`make test` gives the list to `coverage report`.
"""

import re

from tests.test_layers import ALL, docstring, modules, named


def whole() -> list[str]:
    """Return their paths, from the top folder."""
    pure = [path for path in ALL if re.search(r"\bPure[.:]", docstring(path))]
    return sorted({named(path) for path in (*modules("deskbell_hooks"), *pure)})


if __name__ == "__main__":
    print(",".join(whole()))
