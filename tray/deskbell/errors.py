"""Define the exception whose text a person reads, and put other exceptions into words."""

NOT_WRITTEN = "Free some space or make it writable, then try again."
"""The next step if a file cannot be written."""


class Problem(Exception):
    """Say what is wrong, where, and the next step. A command prints the text and exits with CODE; the menu shows it."""

    code = 1
    """The exit code of a command that ends with it. `deskbell.__main__` lists all codes."""

    def __init__(self, what: str, step: str = "") -> None:
        super().__init__(f"{what} {step}".rstrip())
        self.what = what
        """What is wrong, and where: whole sentences."""
        self.step = step
        """What the person can do next; empty if WHAT says it."""


class Misuse(Problem):
    """A command cannot do what was typed: no such command, option, name of an event, or time."""

    code = 2


class NotFound(Problem):
    """What was named does not exist: a session, a project, a copy."""

    code = 3


def reason(error: BaseException) -> str:
    """Return ERROR in words. An OSError gives its cause and its path; an error not made for people, also its name."""
    if isinstance(error, Problem):
        return str(error)
    name = type(error).__name__
    try:
        if isinstance(error, OSError) and error.strerror:
            return f"{error.strerror}: {error.filename}" if error.filename else str(error.strerror)
        return f"{name}: {error}".removesuffix(": ")
    except Exception:  # noqa: BLE001  # `__str__` of any error may fail
        return name
