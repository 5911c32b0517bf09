"""Drive the real Claude Code as a person does: an account with a private home, and the sessions opened in it.

`Claude` is the account (home, settings, projects, a terminal); `Tui` is one client in one pane. The client talks to the
scripted API on loopback and to nothing else.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import psutil

from tests.client import fetch
from tests.client.terminal import Pane, Terminal
from tests.waiting import wait

KEY = "dummy-key-for-loopback"
BRIEF = {"BUN_JSC_useDFGJIT": "0", "BUN_JSC_numberOfGCMarkers": "1"}
"""A client of a test lives for seconds. That its engine optimizes nothing and collects garbage with one thread saves a
third of its processor time, and it draws and says the same."""
OFFLINE = {"CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1"}
"""Without it, a client fetches a list of plugins from the internet at its first start."""
DEAF = 1.0
"""Seconds in which a new dialog may ignore keys: a third of a second, and the time to draw it."""

# Every event that this version knows, except WorktreeCreate (its hook replaces what git does) and MessageDisplay (it
# starts a process for every few lines).
# fmt: off
EVENTS = (
    "SessionStart", "SessionEnd", "Setup", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse",
    "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification",
    "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "PreModelSwitch",
    "PostModelSwitch", "Elicitation", "ElicitationResult", "ConfigChange", "CwdChanged", "DirectoryAdded",
    "FileChanged", "InstructionsLoaded", "TaskCreated", "TaskCompleted", "TeammateIdle", "WorktreeRemove",
)
# fmt: on

ELICITATION = json.dumps(
    {"mcpServers": {"elic": {"command": sys.executable, "args": [str(Path(__file__).with_name("elicit_server.py"))]}}}
)


def hooks(command: str) -> dict[str, Any]:
    """Return a `hooks` value for settings.json that gives every event to one shell command, in the background."""
    handler = {"type": "command", "command": command, "async": True, "timeout": 30}
    return {event: [{"hooks": [handler]}] for event in EVENTS}


@dataclass
class Claude:
    binary: Path
    api: str
    home: Path
    """A short path: it holds the socket of the terminal, whose path may have 107 characters."""
    extra: Mapping[str, str] = field(default_factory=dict)
    """More variables for the clients, such as DESKBELL_HOME."""
    moved: bool = False
    """Whether CLAUDE_CONFIG_DIR names the folder of Claude Code, in place of ~/.claude."""
    standing: dict[str, Any] = field(default_factory=dict)
    """What every settings.json of this account holds besides its permissions."""

    def __post_init__(self) -> None:
        self.programs: list[subprocess.Popen[bytes]] = []
        self.config = self.home / ("elsewhere" if self.moved else ".claude")
        self.config.mkdir(parents=True, exist_ok=True)
        (self.home / "tmp").mkdir(exist_ok=True)
        (self.home / "projects").mkdir(exist_ok=True)
        self._without_search_for_packages()
        self.terminal = Terminal(self.home / "tmux", self.environment)
        self.set_settings()
        self._accept_everything_asked_at_first_start()

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": f"{self.home / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "HOME": str(self.home),
            "TMPDIR": str(self.home / "tmp"),
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            "ANTHROPIC_BASE_URL": self.api,
            "ANTHROPIC_API_KEY": KEY,
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "1",
            "CLAUDE_CODE_ENABLE_TODO_TOOLS": "1",
            **OFFLINE,
            **BRIEF,
            **({"CLAUDE_CONFIG_DIR": str(self.config)} if self.moved else {}),
            **self.extra,
        }

    @property
    def settings(self) -> Path:
        return self.config / "settings.json"

    def set_settings(self, **more: Any) -> None:
        """Replace the settings: the mode that asks, with python3 and the form allowed, and MORE."""
        permissions = {"defaultMode": "default", "allow": ["Bash(python3:*)", "mcp__elic"]}
        beside = self.settings.with_suffix(".new")
        beside.write_text(
            json.dumps({"permissions": permissions, **self.standing, **more}, indent=2) + "\n",
            encoding="utf-8",
        )
        beside.replace(self.settings)

    def project(self, name: str = "proj") -> Path:
        folder = self.home / "projects" / name
        folder.mkdir(exist_ok=True)
        return folder

    def start(
        self,
        *arguments: str,
        project: str = "proj",
        settled: bool = True,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> "Tui":
        """Start a client in a new pane. If SETTLED, wait until its prompt is ready."""
        pane = self.terminal.open(["env", str(self.binary), *arguments], self.project(project), environment)
        return self._settled(pane) if settled else Tui(self, pane)

    def start_in_shell(self, project: str = "proj") -> "Tui":
        """Start a client from a shell in a new pane, as a person does: Ctrl+Z leads back to the shell.

        tmux continues a program that it has started itself as soon as that stops.
        """
        shell = self.terminal.open(["env", "bash", "--norc", "--noprofile", "-i"], self.project(project), {})
        shell.type(str(self.binary))
        shell.keys("Enter")
        (client,) = wait(psutil.Process(shell.pid).children, "the client", seen=shell.screen)
        return self._settled(replace(shell, pid=client.pid))

    def _settled(self, pane: Pane) -> "Tui":
        tui = Tui(self, pane)
        tui.wait_status("idle")
        pane.wait_for("❯")
        return tui

    def print(self, prompt: str, *arguments: str, project: str = "proj") -> subprocess.CompletedProcess[str]:
        """Run `claude -p` to its end."""
        return subprocess.run(
            [str(self.binary), "-p", prompt, *arguments],
            cwd=self.project(project),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def background(self, prompt: str) -> "Tui":
        """Run `claude --bg`. No pane shows the session: its screen is empty and takes no keys."""
        before = set(self.config.glob("sessions/*.json"))
        command = [str(self.binary), "--bg", prompt]
        folder, environment = self.project("background"), self.environment
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=60, check=True)
        started = wait(lambda: set(self.config.glob("sessions/*.json")) - before, "a session in the background")
        return Tui(self, Pane(self.terminal, "", int(started.pop().stem)))

    def embedded(self, prompt: str, entrypoint: str, *arguments: str, project: str = "proj") -> "Tui":
        """Run a client as the SDK does: under ENTRYPOINT, with JSON on a pipe. No pane shows the session."""
        command = [str(self.binary), "--verbose", "--input-format", "stream-json", "--output-format", "stream-json"]
        program = subprocess.Popen(
            [*command, *arguments],
            cwd=self.project(project),
            env={**self.environment, "CLAUDE_CODE_ENTRYPOINT": entrypoint},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.programs.append(program)
        assert program.stdin
        message = {"type": "user", "message": {"role": "user", "content": prompt}}
        program.stdin.write(json.dumps(message).encode() + b"\n")
        program.stdin.flush()
        return Tui(self, Pane(self.terminal, "", program.pid))

    def start_apart(self, project: str = "proj") -> "Tui":
        """Start a client in a pid namespace of its own, in which it is process 1."""
        command = ["unshare", "--pid", "--fork", "--mount-proc", str(self.binary)]
        return self._settled(replace(self.terminal.open(command, self.project(project), {}), pid=1))

    def registry(self, pid: int) -> dict[str, Any] | None:
        """Return the client's own `sessions/<pid>.json`, or None if there is no such file."""
        try:
            content: dict[str, Any] = json.loads((self.config / "sessions" / f"{pid}.json").read_bytes())
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        return content

    def log_in(self) -> None:
        """Have the clients believe in a subscription to claude.ai, whose limits they keep. Start them without a key."""
        token = {
            "accessToken": "sk-ant-oat01-dummy",
            "refreshToken": "sk-ant-ort01-dummy",
            "scopes": ["user:inference"],
        }
        until = {"expiresAt": (int(time.time()) + 86_400) * 1000, "subscriptionType": "max"}
        (self.config / ".credentials.json").write_text(json.dumps({"claudeAiOauth": {**token, **until}}))
        path = self.home / ".claude.json"
        known = json.loads(path.read_bytes())
        ids = {
            "accountUuid": f"{1:08}-0000-4000-8000-000000000000",
            "organizationUuid": f"{2:08}-0000-4000-8000-000000000000",
        }
        who = {"emailAddress": "person@example.org", "organizationType": "claude_max"}
        path.write_text(json.dumps({**known, "oauthAccount": {**ids, **who}}), encoding="utf-8")

    def end(self) -> None:
        """End every process that this account started. Its HOME identifies it."""
        self.terminal.kill()
        for program in self.programs:
            program.kill()
            program.communicate()
        left = [p for p in psutil.process_iter() if _home_of(p) == str(self.home)]
        sockets = {found[0] for process in left if (found := _daemon_folder(process))}
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=10)
        for folder in sockets:
            shutil.rmtree(folder, ignore_errors=True)

    def _without_search_for_packages(self) -> None:
        """Keep each client from asking dpkg for the package that it belongs to: that takes a tenth of its start."""
        (self.home / "bin").mkdir(exist_ok=True)
        (self.home / "bin" / "dpkg").symlink_to(shutil.which("false") or "/bin/false")

    def _accept_everything_asked_at_first_start(self) -> None:
        known = {
            "hasCompletedOnboarding": True,
            "lastOnboardingVersion": fetch.version(),
            "theme": "dark",
            "hasSeenAutoDefaultNudge": True,
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {str(self.home / "projects"): {"hasTrustDialogAccepted": True}},
        }
        path = self.config / ".claude.json" if self.moved else self.home / ".claude.json"
        path.write_text(json.dumps(known), encoding="utf-8")


