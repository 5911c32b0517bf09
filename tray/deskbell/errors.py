"""The one exception a person gets to read: what is wrong, where, and what to do about it."""


class Problem(Exception):
    """Printed as one sentence; the command exits with 1."""
