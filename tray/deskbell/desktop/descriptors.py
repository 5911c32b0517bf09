"""Raise the limit of open files, and say how many of them the ends of processes may take.

A shell or a service may allow Deskbell very few. What it reads, shows and sends comes first.
"""

import sys

ENOUGH = 4096
"""Files that are open at the same time are far fewer. Programs that Deskbell starts inherit the limit, and some close
every number below it when they start, so that a limit of a billion takes them seconds.
"""
MOST = 256
"""Descriptors for the ends of processes, however many are allowed."""

if sys.platform == "win32":

    def allow_enough() -> None:
        """Change nothing: this system sets no such limit."""

    def share() -> int:
        """Return how many descriptors may be used to hear of the ends of processes."""
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
        """Return how many descriptors may be used to hear of the ends of processes."""
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return MOST if soft == resource.RLIM_INFINITY else min(MOST, soft // 4)
