"""Test the shape of the tree: imports go one way, as ROOMS says, and every module states what it does and is tested."""

import ast
import gc
import inspect
import os
import re
import subprocess
import sys
import time
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from deskbell.home import home
from deskbell.sessions.crashes import CrashFile
from deskbell.settings.known import KnownFile, remember
from tests.hooks import recorder
from tests.hooks.said import e
from tests.tray.commands.said import running
from tests.tray.making import session

ROOT = Path(__file__).parent.parent
PACKAGES = {"deskbell_hooks": "hooks", "deskbell_icons": "icons", "deskbell": "tray"}
DESKTOP = frozenset(("pystray", "PIL", "watchdog", "desktop_notifier", "dbus_fast", "Xlib"))
LONGEST = 400


def modules(package: str) -> list[Path]:
    return sorted((ROOT / PACKAGES[package] / package).rglob("*.py"))


ALL = [path for package in PACKAGES for path in modules(package)]


def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of a module, the module itself first. The tests share the nodes, so none may change one."""
    return parsed().get(path) or walked(path)


@cache
def parsed() -> dict[Path, tuple[ast.AST, ...]]:
    """Return the nodes of ALL. They stay until the end, so later collections of garbage leave them out."""
    found = {path: walked(path) for path in ALL}
    gc.collect()
    gc.freeze()
    return found


def walked(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path: Path) -> tuple[tuple[str, str], ...]:
    """Return every import in a module, also those of types: the module and the name, "" for the whole module.

    If the name of a module is computed, only its beginning, up to what is computed, is known.
    """
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[str, str]]:
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import, line {node.lineno}"  # ruff refuses them, too: TID252
            yield from ((str(node.module), alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in ("import_module", "__import__"):
            yield (written_out(node.args[0]), "")


def called(call: ast.Call) -> str:
    """The name of what is called, without what stands before its last dot."""
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def written_out(name: ast.expr) -> str:
    """The beginning of a text up to what is computed."""
    first = name.values[0] if isinstance(name, ast.JoinedStr) else name
    return str(first.value) if isinstance(first, ast.Constant) else ""


def imported(path: Path) -> Iterator[str]:
    """The first part of the name of every module that a module imports."""
    yield from (module.partition(".")[0] for module, _ in imports(path))


@cache
def docstring(path: Path) -> str:
    """The docstring of a module, without parsing what stands below it."""
    with path.open(encoding="utf-8") as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.STRING:
                return inspect.cleandoc(ast.literal_eval(token.string))
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                break
    return ""


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def foreign(path: Path, own: str) -> set[str]:
    return {name for name in imported(path) if name not in sys.stdlib_module_names and name != own} - {"nt", "posix"}


# Only the tray imports the types, and pydantic then needs a newer TypedDict than Python 3.11 has.
TYPES = {"hooks/deskbell_hooks/schema.py": {"typing_extensions"}}


@pytest.mark.uncounted
def test_the_hooks_need_nothing_but_the_standard_library() -> None:
    found = {named(path): foreign(path, "deskbell_hooks") for path in modules("deskbell_hooks")}
    assert {name: needs for name, needs in found.items() if needs} == TYPES


def test_the_icons_know_nothing_of_the_tray_and_scale_with_pillow_alone() -> None:
    paths = modules("deskbell_icons")
    assert {named(path): found for path in paths if (found := foreign(path, "deskbell_icons") - {"PIL"})} == {}


# Room -> the rooms of the program that it may import from. "top" is the modules beside the rooms, without `__main__`,
# which starts the commands.
ROOMS: dict[str, frozenset[str]] = {
    room: frozenset(allowed.split())
    for room, allowed in {
        "top": "top",
        "text": "top",
        "files": "top",
        "face": "top text",
        "cards": "top text face",
        "sessions": "top text files",
        "history": "top text files sessions",
        "terminal": "top text face cards",
        "notices": "top text files face",
        "settings": "top text files face notices",
        "answers": "top text files sessions notices",
        "desktop": "top text files face notices",
        "doctor": "top text files settings notices answers desktop",
        "pages": "top text history doctor",
        "demo": "top settings",
        "__main__": "top terminal",
        "program": "top text files face sessions history terminal notices settings answers desktop doctor pages",
        "commands": "top text files face sessions history terminal notices settings answers desktop doctor pages cards demo program __main__",
    }.items()
}


def room(name: str) -> str:
    """The room of a module, given by its dotted name."""
    parts = name.split(".")
    return parts[1] if len(parts) > 2 or (parts[1:] and parts[1] in ROOMS) else "top"


def inside(path: Path) -> Iterator[str]:
    """The dotted names of the program's own modules that a module imports."""
    for module, name in imports(path):
        if module.split(".")[0] == "deskbell":
            # `from deskbell.notices import quiet` imports a module, `from deskbell.session import Session` does not.
            yield f"{module}.{name}" if name and _is_folder(module) else module


