"""Where does a client run? Its process, terminal, multiplexer and host, in the words of its own environment."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deskbell_hooks.schema import Where

if sys.platform == "win32":
    import nt as system

    def _host() -> str:
        return variable("COMPUTERNAME")
else:
    import posix as system

    def _host() -> str:
        return system.uname().nodename


HANDLES = (
    *("TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL", "LC_TERMINAL_VERSION", "TERMINAL_EMULATOR", "TERM"),
    *("TMUX", "TMUX_PANE", "STY", "ZELLIJ", "ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID"),
    *("WINDOWID", "DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "I3SOCK", "HYPRLAND_INSTANCE_SIGNATURE", "XDG_SESSION_ID"),
    *("KITTY_WINDOW_ID", "KITTY_PID", "KITTY_LISTEN_ON", "WEZTERM_PANE", "WEZTERM_UNIX_SOCKET", "ALACRITTY_WINDOW_ID"),
    *("ITERM_SESSION_ID", "TERM_SESSION_ID", "__CFBundleIdentifier", "GHOSTTY_RESOURCES_DIR", "GHOSTTY_BIN_DIR"),
    *("KONSOLE_DBUS_SERVICE", "KONSOLE_DBUS_WINDOW", "KONSOLE_DBUS_SESSION", "KONSOLE_VERSION", "SHELL_SESSION_ID"),
    *("GNOME_TERMINAL_SERVICE", "GNOME_TERMINAL_SCREEN", "VTE_VERSION", "TILIX_ID", "TERMINATOR_UUID"),
    *("WT_SESSION", "WT_PROFILE_ID", "VSCODE_PID", "VSCODE_IPC_HOOK_CLI", "VSCODE_GIT_IPC_HANDLE", "CURSOR_TRACE_ID"),
    *("ZED_TERM", "NVIM", "INSIDE_EMACS", "WARP_IS_LOCAL_SHELL_SESSION", "TABBY_CONFIG_DIRECTORY"),
    *("SSH_CONNECTION", "SSH_TTY", "WSL_DISTRO_NAME", "WSL_INTEROP", "CODESPACES", "REMOTE_CONTAINERS", "DEVCONTAINER"),
)
LONGEST = 200
SHELLS = (b"sh", b"bash", b"dash", b"zsh", b"ksh", b"busybox")


def variable(name: str) -> str:
    if sys.platform == "win32":
        return system.environ.get(name) or system.environ.get(name.upper(), "")
    return system.environ.get(name.encode(), b"").decode("utf-8", "replace")


def client_pid() -> int | None:
    pid = variable("CLAUDE_PID")
    if pid.isascii() and pid.isdigit() and len(pid) < 11:
        return int(pid)
    return _starter() if variable("CLAUDECODE") and not pid else None


def _starter() -> int | None:
    """Older clients do not give their number: it is theirs who started this hook, or the shell that started it."""
    if sys.platform == "win32":
        return None
    pid = system.getppid()
    try:
        with open(f"/proc/{pid}/comm", "rb", 0) as file:
            shell = file.read(64).strip() in SHELLS
    except OSError:
        return None
    if shell:
        stat = process_stat(pid)
        pid = int(stat[1]) if stat else 0
    return pid if pid > 1 else None


def process_start(pid: "int | str") -> int | None:
    """Field 22 of /proc/<pid>/stat, in clock ticks since boot: the same number that Claude Code's registry holds.

    None for the dead, also while their parent has not taken note: tmux takes more than a second for that.
    """
    stat = process_stat(pid)
    return int(stat[19]) if len(stat) > 19 and stat[0] not in "ZX" else None


def process_stat(pid: "int | str") -> list[str]:
    """The fields from the third on; the second, the command, may hold anything, brackets and spaces included."""
    try:
        with open(f"/proc/{pid}/stat", "rb", 0) as file:
            return file.read(4096).rpartition(b") ")[2].decode().split()
    except OSError:
        return []


def is_gone(pid: int, start: int | None) -> bool:
    """True only where it is certain."""
    if sys.platform == "win32":
        return False
    try:
        system.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return start is not None and process_start(pid) != start


def where(pid: int, start: int | None) -> "Where":
    found: Where = {"pid": pid, "start": start, "host": _host()[:100]}
    if tty := _tty(pid):
        found["tty"] = tty
    for key, name in (("ssh", "SSH_CONNECTION"), ("wsl", "WSL_DISTRO_NAME"), ("entrypoint", "CLAUDE_CODE_ENTRYPOINT")):
        if text := variable(name):
            found[key] = text[:LONGEST]  # type: ignore[literal-required]  # the three keys above are of Where
    if attended := variable("CLAUDE_CODE_SESSION_ATTENDED"):
        found["attended"] = attended != "0"
    if container := _container():
        found["container"] = container[:100]
    handles = {name: variable(name)[:LONGEST] for name in HANDLES}
    found["handles"] = {name: text for name, text in handles.items() if text}
    return found


def _tty(pid: int) -> str:
    """The hook has no terminal of its own: the client's is in the seventh field of its stat, as a device number."""
    stat = process_stat(pid)
    device = int(stat[4]) if len(stat) > 4 else 0
    major, minor = device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00
    if 136 <= major <= 143:
        return f"/dev/pts/{minor + (major - 136) * 256}"
    if major == 4 and minor < 64:
        return f"/dev/tty{minor}"
    return variable("SSH_TTY") if major else ""


def _container() -> str:
    if name := variable("container") or (variable("DISTROBOX_ENTER_PATH") and variable("CONTAINER_ID")):
        return name
    for path, kind in (("/run/.containerenv", "podman"), ("/.dockerenv", "docker")):
        try:
            system.stat(path)
        except OSError:
            continue
        return kind
    return "codespace" if variable("CODESPACES") else ""
