"""Define the exception whose text a person reads: what is wrong, where, and the next step to take."""


class Problem(Exception):
    """A command prints the text and exits with 1; the menu shows it."""