def _is_folder(name: str) -> bool:
    return (ROOT / "tray" / name.replace(".", "/")).is_dir()


def test_every_folder_of_the_program_has_its_row_in_the_table() -> None:
    folders = {path.name for path in (ROOT / "tray" / "deskbell").iterdir() if (path / "__init__.py").exists()}
    assert folders == ROOMS.keys() - {"top", "__main__"}


def strangers(path: Path, root: Path = ROOT / "tray") -> set[str]:
    """Return what a module imports from rooms that its own room may not know."""
    own = room(".".join(path.relative_to(root).with_suffix("").parts))
    return {other for other in inside(path) if room(other) not in ROOMS[own] | {own}}


THE_ENTRY = {"tray/deskbell/__main__.py": {"deskbell.commands."}}
"""It imports the one command that is to be run, by its name."""


def test_a_module_imports_only_from_rooms_that_its_own_room_may_know() -> None:
    assert {named(path): found for path in modules("deskbell") if (found := strangers(path))} == THE_ENTRY


HIDDEN = {
    "in a function": ("def f():\n    from deskbell.program.loop import App", {"deskbell.program.loop"}),
    "of a module": ("from deskbell.program import loop", {"deskbell.program.loop"}),
    "of a room": ("from deskbell import program", {"deskbell.program"}),
    "for its types": ("if TYPE_CHECKING:\n    import deskbell.program.loop", {"deskbell.program.loop"}),
    "by a name": ("import_module('deskbell.program.loop')", {"deskbell.program.loop"}),
    "by a name, with its module": ("importlib.import_module('deskbell.program.loop')", {"deskbell.program.loop"}),
    "by a computed name": ("import_module(f'deskbell.program.{name}')", {"deskbell.program."}),
    "by a name that tells nothing": ("import_module(name)", set()),
    "of its own room": ("def f():\n    from deskbell.face.look import look", set()),
    "of another package": ("import json, deskbell_hooks.fold", set()),
}


@pytest.mark.parametrize(("text", "found"), HIDDEN.values(), ids=HIDDEN)
def test_an_import_is_found_wherever_it_stands(text: str, found: set[str], tmp_path: Path) -> None:
    module = tmp_path / "deskbell" / "face" / "new.py"
    module.parent.mkdir(parents=True)
    module.write_text(text)
    assert strangers(module, tmp_path) == found


@pytest.mark.parametrize("text", ["from ..program import loop", "def f():\n    from .. import program"])
def test_a_relative_import_is_refused(text: str, tmp_path: Path) -> None:
    module = tmp_path / "deskbell" / "face" / "new.py"
    module.parent.mkdir(parents=True)
    module.write_text(text)
    with pytest.raises(AssertionError, match="relative import"):
        strangers(module, tmp_path)
    ruff = [sys.executable, "-m", "ruff", "check", "--no-cache", "--config", str(ROOT / "pyproject.toml"), str(module)]
    assert "TID252" in subprocess.run(ruff, capture_output=True, text=True, check=False).stdout


WITH_EFFECTS = """
    asyncio concurrent ctypes fcntl getpass glob http io locale logging msvcrt multiprocessing nt os platform posix
    psutil queue random secrets select selectors shutil signal socket sqlite3 ssl subprocess sys tempfile threading time
    webbrowser"""
