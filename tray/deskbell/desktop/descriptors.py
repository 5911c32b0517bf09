"""Raise the limit of open files, and say how many may be used to notice the ends of processes.

A shell or a service may allow very few. Files that are read, shown and sent are more important.
"""

import sys

ENOUGH = 4096
"""More than are ever open at the same time. The limit is not raised further, because programs that Deskbell starts
inherit it, and some close every number below it when they start: with a limit of a billion that takes seconds.
"""
MOST = 256
"""The most descriptors that are used to notice the ends of processes."""

if sys.platform == "win32":

    def allow_enough() -> None:
        """Change nothing: this system sets no such limit."""

    def share() -> int:
        """Return how many descriptors may be used to notice the ends of processes."""
        return MOST

else:
    import resource

    def allow_enough() -> None:
        """Raise the limit of this process as far as it is needed and allowed."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(ENOUGH, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

    def share() -> int:
        """Return how many descriptors may be used to notice the ends of processes."""
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return MOST if soft == resource.RLIM_INFINITY else min(MOST, soft // 4)
