"""Define the exception whose text a person reads: what is wrong, where, and the next step to take."""

NOT_WRITTEN = "Free some space or make it writable, then try again."
"""The next step where a file could not be written."""


class Problem(Exception):
    """A command prints the text and exits with 1; the menu shows it."""

    def __init__(self, what: str, step: str = "") -> None:
        super().__init__(f"{what} {step}".rstrip())
        self.what = what
        """What is wrong, and where: whole sentences."""
        self.step = step
        """What the person can do next; empty if WHAT says that too."""