ONLY_QUOTES = {"tray/deskbell/terminal/resume.py": {("subprocess", "list2cmdline")}}
"""list2cmdline starts nothing: it words a command for Windows, as shlex does for other systems."""


def test_a_module_that_says_it_is_pure_imports_nothing_with_effects() -> None:
    """Methods of `Path` and `datetime.now` are not seen here."""
    pure = [path for path in ALL if re.search(r"\bPure[.:]", docstring(path))]
    assert len(pure) > 50
    effects = frozenset(WITH_EFFECTS.split())
    found = {named(path): {one for one in imports(path) if one[0].partition(".")[0] in effects} for path in pure}
    assert {name: bad for name, bad in found.items() if bad} == ONLY_QUOTES


def test_only_the_desktop_room_imports_libraries_of_the_desktop() -> None:
    outside = [path for path in modules("deskbell") if "desktop" not in path.relative_to(ROOT / "tray/deskbell").parts]
    assert {named(path): found for path in outside if (found := DESKTOP & set(imported(path)))} == {}


TEXTUAL = {f"tray/deskbell/terminal/{name}.py" for name in ("canvas", "driver", "strips", "tui")}


def test_only_the_board_in_the_terminal_imports_textual() -> None:
    """It takes a tenth of a second and 20 MB."""
    assert {named(path) for path in modules("deskbell") if "textual" in set(imported(path))} == TEXTUAL
    edge = {f"deskbell.terminal.{Path(name).stem}" for name in TEXTUAL}
    users = {named(path) for path in modules("deskbell") if edge & {module for module, _ in imports(path)}}
    assert users == {f"tray/deskbell/terminal/{name}.py" for name in ("canvas", "tui")} | {
        "tray/deskbell/commands/board.py"
    }


@pytest.mark.parametrize(
    "name",
    ["deskbell.program.loop", "deskbell.face", "deskbell.notices.bell", "deskbell.sessions.world", "deskbell.doctor"],
)
def test_the_middle_of_the_program_loads_no_library_of_the_desktop(name: str) -> None:
    program = f"import sys, {name}; print(*sys.modules)"
    path = os.pathsep.join(str(ROOT / folder) for folder in PACKAGES.values())
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert DESKTOP & {loaded.partition(".")[0] for loaded in done.stdout.split()} == set()


def test_a_jump_starts_without_what_only_some_terminals_need() -> None:
    """A person waits for it: each of these takes a tenth of its start or more."""
    slow = {"pydantic", "asyncio", "dbus_fast", "Xlib", "ctypes", "secrets", "tomllib"}
    program = "import sys, deskbell.commands.jump; print(*sys.modules)"
    path = os.pathsep.join(str(ROOT / folder) for folder in PACKAGES.values())
    # Coverage, which counts the processes of tests, too, imports tomllib.
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")} | {"PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    assert slow & {loaded.partition(".")[0] for loaded in done.stdout.split()} == set()


LATER = frozenset(
    (
        "tomllib",
        "psutil",
        "logging.handlers",
        "Xlib.display",
        "watchdog.observers.polling",
        "http.client",
        "difflib",
        "deskbell.program.clicks",
        "deskbell.program.openings",
        "deskbell.pages",
        "deskbell.answers",
        "deskbell.desktop.jump",
        "deskbell.desktop.tmux.panes",
        "deskbell.notices.policytext",
        "deskbell.desktop.browser",
        "deskbell.desktop.launch",
        "deskbell.desktop.selection",
        "deskbell.settings.install",
        "deskbell.doctor.report",
        "deskbell.notices.channels.http",
        "deskbell_hooks.redact",
    )
)
"""What only a click, a setting or a rare case needs. It would cost a megabyte or more of every run."""