@contextlib.contextmanager
def account(binary: Path, api: str, **more: Any) -> Iterator[Claude]:
    """Yield an account. End its processes and delete its home afterwards."""
    claude = Claude(binary, api, Path(tempfile.mkdtemp(prefix="deskbell-")), **more)
    try:
        yield claude
    finally:
        claude.end()
        shutil.rmtree(claude.home, ignore_errors=True)


@dataclass(frozen=True)
class Tui:
    claude: Claude
    pane: Pane

    @property
    def pid(self) -> int:
        return self.pane.pid

    @property
    def registry(self) -> dict[str, Any] | None:
        return self.claude.registry(self.pid)

    @property
    def status(self) -> str | None:
        """The status in the client's own words: busy, idle, waiting or shell; None if it says nothing."""
        return (self.registry or {}).get("status")

    @property
    def changed(self) -> int | None:
        """When the status last changed, in milliseconds since the epoch."""
        return (self.registry or {}).get("statusUpdatedAt")

    @property
    def session_id(self) -> str:
        return str(wait(lambda: (self.registry or {}).get("sessionId"), "a session id"))

    @property
    def alive(self) -> bool:
        return psutil.pid_exists(self.pid) and psutil.Process(self.pid).status() != psutil.STATUS_ZOMBIE

    def wait_status(self, *statuses: str) -> str:
        return wait(
            lambda: self.status if self.status in statuses else None,
            f"status {' or '.join(statuses)}",
            seen=lambda: f"{self.registry}\n{self.pane.screen()}",
        )

    def prompt(self, text: str) -> None:
        """Type TEXT, wait until the screen shows it (a leading ! becomes the mark of a mode), and send it."""
        self.pane.type(text)
        self.pane.wait_for(text.lstrip("! ")[-60:])
        self.pane.keys("Enter")

    def scenario(self, name: str, number: int | None = None) -> None:
        self.prompt(f"SCENARIO:{name}" + (f"={number}" if number is not None else "") + " go")

    def answer(self, key: str) -> None:
        """Press a key in the open dialog and wait for its reaction."""
        opened = self.changed
        self.choose(key)
        wait(lambda: self.changed != opened, f"a reaction to {key}", seen=self.pane.screen)

    def choose(self, *keys: str) -> None:
        """Press keys in the open dialog once it listens."""
        opened = self.changed
        wait(lambda: time.time() > (opened or 0) / 1000 + DEAF, "the dialog to listen")
        self.pane.keys(*keys)

    def wait_gone(self) -> None:
        wait(lambda: not self.alive, f"the end of client {self.pid}", seen=self.pane.screen)

    def kill(self, number: int = signal.SIGKILL) -> None:
        os.kill(self.pid, number)


def _daemon_folder(process: psutil.Process) -> re.Match[str] | None:
    """Return the folder in which the daemon behind `claude --bg` keeps its sockets, outside of every home."""
    with contextlib.suppress(psutil.Error):
        return re.search(r"/tmp/cc-daemon-\d+/[0-9a-f]{8}\b", " ".join(process.cmdline()))
    return None


def _home_of(process: psutil.Process) -> str | None:
    try:
        return process.environ().get("HOME")
    except psutil.Error:
        return None
