"""Make a journal line of an event: the tool, its subject, sizes, durations and texts. Pure.

Tool output, file contents and secrets never go into a line.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from deskbell_hooks.schema import Event, Line

VERSION = 1
"""The version of journal lines and records. Readers accept older and newer ones."""
SHORT = 300
"""Characters of a text without a limit of its own."""
REACH = 800
"""Characters to read beyond a limit. In a command, a secret and what gives it away are at most two NEAR of `named`
apart."""
ROOM = 4_000
"""Characters to read again beyond a limit if secrets took up the room: a long one, or several."""
TYPED = ("prompt", "command_args", "session_title")
"""The fields of an event into which a person may paste a text."""
TAG = 'pasted_content id="'
"""A part of each tag that Claude Code puts around a long paste."""
PROMPT_ID = 8
"""Characters kept of the id of a prompt: enough to tell the prompts of one session apart."""
LIMITS = {"prompt": 10_000, "error": 2_000, "error_details": 2_000, "message": 2_000, "last_assistant_message": 500}

FACTS = {
    "SessionStart": ("source", "model", "session_title", "seconds_since_last_response", "context_tokens"),
    "SessionEnd": ("reason",),
    "Setup": ("trigger",),
    "UserPromptSubmit": ("prompt", "session_title", "source"),
    "UserPromptExpansion": ("expansion_type", "command_name", "command_args", "command_source"),
    "PreToolUse": (),
    "PermissionRequest": (),
    "PermissionDenied": ("reason",),
    "PostToolUse": (),
    "PostToolUseFailure": (),
    "PostToolBatch": (),
    "Notification": ("message", "title", "notification_type"),
    "Stop": ("stop_hook_active", "last_assistant_message"),
    "StopFailure": ("error", "error_details", "last_assistant_message"),
    "SubagentStart": (),
    "SubagentStop": ("stop_hook_active", "last_assistant_message"),
    "PreCompact": ("trigger",),
    "PostCompact": ("trigger",),
    "PreModelSwitch": ("from_model", "to_model", "source", "context_tokens"),
    "PostModelSwitch": ("from_model", "to_model", "source", "context_tokens"),
    "Elicitation": ("mcp_server_name", "mode", "message", "url", "elicitation_id"),
    "ElicitationResult": ("mcp_server_name", "mode", "action", "elicitation_id"),
    "ConfigChange": ("source", "file_path"),
    "CwdChanged": ("old_cwd", "new_cwd"),
    "DirectoryAdded": ("directory", "source"),
    "FileChanged": ("file_path", "event"),
    "InstructionsLoaded": ("file_path", "memory_type", "load_reason"),
    "TaskCreated": ("task_id", "task_subject", "teammate_name"),
    "TaskCompleted": ("task_id", "task_subject", "teammate_name"),
    "TeammateIdle": ("teammate_name",),
    "WorktreeCreate": ("name",),
    "WorktreeRemove": ("worktree_path",),
    "MessageDisplay": ("turn_id", "index", "final"),
}
"""The fields kept of each event. Of an event that is not in this table, the first few values are kept."""

SUBJECTS = ("file_path", "notebook_path", "path", "pattern", "url", "query", "description", "skill", "prompt", "title")
SUBJECT_OF = {
    "Bash": ("command",),
    "PowerShell": ("command",),
    "Grep": ("pattern",),
    "Glob": ("pattern",),
    "Agent": ("description", "subagent_type"),
    "Task": ("description", "subagent_type"),
    "WebSearch": ("query",),
    "SlashCommand": ("command",),
}
FILE_KINDS = {"Write": "new", "Edit": "edited", "MultiEdit": "edited", "NotebookEdit": "edited", "Read": "read"}

HINTS = (
    *(
        "-lines: -u /bot 1000. 7z :// <<< access add_user appid auth bearer bindpw chiave clave code= config:set"
        " contrasena cookie cqlsh crackmapexec credencia credential cryptsetup curl docker encrypt_string env:set"
        " expdp expressvpn fc- freerdp from-literal gdata: geheim gsutil hmac hooks hydra identifiant identified"
        " impdp ipmitool jeton jwt kennwort key kinit ldap lftp licen login losungswort mariadb mdp minisign mnemonic"
        " mongo mosquitto mqtt mysql ncftp ndata: nerdctl ngrok nuget openssl opw osql otp: otp= palavra parola pass"
        " pat: pat= pat` phrase pin: plink podman poetry pragma pscp psexec psftp psk put-parameter pw: pw= pwd"
        " rabbitmq rdesktop registry rootpw rpcclient runas schtasks secret securestring sendemail senha sessid"
        " sessionid sig= signature signtool smbclient snmp sqlcmd sqlplus sudo tailscale terraform token twine unseal"
        " upw useradd usermod v1.0- wachtwoord winrm wpa_ xox zugangsdaten"
    ).split(),
    *(
        '-a |bw |pw |pw"|su |xh |bcp |otp |pat\t|pat |pat"|pat\'|pat\\|rar |http |log in|pin is|pin es'
        "|zip -p|net use|gem push|sign in|mc alias|variables set|service install"
    ).split("|"),
)
"""A text holds a secret that `redact` finds only if it holds one of these in lower case, or a word that may be a token.
Only such a text makes the hook import `redact`."""
SHORTEST, MIXED, SPELLED, HASH, UUID = 13, 16, 20, 32, 36
"""The fewest characters of a token, of one with letters of both cases, of one with letters alone, and of one with
hexadecimal digits; and the characters of an id."""
APART = {ord(sign): " " for sign in "/\"'`=:,;()[]{}<>|&@?%.$#!*\\^"}
"""The signs between tokens."""
FOREIGN = (
    "clé contraseña hasło lösenord pin码 pinは schlüssel secrète şifre код логин ключ парол пин слово токен"
    " учётны учетны पासवर्ड पासकोड कूटशब्द कुंजी टोकन क्रेडेंशियल लॉगिन كلمة الرقم رمز مفتاح بيانات 密码 密碼 口令"
    " 暗号 密钥 密鑰 私钥 令牌 凭证 凭据 验证码 パスワード パスコード パスフレーズ 暗証番号 合言葉 鍵 キー"
    " トークン 認証情報 ログイン 비밀번호 암호"
).split()
"""The hints in other letters, for a text that has such letters."""
LEAST, SIGNS = 5, frozenset("!#$%&?")
"""The fewest characters of a password with a sign in it, and those signs."""
HEXADECIMAL = frozenset("0123456789abcdef")
"""The characters of hashes. A text without any other hint holds no secret of these."""


PLAIN = (
    *(("cwd", "cwd", 1024), ("mode", "permission_mode", 1024), ("agent", "agent_id", 1024)),
    *(("agent_type", "agent_type", 1024), ("prompt", "prompt_id", PROMPT_ID)),
    *(("tool", "tool_name", 200), ("use", "tool_use_id", 100)),
)
"""Texts without secrets: the name in the line, the name in the event, and the limit."""


def plain(name: str, event: "Event") -> "Line":
    """Return the part of the line that can be made without any other module."""
    line: Line = {"v": VERSION, "event": name}
    for key, source, limit in PLAIN:
        if isinstance(value := event.get(source), str) and value:
            line[key] = value[:limit]  # type: ignore[literal-required]  # the keys in PLAIN are of Line
    return line


def trim(name: str, event: "Event") -> "Line":
    """Return the line for EVENT, whose name is NAME. The caller adds `order`, `at` and the client."""
    line = plain(name, event)
    facts = _known_facts(event, FACTS[name]) if name in FACTS else _some_facts(event)
    if facts:
        line["facts"] = facts
    if isinstance(event.get("tool_name"), str):
        _add_tool(line, event)
    if isinstance(event.get("background_tasks"), list):
        line["tasks"] = [_task(task) for task in event["background_tasks"][:32] if isinstance(task, dict)]
    return line


def clean(text: str, limit: int = SHORT) -> str:
    """Return the text without secrets, cut to a limit.

    The text is redacted first, so that no half of a secret is left. What gives a secret away may come after it, so
    REACH characters beyond what is kept are read. Secrets that are longer than HIDDEN leave room: then more is read.
    """
    if _is_hinted(text[: limit + REACH]):
        end, hidden = limit, _redacted_start(text, limit)
        if len(hidden) < limit < len(text):
            end = limit + ROOM
            hidden = _redacted_start(text, end)
        text = hidden if end >= len(text) else hidden + "…"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _redacted_start(text: str, end: int) -> str:
    from deskbell_hooks.redact import redacted_start

    return redacted_start(text[: end + REACH], end)


def without_secrets(text: str) -> str:
    """Return the whole text without secrets. The rules are imported only for a text that may hold one."""
    if not _is_hinted(text):
        return text
    from deskbell_hooks.redact import redact

    return redact(text)


def _is_hinted(text: str) -> bool:
    lower = text.lower()
    for hint in HINTS:  # a generator in any() would take twice as long
        if hint in lower:
            return True
    if not text.isascii() and any(hint in lower for hint in FOREIGN):
        return True
    words = {word for word in text.split() if len(word) >= LEAST and not word.isalpha()}
    return any(map(_may_be_password, words)) or any(map(_may_be_token, " ".join(words).translate(APART).split()))


def _may_be_token(word: str) -> bool:
    """Return whether WORD has the classes of a token, or a part that is as long as one."""
    if len(word) < SHORTEST or word.isdigit():
        return False
    has_digit, has_cases = any(map(str.isdigit, word)), not word.islower() and not word.isupper()
    if has_cases and (len(word) >= MIXED if has_digit else len(word) >= SPELLED):
        return True
    parts = word.replace("_", "-").split("-") if has_digit else ()
    if len(parts) > 5 and len(word) >= HASH:  # an id with something before it, or groups of capitals
        return len(word) > UUID or word.isupper()
    return any(len(part) >= SHORTEST and _is_coded(part, len(parts) > 1) for part in parts)


def _is_coded(part: str, has_beginning: bool) -> bool:
    """Return whether PART has letters and digits, and is no hash unless something stands before it in the word."""
    if part.isalpha() or part.isdigit() or part.startswith("0x"):
        return False
    return (has_beginning and len(part) >= HASH) or not set(part) <= HEXADECIMAL


def _may_be_password(word: str) -> bool:
    """Return whether WORD has letters, digits and a sign between them, or is base64 with a stroke in it."""
    if word.isalnum() or "://" in word or not any(map(str.isdigit, word)):
        return False
    is_login = "@" in word and ":" in word.partition("@")[0]
    if SIGNS.isdisjoint(word) and not is_login:
        return "/" in word and "." not in word and len(word) >= MIXED and not word.islower()
    return any(map(str.isalpha, word))


def _is_secret(name: str) -> bool:
    if not _is_hinted(name):
        return False
    from deskbell_hooks.named import is_secret_name

    return is_secret_name(name)


def _known_facts(event: "Event", names: "tuple[str, ...]") -> "dict[str, Any]":
    facts: dict[str, Any] = {}
    for name in names:
        value = event.get(name)
        if isinstance(value, str):
            if name in TYPED and TAG in value:
                from deskbell_hooks.pasted import as_written

                value = as_written(value)
            facts[name] = clean(value, LIMITS.get(name, SHORT))
        elif isinstance(value, (int, float)):
            facts[name] = value
    return facts


def _some_facts(event: "Event") -> "dict[str, Any]":
    common = ("session_id", "transcript_path", "hook_event_name", "cwd", "permission_mode", "prompt_id", "agent_id")
    names = [name for name in event if name not in (*common, "agent_type", "tool_name") and not _is_secret(name)]
    return {
        name[:80]: value[:200] if isinstance(value, str) else value
        for name, value in _known_facts(event, tuple(names[:12])).items()
    }


def _add_tool(line: "Line", event: "Event") -> None:
    tool = event["tool_name"][:200]
    given = event["tool_input"] if isinstance(event.get("tool_input"), dict) else {}
    line["subject"] = subject(tool, given)
    if type(event.get("duration_ms")) is int:
        line["ms"] = event["duration_ms"]
    line["input_size"] = _size(given)
    if "tool_response" in event:
        line["output_size"] = _size(event["tool_response"])
    _add_file(line, tool, given, event.get("tool_response"))
    _add_error(line, event)


def subject(tool: str, given: "dict[str, Any]") -> str:
    """Return what the tool call is about: its command, file, URL, question or plan."""
    if tool == "AskUserQuestion":
        return clean(_first_question(given))
    if tool == "ExitPlanMode":
        return clean(_text(given.get("plan")).lstrip("# \n").partition("\n")[0])
    for name in (*SUBJECT_OF.get(tool, ()), *SUBJECTS):
        if text := _text(given.get(name)).strip():
            return clean(_without_contents(text) if name == "command" else text)
    others = (value for name, value in given.items() if isinstance(value, str) and not _is_secret(name))
    return clean(next(others, ""))


def _without_contents(command: str) -> str:
    """Return COMMAND without the lines that a here-document writes into a file."""
    if "<<" not in command:
        return command
    kept, end = [], ""
    for line in command.split("\n"):
        if end:
            end = "" if line.lstrip("\t") == end else end
            continue
        end = _end_of_contents(line)
        kept.append(f"{line} …" if end else line)
    return "\n".join(kept)


def _end_of_contents(line: str) -> str:
    """Return the line that ends what LINE writes into a file; empty if it writes nothing."""
    before, sign, behind = line.partition("<<")
    writes = before.split() + behind.split()
    if not sign or behind.startswith("<") or not ("tee" in writes or ("cat" in writes and ">" in before + behind)):
        return ""
    word = behind.lstrip("- ").split(maxsplit=1)
    return word[0].strip("'\"\\;)") if word else ""


def _first_question(given: "dict[str, Any]") -> str:
    questions = given.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else given
    return _text(first.get("question")) if isinstance(first, dict) else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _add_file(line: "Line", tool: str, given: "dict[str, Any]", response: object) -> None:
    kind = FILE_KINDS.get(tool)
    path = given.get("file_path") or given.get("notebook_path")
    if kind is None or not isinstance(path, str):
        return
    if kind == "new" and isinstance(response, dict) and response.get("type") == "update":
        kind = "edited"
    line["file"] = path[:1024]
    line["file_kind"] = kind  # type: ignore[typeddict-item]  # one of FILE_KINDS


def _add_error(line: "Line", event: "Event") -> None:
    if event.get("is_interrupt") is True:
        line["interrupt"] = True
    error = event.get("error")
    response = event.get("tool_response")
    if error is None and isinstance(response, dict):
        error = response.get("error") or ("failed" if response.get("is_error") is True else None)
    if isinstance(error, str) and error:
        line["error"] = clean(error, LIMITS["error"])


def _size(value: object) -> int:
    """Return the characters of text in a value: quick to count, and enough to distinguish small from huge."""
    size, parts = 0, [value]
    while parts:
        part = parts.pop()
        if isinstance(part, str):
            size += len(part)
        elif isinstance(part, dict):
            parts.extend(part.values())
        elif isinstance(part, list):
            parts.extend(part)
    return size


def _task(task: "dict[str, Any]") -> "dict[str, str]":
    limits = {"id": 100, "type": 40, "status": 40, "description": 120, "agent_type": 80}
    return {name: clean(task[name], limit) for name, limit in limits.items() if isinstance(task.get(name), str)}