@pytest.mark.skipif(sys.platform != "linux", reason="it imports what `run` imports on Linux with X11")
def test_the_start_of_the_program_loads_nothing_that_it_may_never_need() -> None:
    program = (
        "import sys, deskbell.commands.run, deskbell.program.log, deskbell.program.assembly, deskbell.desktop.focus.x11, "
        "deskbell.desktop.notify.linux, deskbell.desktop.tray.linux; print(*sys.modules)"
    )
    path = os.pathsep.join(str(ROOT / folder) for folder in PACKAGES.values())
    # Coverage, which counts the processes of tests, too, imports tomllib.
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    env |= {"PYTHONPATH": path, "PYDANTIC_DISABLE_PLUGINS": "__all__"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    assert LATER & set(done.stdout.split()) == set()


ONLY_FOR_SOME_CLICKS = frozenset(("deskbell.program.resuming", "deskbell.program.jumping", "deskbell.desktop"))


def test_a_click_loads_no_way_to_a_terminal_unless_it_is_to_go_to_one() -> None:
    program = "import sys, deskbell.program.clicks; print(*sys.modules)"
    path = os.pathsep.join(str(ROOT / folder) for folder in PACKAGES.values())
    env = os.environ | {"PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    assert ONLY_FOR_SOME_CLICKS & set(done.stdout.split()) == set()


ONLY_TO_FOLLOW = frozenset(
    ("asyncio", "ssl", "watchdog", "dbus_fast", "psutil", "subprocess", "tomlkit", "tomllib", "difflib", "Xlib", "PIL")
)
"""What a command that looks once and prints does not need. asyncio and what it loads takes as long as all the rest."""
ONLY_FOR_SESSIONS = frozenset(("deskbell.notices.probe", "deskbell.face.menu"))
ONLY_FOR_SETTINGS = frozenset(("pydantic", "importlib.metadata"))
"""What checks config.toml. It takes as long as the rest of `list`. The files of the hooks need only the core of it."""
SEEKS_PROBLEMS = frozenset(("psutil", "subprocess", "tomlkit", "tomllib", "difflib"))
"""What a command loads if it says what is broken."""
LOOKS = ONLY_TO_FOLLOW | ONLY_FOR_SETTINGS | {"rich.console", "rich.table"}
LOADED_BY: dict[str, tuple[list[str], frozenset[str]]] = {
    "list": (["list"], LOOKS | ONLY_FOR_SESSIONS),
    "list --json": (["list", "--json"], LOOKS | ONLY_FOR_SESSIONS),
    "board --once": (["board", "--once"], ONLY_TO_FOLLOW - SEEKS_PROBLEMS | {"textual", "rich.table"}),
    "status": (["status"], ONLY_TO_FOLLOW - {"subprocess", "difflib"} | {"rich", "pydantic"}),
    "why": (["why"], ONLY_TO_FOLLOW | {"rich.console", "rich.table"}),
    "--help": (["--help"], ONLY_TO_FOLLOW | {"pydantic", "rich", "platformdirs", "deskbell.commands"}),
    "--version": (["--version"], ONLY_TO_FOLLOW | {"pydantic", "rich", "platformdirs", "deskbell.commands"}),
}


def loaded_by(words: list[str]) -> set[str]:
    """The modules that a command has loaded at its end."""
    program = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
        f"sys.argv = ['deskbell', *{words!r}]; from deskbell.__main__ import main; sys.exit(main())"
    )
    path = os.pathsep.join(str(ROOT / folder) for folder in PACKAGES.values())
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")} | {"PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=env)
    loaded = set(done.stderr.split())
    assert "deskbell.__main__" in loaded
    return loaded


@pytest.mark.parametrize(("words", "spared"), LOADED_BY.values(), ids=LOADED_BY)
def test_a_command_loads_no_library_that_it_does_not_use(words: list[str], spared: frozenset[str]) -> None:
    assert spared & loaded_by(words) == set()


