"""Test that secrets are hidden wherever they occur, and that what only looks like a secret is not changed."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.prefixes import INFIXES, PREFIXES
from deskbell_hooks.redact import HIDDEN, redact
from deskbell_hooks.trim import SHORT, clean

SECRET = "hunter2-Zq9"
TOKEN = "Ab3dEf6hIj9kLmN0pQrS"
HEX = "9b1c2d3e4f5061728394a5b6c7d8e9f0"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nhunter2-Zq9\n-----END RSA PRIVATE KEY-----"

HIDES: list[str] = [
    f"export PASSWORD={SECRET}",
    f"PGPASSWORD={SECRET} psql",
    f"MYSQL_PWD={SECRET} mysql",
    f"DB_PASS='{SECRET}' ./run",
    f'API_KEY="{SECRET}" make',
    f"OPENAI_API_KEY={SECRET}",
    f"AWS_SECRET_ACCESS_KEY={SECRET}",
    f"GITHUB_TOKEN={SECRET} gh pr list",
    f"GITHUB_PAT={SECRET}",
    f"githubPat: {SECRET}",
    f"clientSecret = {SECRET}",
    f"password: {SECRET}",
    f"password:{SECRET}",
    "passphrase:correcthorse",
    f"my password is {SECRET}",
    f"the token is {SECRET}, use it",
    f'{{"password": "{SECRET}", "user": "me"}}',
    f'{{"password":"{SECRET}"}}',
    f'{{\\"password\\": \\"{SECRET}\\"}}',
    f"{{'api_key': '{SECRET}'}}",
    f'{{"pat": "{SECRET}"}}',
    f"secret_key: '{SECRET} with spaces'",
    f"password='two words {SECRET}'",
    f"curl -u me:{SECRET} https://example.org",
    f"curl -ume:{SECRET} https://example.org",
    f"curl --user me:{SECRET} https://example.org",
    f"curl --user=me:{SECRET} https://example.org",
    f"curl -u 'me:{SECRET}' https://example.org",
    f"curl --proxy-user me:{SECRET} https://example.org",
    f"curl -U me:{SECRET} https://example.org",
    f"curl -H 'Authorization: Bearer {SECRET}'",
    f"curl -H 'Authorization: Basic {SECRET}'",
    f"curl -H 'authorization: token {SECRET}'",
    f"curl -H 'X-Api-Key: {SECRET}'",
    f"curl -H 'Authorization: SSWS {SECRET}'",
    f"curl -H 'Proxy-Authorization: EG1-MAC {SECRET}'",
    f"authorization authorization: Custom {SECRET}",
    f"mysqlsh root:{SECRET}@localhost",
    f"curl -H 'PRIVATE-TOKEN: {SECRET}'",
    f"curl -H 'Cookie: theme=dark; session={SECRET}'",
    f"Set-Cookie: session={SECRET}; Path=/",
    f"curl https://example.org?token={SECRET}",
    f"curl 'https://example.org?x=1&access_token={SECRET}&y=2'",
    f"git clone https://me:{SECRET}@example.org/repo.git",
    f"git clone https://x-access-token:{SECRET}@github.com/a/b",
    f"git clone https://{TOKEN}{SECRET}@github.com/a/b",
    f"psql postgres://app:{SECRET}@db:5432/app",
    f"redis://:{SECRET}@cache:6379/0",
    f"amqp://u:pa/{SECRET}@host/vhost",
    f"http://proxy/?next=https://u:{SECRET}@host/",
    f"login --password {SECRET}",
    f"login --password   {SECRET}",
    f"login --password={SECRET}",
    f"login --api-key {SECRET}",
    f"login --token '{SECRET}'",
    f"login --pat\t{SECRET}",
    f"mysql -u root -p{SECRET} app",
    f"mysqldump -p'{SECRET}' app",
    f"mariadb -p{SECRET} app",
    f"sshpass -p {SECRET} ssh host",
    f"sshpass -p '{SECRET}' ssh host",
    f"docker login -u me -p {SECRET} registry",
    f"redis-cli -a {SECRET} ping",
    f"openssl enc -passin pass:{SECRET}",
    f"wget --http-password={SECRET} https://example.org",
    f"İİİİİİ Authorization: Bearer {SECRET}",
    f"https://hooks.slack.com/services/T0000/B0000/{SECRET}",
    f"aws configure set aws_secret_access_key {SECRET}",
    f"aws configure set aws_session_token '{SECRET}' --profile x",
    f"rclone config create x s3 secret_access_key {SECRET}",
    f"curl https://api.telegram.org/bot123456789:{TOKEN}{SECRET}/sendMessage",
    f"curl http://localhost:8081/bot1:{SECRET}/getMe",
    f"https://x.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig={SECRET}%3D",
    f"https://x.blob.core.windows.net/c?sig={SECRET}&sv=1",
    f"https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature={SECRET}",
    f"https://storage.googleapis.com/b/o?X-Goog-Signature={SECRET}",
    f"machine example.org login me password {SECRET}",
    f"sshpass -p{SECRET} ssh host",
    f"curl -b 'sid={SECRET}' https://example.org",
    f"curl -b sid={SECRET} https://example.org",
    f"twine upload -u me -p {SECRET} dist/x",
    f"az login --service-principal -u me -p {SECRET}",
    f"echo {SECRET} | docker login -u me --password-stdin",
    f"echo '{SECRET}' | sudo -S make install",
    f"printf '%s' {SECRET} | docker login --password-stdin",
    f"echo me:{SECRET} | chpasswd",
    f"kubectl create secret generic db --from-literal=conn={SECRET}",
    f"smbclient -U bob%{SECRET} //host/share",
    f"ldapsearch -x -D cn=admin -w {SECRET} -b dc=x",
    f'ConvertTo-SecureString "{SECRET}" -AsPlainText -Force',
    f"the api key: {SECRET}",
    f"the secret key is {SECRET}",
    f"das Passwort lautet {SECRET}",
    f"Das Kennwort ist {SECRET}.",
    f"password = {SECRET}",
    f"x:password:{SECRET}",
    f"const password = '{SECRET}'",
    f"pass=7{SECRET}",
    PEM,
    PEM[:70] + SECRET,
    f"-----BEGIN OPENSSH PRIVATE KEY-----\n{SECRET}",
    *(f"use {prefix}{TOKEN}{SECRET} for it" for prefix in PREFIXES if "/" not in prefix),
    *(f'"{prefix}{TOKEN}{SECRET}"' for prefix in PREFIXES if "/" not in prefix),
]

HIDES_HEX: list[str] = [
    f"twilio SK{HEX}",
    f"AC{HEX}",
    f"https://x.azuredatabricks.net dapi{HEX}-2",
    f"mailchimp {HEX}-us12",
    f"key={HEX}-us6 make",
]
"""Secrets that are known by their 32 hexadecimal digits."""

INNOCENT: list[str] = [
    "token = getToken()",
    "token=get_token(user)",
    "const password = input.value",
    "let token = session.get.token",
    "password = self.password",
    "secret = os.environ['SECRET']",
    "pass=0;",
    "pass=12 fail=3",
    "token=None",
    "password=null",
    "secret = true",
    "npm run test:auth:unit",
    "test:auth:unit",
    "npm run auth:login",
    "the max_tokens 4096",
    "set the access_token field",
    "read secret_key from",
    "export_secret_key $KEY",
    "reset_password --force",
    "the password hunter",
    "kill -s sig=9",
    "sig=SIGTERM",
    "run?sig",
    "/bot/start",
    "/bot12/x",
    "/bots",
    "https://example.org/bot12:/x",
    "SK" + "x" * 32,
    "TASK9b1c2d3e4f5061728394a5b6c7d8e9f0",
    "SK9b1c2d3e4f5061728394a5b6c7d8e9f0aa",
    "SK9b1c",
    "dapi documentation",
    "9b1c2d3e-us12",
    "9b1c2d3e4f5061728394a5b6c7d8e9f0-usual",
    "echo $TOKEN | docker login --password-stdin",
    "docker login --password-stdin",
    "echo | sudo -S true",
    "cat file | sudo -S tee /etc/x",
    "tar -b 20",
    "grep -w word file",
    "kubectl create configmap x --from-literal=name",
    "ConvertTo-SecureString -String $secret",
    "what is the primary key: id",
    "das Passwort ist falsch",
    "docker run -U 20:20 x",
    "image:v1.2-rc1@sha256:9b1c2d3e4f5061728394a5b6c7d8e9f0",
    "git clone git@example.org:a/b",
    "install a:b@1.2.3",
    "Authorization: the flow, first",
    "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb",
    "git show 9b1c2d3e4f5061728394a5b6c7d8e9f001122334",
    "resume 0740d25a-79e5-47da-8355-1f3b5116f2ab",
    "cat /home/user/proj/src/tokenizer/passes/key.py",
    "C:\\Users\\me\\secrets\\key.txt",
    "max_tokens=5",
    "author=Ada",
    "authors: Ada, Bob",
    "press the key: enter",
    "the password is wrong",
    "why does the token expire?",
    "primary_key=id",
    "keys: a, b",
    "secretary: Bob",
    "compass=north",
    "bypass=1",
    "monkey: banana",
    "tokenizer=bpe",
    "password=$PASSWORD",
    "PASSWORD=$(pass show db)",
    "curl -u $USER:$PASSWORD https://example.org",
    "curl https://example.org:8080/@scope/package",
    "npm install @scope/package",
    "see https://example.org/a:b@c",
    "mail me@example.org: hello",
    "git push -u origin main",
    "docker run -u 1000:1000 image",
    "ls -a /tmp",
    "mkdir -p a/b",
    "tar -p x",
    "ssh -p 2222 host",
    "basic things first",
    "a bearer of good news",
    "the auth flow: first the browser",
    "sk-learn is a library",
    "import hf_hub",
    "risk-averse-strategy-for-tests",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "----------------------------------------",
    "make test && echo done",
    "sha256:9b1c2d3e4f5061728394a5b6c7d8e9f0",
    "2026-11-18T10:16:56Z",
    "token",
    "password:",
    "= : is =",
    "",
]


def test_a_secret_is_hidden() -> None:
    assert [text for text in HIDES if HIDDEN not in redact(text)] == []
    assert [text for text in HIDES if SECRET in redact(text) or "hunter2" in redact(text)] == []


def test_a_key_of_hexadecimal_digits_is_hidden() -> None:
    assert [text for text in HIDES_HEX if HEX[4:] in redact(text) or HEX[4:] in clean(text)] == []


def test_innocent_text_is_not_changed() -> None:
    assert {text: redact(text) for text in INNOCENT if redact(text) != text} == {}


def test_the_text_around_a_secret_stays() -> None:
    assert redact(f"PGPASSWORD={SECRET} psql -h db") == f"PGPASSWORD={HIDDEN} psql -h db"
    assert (
        redact(f"git clone https://me:{SECRET}@example.org/r.git") == f"git clone https://me:{HIDDEN}@example.org/r.git"
    )
    assert redact(f'{{"password": "{SECRET}", "a": 1}}') == f'{{"password": "{HIDDEN}", "a": 1}}'


def test_what_marks_a_secret_may_stand_in_it_again() -> None:
    assert redact("Cookie: a=b; cookie: c=d") == f"Cookie: {HIDDEN}"
    half = "aB3dE6gH9kL2nO5q"
    for sign in INFIXES:
        assert redact(f"use {half * 2}{sign}{half * 2}{sign}{half * 2} here") == f"use {HIDDEN} here"


def test_a_hash_in_a_hash_is_one_secret() -> None:
    assert redact(f"hash $1${'aB3dE6' * 4}$1${'aB3dE6' * 4} end") == f"hash {HIDDEN} end"


def test_of_a_long_command_the_first_words_are_read() -> None:
    words = [f"key{number}={SECRET * 2}" for number in range(30)]
    found = redact("vault kv put " + " ".join(words))
    assert found.startswith(f"vault kv put key0={HIDDEN} key1={HIDDEN} ")


# The hints of trim, and what is cut

PIECES = st.sampled_from([*HIDES, *HIDES_HEX, *INNOCENT, " ", "\n", "'", '"', "=", ": ", " is ", "@", "x" * 50])


def cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def test_every_secret_has_a_hint() -> None:
    assert [text for text in (*HIDES, *HIDES_HEX, *INNOCENT) if clean(text) != cut(redact(text), SHORT)] == []


@given(st.lists(PIECES, max_size=6).map("".join))
def test_every_secret_has_a_hint_in_any_mixture(text: str) -> None:
    assert clean(text, 10_000) == cut(redact(text), 10_000)


@given(st.text(max_size=80))
def test_every_secret_has_a_hint_in_any_text(text: str) -> None:
    assert clean(text) == redact(text)


@given(st.lists(st.sampled_from([text for text in HIDES if "PRIVATE KEY" not in text]), max_size=30).map("\n".join))
def test_cutting_a_long_text_leaves_no_half_of_a_secret(text: str) -> None:
    short = clean(text, 100)
    assert len(short) <= 100
    assert "hunter2" not in short


def test_a_secret_that_moves_up_because_another_one_was_long_is_not_left() -> None:
    piped = f"echo {SECRET} | docker login --username me --password-stdin"
    texts = (f"token={'a1b2' * (length // 4)} {piped} {piped}" for length in range(0, 2000, 10))
    assert [text for text in texts if SECRET in clean(text, 100)] == []


LONG_SECRETS = {
    "bearer": lambda long: f'curl -H "Authorization: Bearer {long}" https://api.example.org/items',
    "assigned": lambda long: f"API_TOKEN={long} ./deploy production",
    "flag": lambda long: f"deploy --token {long} --to production",
    "two": lambda long: f"A_TOKEN={long} B_TOKEN={long} make all",
}


@given(
    st.sampled_from([*LONG_SECRETS.values()]),
    st.integers(20, 1_500).map(lambda length: ("aB3dE6gH9k" * 150)[:length]),
    st.integers(0, 3_000).map("x".__mul__),
)
def test_a_text_with_a_long_secret_begins_as_it_did_and_fills_the_room(
    command: Callable[[str], str], secret: str, rest: str
) -> None:
    said = command(secret) + " " + rest
    shown = clean(said)
    whole = redact(said)
    assert shown == cut(whole, SHORT)
    assert said.startswith(shown.partition(HIDDEN)[0])


@given(st.lists(PIECES, max_size=60).map(" ".join), st.integers(20, 400))
def test_a_cut_text_is_the_start_of_the_redacted_text(text: str, limit: int) -> None:
    shown = clean(text, limit).removesuffix("…")
    assert redact(text).startswith(shown)


def test_a_secret_longer_than_everything_that_is_read_leaves_what_stands_before_it() -> None:
    shown = clean(f"deploy --to production --token {'aB3dE6gH9k' * 2_000} --verbose")
    assert shown == f"deploy --to production --token {HIDDEN}…"


def test_redacting_twice_is_redacting_once() -> None:
    assert [text for text in HIDES if redact(redact(text)) != redact(text)] == []


@given(st.lists(PIECES, max_size=8).map("".join))
def test_redacting_twice_brings_no_secret_back(text: str) -> None:
    assert "hunter2" not in redact(redact(text)) or "hunter2" in redact(text)


HOSTILE = [
    *("eyJ", "eyJ.", "-", "token=", "password: ", "://", "a@b:c://", "cookie:", "cookie: a=b", "bearer ", " -u a:"),
    *(
        "mysql -p",
        "'",
        "token='",
        "\\",
        "token=\\",
        " is ",
        " :",
        "-----BEGIN PRIVATE KEY",
        "-u          ",
        "https://u:p",
        "/bot1",
        "/bot1:",
        "a_token ",
        "password ",
        "  ",
        "-us1",
        "SK",
        "echo | sudo -S ",
        "| sudo -S ",
        "a key: ",
        "sig=",
        "?sig=",
        "token=a(",
        "-b a=",
        "password(",
        "password,",
        "<password>",
        "<",
        ">",
        "value=",
        "alue:",
        "password value='",
        "kind: Secret\nata:\n",
        "ata:\n  a: b1\n",
        "?code=",
        "token: string = ",
        "password: |\n",
        "pgpass a:1:c:d:e1\n",
        "login",
        "login a/b1",
        "pw:",
        "pw=",
        "passcode",
        "mnemonic a ",
        "password is is is ",
        "7Q~",
        "_mmk",
        ":AA",
        "$2a$",
        "live_",
        "--set-string ",
        "--set-string",
        "htpasswd -b ",
        "runas",
        "net user ",
        "sqlplus ",
        "7z /p:",
        "docker login -p ",
        "sudo -S <<< ",
    ),
]


FURTHER = (
    "token+|clé!|aB3dE6gH9kL2nO5q|aB3/|/aB3dE6gH9kL2nO5q|hook/aB3dE6gH9kL2nO5q/|base64,|iVBORw0KGgo\n|AAAA|-----BEGIN "
    '|-----BEGIN X-----END|login(|login(\'|login("a",|a:b1!@|@|a:@a|пароль|密码|password as |as a b c password|key '
    f"|key {HEX} |-p a1! |authorization|authorization: a |sha256:|x_aB3dE6gH9kL2nO5q |'a1b2c3d4e5!| -p:|é|A1|a1-"
).split("|")
SMALL, TIMES = 5_000, 8
"""Characters of a text, and how many times as long the longer one is."""


@pytest.mark.uncounted
@pytest.mark.long
def test_redacting_takes_linear_time() -> None:
    """Quadratic code takes TIMES as long again: seconds in which nothing is recorded."""
    slow = {piece: slowness for piece in (*HOSTILE, *FURTHER) if (slowness := _slowness(piece)) > TIMES / 2}
    assert {piece: _slowness(piece, tries=5) for piece in slow if _slowness(piece, tries=5) > TIMES / 2} == {}


@pytest.mark.uncounted
@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        "The quick brown fox: it jumps over the lazy dog. ",
        "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30\n",
        "aB3dE6gH9kL2nO5qR8tU",
        "x",
        '{"password": "hunter2-Zq9", "id": "0740d25a-79e5-47da-8355-1f3b5116f2ab"}\n',
    ],
)
def test_a_megabyte_takes_as_many_times_as_long_as_it_is_longer(piece: str) -> None:
    part, whole = 50_000, 1_000_000
    assert _seconds(piece, whole) < 4 * (whole / part) * _seconds(piece, part, 3) + 0.1


def _slowness(piece: str, tries: int = 1) -> float:
    """How many times longer each character takes in a text of TIMES the length."""
    return _seconds(piece, SMALL * TIMES, tries) / TIMES / (_seconds(piece, SMALL, tries + 2) + 0.0005)


def _seconds(piece: str, length: int, tries: int = 1) -> float:
    """The least that it took: other programs only make it longer."""
    text = (piece * (length // len(piece) + 1))[:length]
    best = 99.9
    for _ in range(tries):
        start = time.perf_counter()
        redact(text)
        best = min(best, time.perf_counter() - start)
    return best
