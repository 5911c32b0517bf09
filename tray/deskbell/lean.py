"""What does a program that stays all day do without? What its libraries import and it never uses: 10 megabytes, and a
tenth of the time until the icon is there. Whoever needs one of them later loads it then.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from types import ModuleType

ABSENT = ("ssl", "_hashlib", "PIL._imagingft")
"""No TLS is spoken before a channel is used, and no letter is ever drawn."""
LIVE_WITHOUT = ("asyncio", "hashlib", "hmac", *(["PIL.ImageDraw"] if sys.platform != "linux" else []))

# https://docs.python.org/3/library/zoneinfo.html#data-sources
TIME_ZONES = (
    None if sys.platform == "win32" else "/usr/share/zoneinfo:/usr/lib/zoneinfo:/usr/share/lib/zoneinfo:/etc/zoneinfo"
)

STAND_INS: tuple[tuple[str, str, Mapping[str, object]], ...] = (
    # What others have put beside pydantic has no business here; and to find it, all that is installed is read.
    ("pydantic.plugin._loader", "importlib.metadata", {"entry_points": lambda **_: ()}),
    # Nothing is logged to another process.
    ("logging.handlers", "pickle", {}),
    # The real answer, without all that is known of how Python was built.
    ("zoneinfo", "sysconfig", {"get_config_var": {"TZPATH": TIME_ZONES}.get}),
)
"""Who imports what, and all of it that is needed."""


def load() -> None:
    """To be called before anything imports them."""
    with _instead(dict.fromkeys(ABSENT)):
        for user in LIVE_WITHOUT:
            import_module(user)
    import_module("pydantic")
    for user, name, answers in STAND_INS:
        stand_in = ModuleType(name)
        vars(stand_in).update(answers)
        # Where a library has become another one, it is merely not spared.
        with suppress(ImportError, AttributeError), _instead({name: stand_in}):
            import_module(user)


@contextmanager
def _instead(modules: Mapping[str, ModuleType | None]) -> Iterator[None]:
    """In place of the real ones, as far as they are not loaded already. None is what import takes for "not there"."""
    new = {name: module for name, module in modules.items() if name not in sys.modules}
    sys.modules.update(new)  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in new:
            del sys.modules[name]
