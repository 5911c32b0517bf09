"""Deploy the hook's code to a folder from which Claude Code starts it: whole, compiled and independent of this package.

Each version has a folder of its own, named after its content and created in one step, so that a running hook never
finds parts of two versions. `prune` removes the versions that no settings file names any more.
"""

import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path

import deskbell_hooks
from deskbell import VERSION
from deskbell.errors import NOT_WRITTEN, Problem
from deskbell.files.read import read
from deskbell.files.there import ending_in
from deskbell.files.write import create_private, make_private, narrow
from deskbell.helper import run
from deskbell.settings.interpreter import PATIENCE, Interpreter

PACKAGE = "deskbell_hooks"
LARGEST = 1_000_000
"""The most bytes of a module of the hook."""

# Unchecked: Python uses the compiled file without comparing it with the source, whose date may be anything.
_COMPILE = (
    "import compileall, os, py_compile, sys; os.umask(0o077); "
    "compileall.compile_dir(sys.argv[1], quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)"
)


def code() -> dict[str, bytes]:
    """Return the modules of the hook, as this package carries them."""
    folder = Path(deskbell_hooks.__file__ or "").parent
    return {path.name: read(path, LARGEST) for path in sorted(folder.glob("*.py"))}


def place(data: Path, modules: dict[str, bytes]) -> Path:
    """Return the folder for this code, named after its content."""
    digest = hashlib.sha256()
    for name, content in sorted(modules.items()):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return data / "hooks" / f"{VERSION}-{digest.hexdigest()[:10]}"


def main_file(folder: Path) -> Path:
    return folder / PACKAGE / "__main__.py"


def is_whole(folder: Path, modules: dict[str, bytes]) -> bool:
    """Return whether every module in FOLDER has its right content."""
    try:
        return all(read(folder / PACKAGE / name, LARGEST) == content for name, content in modules.items())
    except OSError:
        return False


def is_compiled(folder: Path, interpreter: Interpreter, modules: dict[str, bytes]) -> bool:
    cache = folder / PACKAGE / "__pycache__"
    return all((cache / f"{Path(name).stem}.{interpreter.tag}.pyc").exists() for name in modules)


def deploy(data: Path, interpreter: Interpreter) -> Path:
    """Put the code into its folder if it is not there already, and return the folder.

    Claude Code runs this code at every event, so nobody else may change it: narrow the modes of earlier versions too.
    """
    modules = code()
    folder = place(data, modules)
    try:
        if not is_whole(folder, modules):
            _put(folder, interpreter, modules)
        if not is_compiled(folder, interpreter, modules):
            _compile(folder, interpreter)
        for path in (data, folder.parent, folder, *folder.rglob("*")):
            narrow(path)
    except OSError as error:
        raise Problem(
            f"Cannot put the hook into {folder}: {error.strerror}. Claude Code's settings are as they were.",
            NOT_WRITTEN,
        ) from None
    return folder


def _put(folder: Path, interpreter: Interpreter, modules: dict[str, bytes]) -> None:
    make_private(folder.parent)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent, ignore_cleanup_errors=True) as scratch:
        new = Path(scratch) / "code"
        make_private(new / PACKAGE)
        for name, content in modules.items():
            create_private(new / PACKAGE / name, content)
        _compile(new, interpreter)
        if folder.exists():  # damaged, else `deploy` would have kept it
            folder.rename(Path(scratch) / "damaged")
        with contextlib.suppress(FileExistsError):
            new.rename(folder)


def _compile(folder: Path, interpreter: Interpreter) -> None:
    """Compile the code. Ignore a failure: without compiled files the hook is only slower."""
    with contextlib.suppress(TimeoutError):
        run([interpreter.path, "-I", "-S", "-c", _COMPILE, str(folder / PACKAGE)], PATIENCE)


def prune(data: Path, used: Collection[Path]) -> None:
    """Remove the versions that are not USED, what a killed deployment left, and DATA itself if it is empty then."""
    root = data / "hooks"
    for folder in ending_in(root, ""):
        if folder not in used and folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)
    for empty in (root, data):
        with contextlib.suppress(OSError):
            empty.rmdir()
