"""What does a program that stays all day do without?

OpenSSL, which the standard library loads, the fonts of Pillow where it is needed at all, and the plugins that pydantic
looks for in every package that is installed: 8 megabytes, and a tenth of the time until the icon is there. Whoever
speaks TLS later loads it then; no letter is ever drawn; and what others have put beside pydantic has no business here.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from types import ModuleType

ABSENT = ("ssl", "_hashlib", "PIL._imagingft")
LIVE_WITHOUT = ("asyncio", "hashlib", "hmac", *(["PIL.ImageDraw"] if sys.platform != "linux" else []))


def load() -> None:
    """To be called before anything imports them."""
    with _instead(dict.fromkeys(ABSENT)):
        for user in LIVE_WITHOUT:
            import_module(user)
    import_module("pydantic")
    with suppress(ImportError), _instead({"importlib.metadata": _nothing_installed()}):
        import_module("pydantic.plugin._loader")  # none of its public modules: where it goes, this is merely not spared


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


def _nothing_installed() -> ModuleType:
    module = ModuleType("importlib.metadata")
    module.entry_points = lambda **_: ()  # type: ignore[attr-defined]
    return module