def test_to_list_sessions_loads_nothing_that_only_settings_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where claude.json, crashes.json and a record are validated."""
    running("s-1", "/p/api", os.getpid(), monkeypatch)
    crash = session(session_id="s-2", status="crashed", since=time.time(), kept_until=time.time() + 60)
    CrashFile(home().state).follow([crash], time.time())
    remember(home().config, home().config / "settings.json", KnownFile(), home().config)

    loaded = loaded_by(["list"])

    assert "deskbell.notices.probe" in loaded
    assert LOOKS & loaded == set()


def test_what_most_people_have_no_file_of_needs_no_validator() -> None:
    """pydantic takes half a millisecond and 0.1 MB for each, when it builds it, and a megabyte for the first."""
    program = (
        "import deskbell.program.assembly; from deskbell.notices import policy, policyfile, quiet; "
        "policyfile.Reading(); quiet.Quiet.nothing(); parts = policy.Part.__subclasses__(); "
        "print([one.__name__ for one in (*parts, quiet.Quiet) if one.__pydantic_complete__])"
    )
    path = os.pathsep.join(str(ROOT / folder) for folder in PACKAGES.values())
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": path})
    assert done.stdout.strip() == "[]"


MAKES_FOLDERS = {
    "tray/deskbell/files/write.py": "it is the one maker of Deskbell's own folders",
    "tray/deskbell/demo/player.py": "the folders of the demo are in a temporary folder",
}


def test_only_files_write_makes_folders_of_deskbells_own() -> None:
    """`Path.mkdir(mode=0o700, parents=True)` makes the folders above with the umask's mode, and so open to others."""
    found = {named(path) for path in modules("deskbell") if re.search(r"\bmkdir\(|makedirs\(", path.read_text("utf-8"))}
    assert found == MAKES_FOLDERS.keys()


CATCHES_EVERYTHING = {
    "tray/deskbell/__main__.py": "a person cannot read the traceback of a command",
    "tray/deskbell/errors.py": "an error whose own words fail is still told by its name",
    "tray/deskbell/program/boundary.py": "what it catches is shown, and the program goes on without the part",
    "tray/deskbell/program/log.py": "a record that cannot be written must not disturb its caller",
    "tray/deskbell/doctor/each.py": "a check that cannot be made must not hide the others",
    "tray/deskbell/sessions/world.py": "a session that cannot be examined must not hide the others",
    "tray/deskbell/sessions/liveness.py": "a process that cannot be examined must not hide the others",
    "tray/deskbell/sessions/folder.py": "a file that its parser cannot take must not hide the others",
    "tray/deskbell/sessions/appended.py": "a line that its parser cannot take must not hide the others",
    "tray/deskbell/sessions/examined.py": "a session that cannot be shown must not hide the others",
    "tray/deskbell/sessions/stand_in.py": "what stands for a session that cannot be shown must be shown",
    "tray/deskbell/commands/list.py": "a session that cannot be written must not take the others from a script",
    "tray/deskbell/terminal/tui.py": "what it catches ends the board, and is raised once the terminal is given back",
    "tray/deskbell/desktop/jump/attempt.py": "a way to a session that fails must not keep the others from being tried",
    "tray/deskbell/program/replying.py": "what was typed must not be lost, nor be said to have arrived",
    "tray/deskbell/notices/guard.py": "what one thing raises must not silence the bell",
    "tray/deskbell/notices/channels/outbox.py": "whatever a channel raises is a failed attempt",
    "hooks/deskbell_hooks/record.py": "the hook never disturbs Claude Code",
    "hooks/deskbell_hooks/ask.py": "the hook never disturbs Claude Code",
    "hooks/deskbell_hooks/statusline.py": "the statusline is never empty, and never an error",
}


def test_only_named_modules_catch_every_exception() -> None:
    """A handler that raises the exception again catches nothing."""
    assert {named(path) for path in ALL if any(map(swallows, nodes(path)))} == CATCHES_EVERYTHING.keys()


def swallows(node: ast.AST) -> bool:
    if not isinstance(node, ast.ExceptHandler):
        suppresses = isinstance(node, ast.Call) and called(node) == "suppress"
        return suppresses and bool(re.match(r"(contextlib\.)?suppress\((Base)?Exc", ast.unparse(node)))
    caught = "BaseException" if node.type is None else ast.unparse(node.type)
    raises_again = any(isinstance(one, ast.Raise) and one.exc is None for one in node.body)
    return bool(re.search(r"\b(Base)?Exception\b", caught)) and not raises_again


