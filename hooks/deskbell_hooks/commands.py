"""Find the secrets that a program takes from its command line: flags, arguments, and what is piped into it.

Pure. Only `redact` calls this. The tables say which flag or argument of which program is a secret.
"""

from deskbell_hooks.named import NEAR, is_placeholder, is_secret_name
from deskbell_hooks.spoken import SIGNS, is_password, is_shaped, word_stop
from deskbell_hooks.tokens import QUOTES, STOP, Span, find_all, is_mixed, is_word, looks_random, skip, value, value_end

_LDAP = ("ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami", "ldappasswd")
_MONGO = ("mongosh", "mongo ", "mongodump", "mongorestore", "cqlsh", "gsutil config", "elasticsearch-users")
_REGISTRY = ("docker login", "podman login", "registry login", "buildah login", "skopeo login", "auth login")
_REMOTE = ("rdesktop", "evil-winrm", "crackmapexec", "hydra", "psexec", "ncftpput", "ncftpget", "rabbitmqadmin")
FLAGS: dict[str, tuple[str, ...]] = {
    "p": (
        *("sshpass", "twine", "az login", "oras login", "nerdctl login", "oc login", "useradd", "usermod"),
        *("unlock-keychain", " login", *_REGISTRY, *_MONGO, *_REMOTE),
    ),
    "a": ("redis-cli",),
    "w": (*_LDAP, "add-generic-password", "add-internet-password"),
    "s": ("ldappasswd",),
    "t": ("doctl auth",),
    "b": ("gh secret set",),
    "body": ("gh secret set",),
    "k": ("openssl enc", "nuget push"),
    "N": ("ssh-keygen",),
    "P": ("sqlcmd", "bcp ", "osql", "zip", "ipmitool", "mosquitto_", "ssh-keygen"),
    "A": ("snmp",),
    "X": ("snmp",),
    "c": ("snmp",),
    "upw": ("pdf",),
    "opw": ("pdf",),
    "xp": ("sendemail",),
    "value": ("keyvault secret", "put-parameter"),
    "key": ("gem push",),
}
"""Flags before a password, and the programs that mean a password by them."""
PASSWORD_FLAGS = ("p", "P", "w", "pw", "a")
"""Flags that are so often before a password that one hides what has the shape of it, whatever the program."""
WINDOWS_FLAGS = {"p": ("signtool", "freerdp"), "rp": ("schtasks",)}
"""The same for flags that begin with a slash."""
ATTACHED = (
    (" -p", ("mysql", "mariadb", "sshpass", "7z", "unrar", "rar ")),
    (" -hp", ("rar ",)),
    (" -P", ("sqlcmd", "bcp ", "osql", "zip")),
    (" /p:", ("freerdp",)),
)
"""Flags to which a password is attached without a space."""
USER_FLAGS = ("u", "user", "proxy-user", "U", "creds", "src-creds", "dest-creds")
PAIR_FLAGS = {"a": ("http", "xh "), "E": ("curl",), "cert": ("curl",)}
"""Flags before user:password: those of any program, and those of some."""
ARGUMENTS = {
    **dict.fromkeys(("vault login", "operator unseal", "cargo login", "ngrok authtoken", "add-authtoken"), 0),
    **dict.fromkeys(("snyk auth", "bw unlock", "expressvpn activate", "terraform login", "service install"), 0),
    **dict.fromkeys(("redis-cli AUTH", "encrypt_string"), 0),
    **dict.fromkeys(
        (
            "add_user",
            "change_password",
            "net user",
            "wpa_passphrase",
            "activate-refresh-token",
            "bw login",
            "smbclient",
        ),
        1,
    ),
    "net use": 2,
    **dict.fromkeys(("openssl passwd", "htpasswd -b", "htpasswd -nb", "runas", "mc alias set", "user-secrets set"), -1),
    **dict.fromkeys(("poetry config http-basic", "poetry config pypi-token", "htpasswd -cb"), -1),
}
"""What stands before a secret, and which of the words after it is the secret: 0 is the first. Flags do not count."""
PAIRS = ("vault kv put", "secrets set", "config:set", "--from-literal", "env:set", "variables set", "--set-string")
"""Commands and flags before name=secret."""
LOGINS = {"sqlplus ": "/", "impdp ": "/", "expdp ": "/", "lftp ": ",", "smbclient ": "%", "rpcclient ": "%"}
"""Programs that take user and password in one word, and what stands between the two."""
MOST_WORDS = 16
"""The most words of a command that are read."""
READERS = (
    *("--password-stdin", "sudo -S", "chpasswd", "passwd", "--with-token", "--passphrase-fd", "kinit", "cryptsetup"),
    *("secret put", "secret create", "secret-tool store", "pass insert", "--passwd-on-stdin", "su ", "sudo chpasswd"),
)
"""Commands and flags that read a password from a pipe."""


