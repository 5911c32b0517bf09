"""Make checks one by one, so that an error in one of them hides no other."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from deskbell.doctor import Check
from deskbell.errors import reason

AGAIN = "Run `deskbell doctor` again. If it says the same, this is a mistake in Deskbell."


def each(checks: Mapping[str, Callable[[], Iterable[Check]]], again: str = AGAIN) -> Iterator[Check]:
    """Yield what each of CHECKS finds. If one raises, yield a check with its name that says so, and AGAIN."""
    for name, check in checks.items():
        try:
            yield from check()
        except Exception as error:  # noqa: BLE001  # a check that cannot be made must not hide the others
            yield Check(name, "bad", f"Cannot check the {name}: {reason(error).rstrip('.')}.", again)