STARTS = ("create_task(", "ensure_future(", "Thread(", "start_new_thread(", "run_in_executor(", "Timer(", "TaskGroup(")


def test_every_task_and_thread_is_started_by_the_boundary() -> None:
    """What breaks in any other one goes unseen: pass a `deskbell.supervision.Supervisor` to what needs one."""
    found = {named(path) for path in modules("deskbell") if any(start in path.read_text("utf-8") for start in STARTS)}
    assert found == {"tray/deskbell/program/boundary.py"}


STARTS_PROGRAMS = {
    "tray/deskbell/helper.py": "it ends what it starts within a deadline",
    "tray/deskbell/desktop/launch.py": "a file browser or an editor is the person's from then on",
    "tray/deskbell/desktop/terminals.py": "a terminal is the person's from then on",
    "tray/deskbell/desktop/dnd/linux.py": "it awaits gsettings in the loop, and ends it as the helper does",
    "tray/deskbell/commands/config.py": "the person's editor runs as long as they want",
    "tray/deskbell/commands/demo.py": "the demo runs Deskbell, and ends it",
    "tray/deskbell/commands/resume.py": "the client takes the place of the command",
    "tray/deskbell/demo/player.py": "the demo runs our own hook, and processes that end with their input",
}
PROGRAM_STARTS = re.compile(
    r"\bsubprocess\.(run|Popen|call|check_\w+|getoutput|getstatusoutput)\(|\bcreate_subprocess_|\.subprocess_(exec|shell)"
    r"|\bos\.(system|popen|fork|spawn\w+|exec\w+|posix_spawn\w*)\("
)


def test_only_named_modules_start_programs_without_the_helper() -> None:
    """`capture_output` with a timeout waits for whoever holds the output open, and keeps all of it."""
    found = {named(path) for path in ALL if PROGRAM_STARTS.search(path.read_text("utf-8"))}
    assert found == STARTS_PROGRAMS.keys()


def test_no_module_swaps_the_streams_of_the_whole_process() -> None:
    """The loop and other threads print meanwhile, so a function returns its report."""
    swaps = re.compile(r"\bredirect_std(out|err)\b|\bsys\.(stdout|stderr) = ")
    assert [named(path) for path in modules("deskbell") if swaps.search(path.read_text("utf-8"))] == []


def test_every_message_of_d_bus_comes_through_the_boundary() -> None:
    """dbus-fast logs what a handler raises, and nothing more: `bus.listen` guards it."""
    found = {named(path) for path in modules("deskbell") if "add_message_handler(" in path.read_text("utf-8")}
    assert found == {"tray/deskbell/desktop/bus.py"}


def test_everything_that_is_exported_on_d_bus_answers_through_the_boundary() -> None:
    """dbus-fast logs what a method or a property raises, and nothing more: `Interface` guards them."""
    exports = re.compile(r"\b(ServiceInterface|dbus_method|dbus_property)\b")
    found = {named(path) for path in modules("deskbell") if exports.search(path.read_text("utf-8"))}
    assert found == {"tray/deskbell/desktop/tray/interface.py"}


def test_a_module_is_short_and_says_what_it_is_for() -> None:
    texts = {named(path): path.read_text(encoding="utf-8") for path in ALL}
    assert [name for name, text in texts.items() if len(text.splitlines()) > LONGEST] == []
    assert [named(path) for path in ALL if not docstring(path)] == []