def command_values(text: str) -> list[Span]:
    """Return where the secrets of command lines are in TEXT."""
    found = [*_flag_values(text), *_attached_values(text), *_arguments(text), *_pairs(text), *_logins(text)]
    return [*found, *_piped(text), *_here_strings(text)]


def _command(text: str, at: int) -> str:
    """Return what stands before this place in the same command."""
    before = text[max(0, at - NEAR) : at].replace("\\\n", "  ")
    return before[max(before.rfind(sign) for sign in ("\n", ";", "&&", "|")) + 1 :]


def _flag_values(text: str) -> list[Span]:
    """Find --password value, curl -u user:password, curl -b name=value, sshpass -p password."""
    spans: list[Span] = []
    for sign in ("-", "/"):
        for at in find_all(text, sign):
            if at and text[at - 1] not in " \t\n([" + QUOTES:
                continue
            end = at + 1
            while end < len(text) and is_word(text[end]):
                end += 1
            start = skip(text, end, (" \t=:" if sign == "-" else " \t=") + QUOTES)
            if start > end:
                spans.extend(_flag_value(text, at, end, start) if sign == "-" else _windows_value(text, at, end))
    return spans


def _flag_value(text: str, at: int, end: int, start: int) -> list[Span]:
    flag = text[at:end].lstrip("-")
    known = flag in FLAGS or flag in PAIR_FLAGS or flag[-1:] in ("u", "b", "U")
    command = _command(text, at) if known else ""
    if flag in PASSWORD_FLAGS and _is_password(text[start : (stop := word_stop(text, start))]):
        return [(start, stop)]
    if is_secret_name(flag) or any(program in command for program in FLAGS.get(flag, ())):
        return _sure(text, skip(text, end, " \t="))
    if flag in USER_FLAGS or (flag[-1:] == "u" and "curl" in command):
        return _after(":", text, start) or (_after("%", text, start) if "smbclient" in command else [])
    if any(program in command for program in PAIR_FLAGS.get(flag, ())):
        return _after(":", text, start)
    is_cookie = flag in ("b", "cookie") and "curl" in (command or _command(text, at))
    if is_cookie or flag == "from-literal":
        return _after("=", text, start)
    if flag == "b" and "htpasswd" in command:
        return _chosen(text, _words(text, end)[0], -1)
    return []


def _is_password(word: str) -> bool:
    """Return whether WORD is a password rather than a port, a path or a name."""
    has_sign = "@" not in word and not SIGNS.isdisjoint(word)
    return is_shaped(word) or (has_sign and is_mixed(word) and is_password(word, is_sure=True))


def _windows_value(text: str, at: int, end: int) -> list[Span]:
    programs = WINDOWS_FLAGS.get(text[at + 1 : end], ())
    command = _command(text, at) if programs else ""
    return _sure(text, skip(text, end, " ")) if any(program in command for program in programs) else []


def _sure(text: str, start: int) -> list[Span]:
    """Return the value that starts here unless it is a flag, a variable or a placeholder."""
    begin, stop = value(text, start)
    word = text[begin:stop]
    return [(begin, stop)] if word and word[0] != "-" and not is_placeholder(word) else []


def _attached_values(text: str) -> list[Span]:
    """Find mysql -ppassword, curl -uuser:password."""
    spans: list[Span] = []
    for flag, programs in (*ATTACHED, (" -u", ("curl",))):
        for at in find_all(text, flag):
            start = at + len(flag)
            if start >= len(text) or text[start].isspace():
                continue
            if any(program in _command(text, at) for program in programs):
                spans.extend(_after(":", text, start) if flag == " -u" else _sure(text, start))
    return spans


