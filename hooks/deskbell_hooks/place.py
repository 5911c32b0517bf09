"""Describe where a client runs: its terminal, multiplexer and host, as its environment variables say.

The recorder imports this only for the first event of a client.
"""

import sys

from deskbell_hooks.client import process_stat, variable

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
"""Environment variables by which a terminal, multiplexer or editor can be found again. None of them is a secret."""
CONTAINERS = (("/run/.containerenv", "podman"), ("/.dockerenv", "docker"))
"""Files that are only in a container, and its kind."""
LONGEST = 200
"""The most characters that are kept of a variable."""


MACHINE_ID, BOOT_ID, PIDS = "/etc/machine-id", "/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"
"""The files of Linux that identify the machine, its present start, and the namespace whose numbers its pids are."""


def identity(paths: "tuple[str, str, str]" = (MACHINE_ID, BOOT_ID, PIDS)) -> "dict[str, str]":
    """Return what identifies this machine, its present start and this pid namespace. What is not known is left out."""
    machine, boot, pids = paths
    found = {"machine": _first_line(machine), "boot": _first_line(boot), "pids": ""}
    try:
        found["pids"] = system.readlink(pids)
    except OSError:
        pass
    return {name: text[:64] for name, text in found.items() if text}


def _first_line(path: str) -> str:
    try:
        fd = system.open(path, system.O_RDONLY)
        try:
            return system.read(fd, 64).split(b"\n")[0].decode("ascii", "replace").strip()
        finally:
            system.close(fd)
    except OSError:
        return ""


def where(pid: int, start: int | None, marks: "tuple[tuple[str, str], ...]" = CONTAINERS) -> "Where":
    """Describe where the client with this process number and start time runs. What is not known is left out."""
    found: Where = {"pid": pid, "start": start, "host": _host()[:100]}
    if sys.platform == "linux":
        found.update(identity())  # type: ignore[typeddict-item]  # three fields of Where
    if tty := _tty(pid):
        found["tty"] = tty
    for key, name in (("ssh", "SSH_CONNECTION"), ("wsl", "WSL_DISTRO_NAME"), ("entrypoint", "CLAUDE_CODE_ENTRYPOINT")):
        if text := variable(name):
            found[key] = text[:LONGEST]  # type: ignore[literal-required]  # the three keys above are of Where
    if attended := variable("CLAUDE_CODE_SESSION_ATTENDED"):
        found["attended"] = attended != "0"
    if inside := container(marks):
        found["container"] = inside[:100]
    handles = {name: variable(name)[:LONGEST] for name in HANDLES}
    found["handles"] = {name: text for name, text in handles.items() if text}
    return found


def _tty(pid: int) -> str:
    """Return the client's terminal from its stat: the hook has no terminal of its own."""
    try:
        stat = process_stat(pid)
    except OSError:
        return ""
    return terminal(int(stat[4]) if len(stat) > 4 else 0)


def terminal(device: int) -> str:
    """Return the path of a terminal by its device number, as Linux numbers devices; SSH_TTY for other terminals."""
    major, minor = device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00
    if 136 <= major <= 143:
        return f"/dev/pts/{minor + (major - 136) * 256}"
    if major == 4 and minor < 64:
        return f"/dev/tty{minor}"
    return variable("SSH_TTY") if major else ""


def container(marks: "tuple[tuple[str, str], ...]") -> str:
    """Return the name or kind of the container that the client runs in; "" if there is no sign of one."""
    if name := variable("container") or (variable("DISTROBOX_ENTER_PATH") and variable("CONTAINER_ID")):
        return name
    for path, kind in marks:
        try:
            system.stat(path)
        except OSError:
            continue
        return kind
    return "codespace" if variable("CODESPACES") else ""