# What an interpreter that isolates itself (-I) and loads no site (-S) has loaded before any program runs.
FLOOR = frozenset(name for name in subprocess.run(
    [sys.executable, "-I", "-S", "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
).stdout.split())  # fmt: skip
OWN = ("client", "codec", "files", "fold", "notes", "record", "requests", "runs", "trim", "work")


def test_the_recorder_loads_nothing_that_it_need_not_load(tmp_path: Path) -> None:
    """Its own modules, the accelerator of json, and what the interpreter had anyway."""
    program = [sys.executable, "-I", "-S", "-X", "importtime", *recorder.COMMAND[3:], str(tmp_path)]
    event = recorder.said(e("PostToolUse", tool_name="Bash", tool_input={"command": "make test"}, tool_response="ok"))
    subprocess.run(program, input=event, capture_output=True, check=True)
    done = subprocess.run(program, input=event, capture_output=True, check=True, text=False)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()[1:]}
    allowed = {*FLOOR, "deskbell_hooks", *(f"deskbell_hooks.{name}" for name in OWN), "_json", "gc"}
    if sys.platform == "win32":
        allowed.add("msvcrt")
    assert loaded - allowed == set()
    assert "deskbell_hooks.fold" in loaded


TESTS_OF = {"deskbell": "tests/tray", "deskbell_hooks": "tests/hooks", "deskbell_icons": "tests/icons"}
NAMED_REASONS: dict[str, str] = {
    module: reason
    for reason, modules in {
        "it only defines values, types or protocols": """
            tray/deskbell/__init__.py tray/deskbell/session.py tray/deskbell/supervision.py tray/deskbell/usage.py
            tray/deskbell/desktop/notify/display.py
            tray/deskbell/doctor/__init__.py tray/deskbell/face/__init__.py tray/deskbell/face/facts.py
            tray/deskbell/history/summary.py tray/deskbell/notices/orders.py tray/deskbell/notices/part.py
            tray/deskbell/notices/screen.py tray/deskbell/terminal/hands.py hooks/deskbell_hooks/schema.py""",
        "tests/tray/answers/risk/test_risk.py": """
            tray/deskbell/answers/risk/checks.py tray/deskbell/answers/risk/command.py tray/deskbell/answers/risk/kind.py
            tray/deskbell/answers/risk/kinds.py tray/deskbell/answers/risk/reads.py tray/deskbell/answers/risk/script.py
            tray/deskbell/answers/risk/words.py""",
        "tests/tray/answers/test_desk.py": "tray/deskbell/answers/receipts.py",
        "tests/tray/commands/test_show.py": "tray/deskbell/commands/_session.py",
        "tests/tray/commands/test_list.py": "tray/deskbell/commands/_world.py",
        "tests/tray/commands/test_resume.py": "tray/deskbell/commands/_choice.py",
        "tests/tray/notices/channels/test_outbox.py": "tray/deskbell/notices/channels/__init__.py",
        "tests/tray/commands/test_statusline.py": "tray/deskbell/commands/_line_preview.py",
        "tests/tray/terminal/test_tui.py": "tray/deskbell/terminal/canvas.py",
        "tests/tray/settings/test_hooks_text.py": "tray/deskbell/settings/jsonedit.py",
        "tests/tray/desktop/autostart/test_login.py": "tray/deskbell/desktop/autostart/__init__.py",
        "tests/tray/desktop/autostart/test_entries.py": """
            tray/deskbell/desktop/autostart/linux.py tray/deskbell/desktop/autostart/macos.py
            tray/deskbell/desktop/autostart/windows.py""",
        "tests/tray/desktop/test_dnd.py": """
            tray/deskbell/desktop/dnd/linux.py tray/deskbell/desktop/dnd/macos.py tray/deskbell/desktop/dnd/windows.py""",
        "tests/tray/desktop/focus/test_focus.py": """
            tray/deskbell/desktop/focus/macos.py tray/deskbell/desktop/focus/processes.py
            tray/deskbell/desktop/focus/tabs.py tray/deskbell/desktop/focus/tmux.py
            tray/deskbell/desktop/focus/windows.py tray/deskbell/desktop/focus/wlroots.py
            tray/deskbell/desktop/focus/x11.py""",
        "tests/desktop/test_jump.py": """
            tray/deskbell/desktop/jump/accessibility.py tray/deskbell/desktop/jump/desk.py
            tray/deskbell/desktop/jump/gnome_terminal.py
            tray/deskbell/desktop/jump/konsole.py
            tray/deskbell/desktop/jump/looked_at.py tray/deskbell/desktop/jump/on_bus.py
            tray/deskbell/desktop/jump/ptyxis.py
            tray/deskbell/desktop/jump/terminator.py tray/deskbell/desktop/jump/tilix.py tray/deskbell/desktop/jump/ghostty.py
            tray/deskbell/desktop/jump/wire.py tray/deskbell/desktop/jump/x11.py""",
        "tests/tray/desktop/jump/test_ways.py": """
            tray/deskbell/desktop/jump/editors.py tray/deskbell/desktop/jump/macos.py
            tray/deskbell/desktop/jump/ssh.py tray/deskbell/desktop/jump/warp.py
            tray/deskbell/desktop/jump/wezterm.py tray/deskbell/desktop/jump/windows.py
            tray/deskbell/desktop/jump/windows_terminal.py tray/deskbell/desktop/jump/zellij.py""",
        "tests/tray/desktop/jump/test_jump.py": """
            tray/deskbell/desktop/jump/tmux.py tray/deskbell/desktop/jump/output.py""",
        "tests/tray/desktop/notify/test_linux.py": "tray/deskbell/desktop/notify/calls.py",
        "tests/tray/desktop/notify/test_delivery.py": "tray/deskbell/desktop/notify/reasons.py",
        "tests/tray/desktop/test_tray.py": "tray/deskbell/desktop/tray/library.py",
        "tests/desktop/test_clipboard.py": "tray/deskbell/desktop/selection.py",
        "tests/desktop/test_xembed.py": "tray/deskbell/desktop/xserver.py",
        "tests/hooks/test_process.py": "hooks/deskbell_hooks/__main__.py",
        "tests/icons/test_pixels.py": "icons/deskbell_icons/__init__.py",
    }.items()
    for module in modules.split()
}
"""Modules without a test module at the same place, and the reason: a sentence, or the test module that tests them."""