def _after(sign: str, text: str, start: int) -> list[Span]:
    """Find the second half of a pair such as user:password."""
    end = start
    while end < len(text) and text[end] not in STOP:
        end += 1
    at = text.find(sign, start, end)
    if 0 < at == end - 1 and text[end : end + 1] in ("'", '"'):  # name='value'
        return _sure(text, end)
    is_pair = 0 < at < end - 1 and not text.startswith(("//", "$"), at + 1)
    return [(at + 1, end)] if is_pair and not text[start:end].replace(":", "").isdigit() else []


def _words(text: str, start: int) -> tuple[list[Span], int]:
    """Return the next words of the command, without its flags, and how far the text was read."""
    spans: list[Span] = []
    for _ in range(MOST_WORDS):
        start = skip(text, start, " \t")
        if start >= len(text) or text[start] in "|;&\n\r)<>":
            break
        begin, end = value(text, start)
        if end <= start:
            break
        if text[start] not in "-/" or text.startswith("//", start):
            spans.append((begin, end))
        start = end + 1 if begin > start else end
    return spans, start


def _chosen(text: str, words: list[Span], place: int) -> list[Span]:
    """Return the word at PLACE if it looks like a secret."""
    if not -len(words) <= place < len(words):
        return []
    begin, end = words[place]
    word = text[begin:end]
    return [(begin, end)] if looks_random(word) and word[0] not in "-./~" and not is_placeholder(word) else []


def _arguments(text: str) -> list[Span]:
    """Find vault login secret, rabbitmqctl add_user name secret."""
    spans = []
    for command, place in ARGUMENTS.items():
        end = 0
        for at in find_all(text, command):
            if at < end:
                continue
            end = at + len(command)
            while place == -1 and end < len(text) and (is_word(text[end]) or text[end] == "."):
                end += 1  # the rest of a name, such as that of a repository
            if text[end : end + 1] == " ":
                words, end = _words(text, end)
                spans.extend(_chosen(text, words, place))
    return spans


def _pairs(text: str) -> list[Span]:
    """Find vault kv put path name=secret."""
    spans: list[Span] = []
    for command in PAIRS:
        end = 0
        for at in find_all(text, command):
            if at < end:
                continue
            words, end = _words(text, at + len(command))
            found = [span for start, _ in words for span in _after("=", text, start)]
            spans.extend(span for span in found if looks_random(text[span[0] : span[1]]))
    return spans


def _logins(text: str) -> list[Span]:
    """Find sqlplus user/secret@database, lftp -u user,secret."""
    spans: list[Span] = []
    for program, sign in LOGINS.items():
        for at in find_all(text, program):
            for start, end in _words(text, at + len(program))[0][:2]:
                stop = text.find("@", start, end)
                cut = text.find(sign, start, end)
                if sign == ",":
                    cut, stop = end, value_end(text, end + 1)
                elif start < cut and not text.startswith("//", start):
                    stop = stop if stop > cut else end
                if start < cut < stop - 1 and text[cut : cut + 1] == sign and looks_random(text[cut + 1 : stop]):
                    spans.append((cut + 1, stop))
    return spans


def _piped(text: str) -> list[Span]:
    """Find echo password | docker login --password-stdin."""
    spans = []
    for reader in READERS:
        for at in find_all(text, reader):
            pipe = text.rfind("|", max(0, at - NEAR), at)
            for printer in ("echo ", "printf "):
                found = text.rfind(printer, max(0, pipe - NEAR), max(0, pipe))
                start = skip(text, found + len(printer), " " + QUOTES)
                end = start + len(text[start:pipe].rstrip(" " + QUOTES))
                if found >= 0 and start < end and text[start] != "$":
                    spans.append((start, end))
    return spans


def _here_strings(text: str) -> list[Span]:
    """Find gh auth login --with-token <<< password."""
    spans = []
    for at in find_all(text, "<<< "):
        command = _command(text, at)
        if any(reader in command for reader in READERS):
            spans.extend(_sure(text, skip(text, at + 4, " ")))
    return spans