def is_empty(path: Path) -> bool:
    module = nodes(path)[0]
    assert isinstance(module, ast.Module)
    return all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in module.body)


def mirrors(path: Path, package: str) -> list[Path]:
    """The test modules that stand where PATH stands: `_settings` is tested by test_settings, `x/__init__` by test_x."""
    folder = ROOT / TESTS_OF[package] / path.relative_to(ROOT / PACKAGES[package] / package).parent
    if path.stem == "__init__":
        name = f"test_{path.parent.name}.py"
        return [folder / "test_init.py", folder / name, folder.parent / name]
    return [folder / f"test_{path.stem.strip('_')}.py"]


def test_every_module_has_its_test_module_or_a_named_reason() -> None:
    paths = [(path, package) for package in PACKAGES for path in modules(package) if not is_empty(path)]
    without = {named(path) for path, package in paths if not any(test.exists() for test in mirrors(path, package))}
    assert sorted(without - NAMED_REASONS.keys()) == []
    assert sorted(NAMED_REASONS.keys() - without) == [], "these have a test module now, or are gone: delete their rows"


def test_a_reason_that_names_a_test_module_names_one_that_exists() -> None:
    named_modules = {reason for reason in NAMED_REASONS.values() if reason.startswith("tests/")}
    assert sorted(name for name in named_modules if not (ROOT / name).exists()) == []


TESTS = sorted((ROOT / "tests").rglob("*.py"))


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.?!])\s", text.strip(), maxsplit=1)[0]


def test_a_module_states_what_it_does_and_does_not_ask() -> None:
    """The rule: the first sentence of a module's docstring says what the module does."""
    assert [named(path) for path in (*ALL, *TESTS) if first_sentence(docstring(path)).endswith("?")] == []


def test_a_test_module_says_what_it_tests() -> None:
    modules = [path for path in TESTS if path.name.startswith("test_")]
    assert [named(path) for path in modules if not docstring(path).startswith("Test ")] == []


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="their suites run on Linux only")
def test_the_suites_that_need_a_desktop_or_a_client_can_be_collected() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "tests/desktop", "tests/client"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
