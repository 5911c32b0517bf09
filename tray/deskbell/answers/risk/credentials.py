"""Say by its name and its place whether a file may hold credentials. Pure.

`is_store` knows the files and folders of programs, and endings. `is_secret` also reads the words of a name, because a
project chooses its names itself: `deploy_key`, `stripe-token.txt`, `prod.env.json`. Source code and documents are about
secrets more often than they hold some. Of those, only a name that says nothing else counts: `secrets.py`,
`passwords.md`.
"""

import re

from deskbell.answers.risk.places import forms, matches
from deskbell.answers.risk.words import Word, names

_CODE = r"(?!.*\.(?:py|pyi|ts|tsx|js|jsx|mjs|go|rs|java|rb|c|h|cc|cpp|hpp|md|css|scss|html|php|cs|kt|swift|rst|vue)$)"
_STORES = re.compile(
    r"(?:^|[/\s=:@'\"])[\w-]*\.env(?:rc|\.(?!(?:example|sample|template|dist)$)[\w.-]+)?$|\.env(?![\w.])"
    r"|(?<!\w)[._]netrc|(?<!\w)\.(?:npmrc|pypirc|aws|azure|kube|docker|gnupg|vault-token|terraform\.d|terraformrc|pgpass"
    r"|my\.cnf|mylogin\.cnf|boto|s3cfg|rclone|password-store|htpasswd|mozilla|thunderbird|git-credentials|gem|electrum"
    r"|bitcoin|ethereum|anthropic|openai|credentials|flaskenv|dev\.vars|yarnrc|bunfig|condarc|databrickscfg|snowsql|dbt"
    r"|kaggle|composer|streamlit|vercel|netlify|fly|heroku|sentryclirc|wrangler|snyk|msmtprc|mbsyncrc|fetchmailrc|muttrc"
    r"|xauthority|huggingface|codex|gradle|nuget|age|vnc)(?![\w-])|kubeconfig|\.config/(?:gcloud|gh|op|hub|rclone|doctl"
    r"|composer|configstore|sops|fly|heroku)(?!\w)|\.tfstate|\.tfvars|rclone\.conf|\.(?:kdbx?|jks|keystore|p12|pfx|pem|key"
    r"|asc|gpg|ppk|p8|ovpn|keytab|pkcs12|wallet|kwallet|rdp|remmina|nmconnection|mobileprovision|har|pcap|jwk|jwks|age|agekey"
    r"|der|p7b|bek|psafe3|agilekeychain|opvault|hprof|m?dmp|mbox|eml|pst|vcf)(?![\w-])|wallet\.dat"
    r"|/etc/(?:kubernetes|wireguard|openvpn|ppp|ipsec|rancher|ssl/private|networkmanager/system-connections|letsencrypt)"
    r"|/run/(?:secrets|user)(?![\w-])|filezilla|sitemanager|winscp|(?:^|/)logins\.json|ntds\.dit$|database\.ya?ml$"
    r"|wp-config\.php$|(?:^|/)(?:env|configuration|(?:local)?settings)\.php$|parameters\.ya?ml$|\.session$|(?<![a-z0-9])2fa(?![a-z])"
    r"|(?:local_settings|settings_local)\.py$|(?:local\.settings|appsettings[\w.-]*)\.json$"
    r"|google-services\.json$|googleservice-info\.plist$|(?:^|/)master\.key|(?:^|/)id_\w+$|(?:^|/)core\.\d+$|config\.inc\.php$"
    r"|firebase[\w.-]*admin|service[-_]?account|(?:^|/)\.?vault\.(?:ya?ml|json|txt)$|(?:^|/)environ$"
    r"|(?<![a-z])id_(?:rsa|dsa|ecdsa|ed25519)|(?:^|/)g?shadow-?$|sudoers|keyrings?(?:/|$)|keychain|login"
    r" data|web data|cookies?(?:\.\w+)?$|_history$|\.history$|\.m2/settings|gradle\.properties|(?:^|/)auth\.json|krb5cc"
)
_SAID = re.compile(
    rf"^{_CODE}.*(?:credential|secret|passw|passphrase|_pass(?![a-z])|private[-_]?key|api[-_]?key|(?<![a-z])tokens?(?![a-z]))"
)

_ALWAYS = names(
    """secret secrets credential credentials cred creds password passwords passwd passphrase pw pwd pass token
    tokens oauth jwt jwks bearer cookie cookies rsa dsa ecdsa ed mnemonic mnemonics wallet wallets vault sasl
    ssh gpg pgp sftp ftp smtp imap msmtp mbsync fetchmail mutt ldap kerberos krb krbcc keytab sso saml oidc vpn
    wg wireguard openvpn ipsec wpa radius kube kubelet kubeconfig webhook webhooks otp totp mfa authenticator
    recovery dsn htpasswd pgpass netrc npmrc pypirc gitconfig dockercfg psqlrc xprv phrase history signons
    private signing hmac encryption encrypted decrypted sa pat pats seedphrase dotenv"""
)
"""Words in the name of a file of data that holds something secret."""
_OFTEN = names("auth login logins account accounts session sessions")
_OFTEN_CONTAINED = re.compile(
    r"auth$|imap|smtp|ldap|vpn|kube(?!rnetes)|bitwarden|dashlane|(?<!by)(?<!com)(?<!tres)(?<!over)pass$"
)
"""Words that count as well, except in a folder with samples or translations."""
_STRONG = names(
    """cred creds pw pwd pass passphrase rsa dsa ecdsa ed mnemonic otp totp mfa recovery dsn pgpass netrc keytab
    kubeconfig kubeconf kubecfg krbcc seedphrase dotenv npmrc pypirc gitconfig dockercfg psqlrc"""
)
"""Words that count in a name without an ending, too, which is a folder more often: `src/auth`."""
_DUMPED = names("dump backup export")
_TOGETHER = (
    (names("seed secret backup recovery"), names("phrase words mnemonic code codes txt")),
    (_DUMPED, names("wallet db sqlite gz zip tar tgz bak dump")),
    (names("ssh sshd docker"), names("config")),
    (names("known authorized"), names("hosts keys")),
    (names("connection database db webhook"), names("string strings url uri")),
    (names("fa factor"), names("codes backup recovery code two")),
)
"""Pairs of sets: a word of each in one name counts."""
_HOLDING = names("private wallet wallets vault pki mnemonic envs dotenv creds tokens")
"""Words in the name of a folder whose data is secret, beside those with `key`."""
_CONTAINED = re.compile(
    r"(?:token|passw(?:or)?d|secret)s?$|key(?!board|map|bind|word|note|frame|code|stone|pad|hole|press|point|value|less|up$|down$|ed$)"
)
_ORDINARY = re.compile(r"(?:mon|don|tur|hoc|joc|whis|mic|hic|lac|dis|hot|short|mal|smo|jer|pin)keys?$")
"""Words with `key` that open nothing."""
_ENVIRONMENT = re.compile(
    r"^env(?!elope|oy|ision|ious|y)|(?<!v)(?<!py)(?<!rb)(?<!ual)(?<!go)(?<!^r)(?<!^j)env(?:s|file)?$"
)
_CONFIGURING = names("properties yml yaml json toml ini conf cfg cnf xml config env")
_LIVE = names("prod production prd staging live")
_CONFIGURED = names(
    """local mail email mailer admin tunnel peer database db postgres postgresql pg mysql mongo mongodb redis
    rabbitmq elastic datasource datasources jdbc odbc"""
)
"""Words in the name of a configuration that says how something else is reached."""
_SETTINGS = names("ini conf cnf properties config")
"""Endings of configurations that hold passwords more often than not."""
_TOOLS = re.compile(
    r"(?:^|/)(?:pytest|tox|mypy|setup|nginx|mime|logback|logging|log4j\d?|messages|gradle-wrapper|build|sonar-project|version"
    r"|supervisord|uwsgi|gunicorn|alembic|jest|babel|webpack|karma|phpunit|pylint|flake8|isort|asound|redirects)[\w-]*\.\w+$"
)
"""Those of tools that work on the project, and hold none."""
_SERVICES = names(
    """aws gcp gcloud azure s stripe twilio sendgrid mailgun mailchimp slack discord telegram digitalocean hetzner
    linode cloudflare heroku openai anthropic paypal braintree plaid okta datadog pusher algolia mapbox rclone
    restic borg"""
)
"""A configuration with the name of a service, and no other, says how to use it."""
_SAMPLE = re.compile(r"(?:^|[._-])(?:example|sample|template|dist|tmpl|tpl|defaults?|schema)s?(?:[._-]|$)")
_SHARED = re.compile(r"(?:^|/)\.git(?:hub|lab-ci)|compose|tsconfig|package")
"""Configurations that everybody who works on the project has."""
_SAMPLES_OR_WORDS = re.compile(
    r"(?:^|/)(?:(?:__)?(?:fixtures?|mocks?)(?:__)?|testdata|locales?|i18n|lang|translations)/"
)

_SOURCE = names(
    """py pyi ipynb ts tsx js jsx mjs cjs mts cts go rs java kt kts scala rb erb php c h cc cpp cxx hpp hh m mm
    swift cs fs vb dart ex exs erl hs ml clj cljs lua pl pm r jl sql nim zig sol vue svelte astro html htm css
    scss sass less proto graphql gql tf hcl sh bash zsh fish ps bat cmd mk cmake gradle groovy feature snap
    patch diff po svg png jpg gif ico woff map md mdx rst adoc tex"""
)
_MEDIA = names("svg png jpg gif ico woff htm html sql map snap patch diff")
_SHELL = names("sh bash zsh fish ps bat cmd")
_DOCUMENT = names("md mdx rst adoc tex")
_ALONE = names("secret secrets credential credentials cred creds passwords passwd apikeys")
_ALONE_NOTED = _ALONE | names("password passphrase mnemonic seed phrase recovery backup codes fa otp totp wallet")
_NEUTRAL = names(
    "token key local prod production dev staging my our app settings config server master github gitlab google aws"
)

_WILD = set("*?[")
_NOTES = re.compile(r"(?:readme|licen[cs]e|changelog|contributing|makefile|dockerfile)")
_WORDS = re.compile(r"[^\W\d_]+")
_PARTS = re.compile(r"[/\s=:@'\",;()\[\]{}<>|&*?]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

POINTED = names(
    """.env .env.local prod.env .netrc .npmrc .pgpass .git-credentials .aws .gnupg id_rsa id_ed25519 server.key
    server.pem .bash_history kubeconfig terraform.tfstate"""
)
"""Names of files with credentials that no pattern for other files matches."""
_SAMPLES = POINTED | names("credentials.json secrets.json secrets.yml secrets.yaml secrets.toml token.txt")


def is_store(text: str) -> bool:
    """Return whether TEXT names a file or a folder in which programs keep credentials, or has the ending of one."""
    return any(_STORES.search(one) or _SAID.search(one) for one in forms(text))


def is_kept(text: str) -> bool:
    """Return whether TEXT, a whole path, is in such a place, whatever words are in the names of its folders."""
    return any(_STORES.search(one) for one in forms(text))


def is_secret(text: str) -> bool:
    """Return whether a file of the name TEXT may hold credentials."""
    every = forms(text) | (forms(_HUMP.sub("_", text)) if _HUMP.search(text) else set())
    return any(_STORES.search(one) or _SAID.search(one) or _says_so(one) for one in every)


def is_source(path: str) -> bool:
    """Return whether PATH has the ending of source code or of a document about it."""
    stem, _, ending = path.casefold().rpartition("/")[2].rpartition(".")
    return bool(stem.strip(".")) and ending in _SOURCE - _DOCUMENT - _MEDIA


def may_be_secret(word: Word) -> bool:
    """Return whether WORD names credentials, or its pattern may match them."""
    if is_secret(word.text):
        return True
    return word.glob and _may_match(word)


def _may_match(word: Word) -> bool:
    """Return whether the pattern WORD may match credentials: it leaves more open than the rest of a name."""
    *folders, last = word.pattern.casefold().split("/")
    ending = last.rpartition(".")[2]
    if ending in _SOURCE:
        return False
    some = any(set(folder) & _WILD and folder.strip("*") for folder in folders)
    if some or not set(last) & _WILD:
        return some
    odd = set(last) & set("?[") or ("*" in ending and not _NOTES.match(last))
    return bool(odd) or any(matches(one, last, word.missing) for one in _SAMPLES)


def _says_so(path: str) -> bool:
    """Return whether the words of PATH, in small letters, say that it holds something secret."""
    parts = [part for part in _PARTS.split(path) if part]
    if not parts or path.startswith(("/usr/bin/", "/bin/")):
        return False
    name = parts[-1]
    stem, _, ending = name.rpartition(".")
    ending = ending.rstrip("0123456789")
    words = set(_WORDS.findall(name))
    if stem.strip(".") and ending in _SOURCE:
        return _says_nothing_else(words - {ending}, ending) or (ending == "sql" and bool(words & _DUMPED))
    folders = {word for part in parts[:-1] for word in _WORDS.findall(part)}
    return bool(folders & _HOLDING) or any(map(_has_key, folders)) or _is_data(name, words, path)


def _says_nothing_else(words: set[str], ending: str) -> bool:
    alone = _ALONE_NOTED if ending in _DOCUMENT else _ALONE
    if ending in _SHELL and any(map(_ENVIRONMENT.search, words)):
        return True
    return bool(words & alone) and words <= alone | _NEUTRAL


def _has_key(word: str) -> bool:
    return bool(_CONTAINED.search(word)) and not _ORDINARY.search(word)


def _is_data(name: str, words: set[str], path: str) -> bool:
    """Return whether NAME, of the file of data at PATH, has words that say it is secret."""
    if words & (_ALWAYS if "." in name else _STRONG) or any(words & one and words & other for one, other in _TOGETHER):
        return True
    if any(map(_has_key, words)):
        return True
    often = words & _OFTEN or any(map(_OFTEN_CONTAINED.search, words))
    if "." in name and often and not _SAMPLES_OR_WORDS.search(path):
        return True
    if _SAMPLE.search(name):
        return False
    folder_or_conda = "." not in name or words & {"yml", "yaml"}
    named = {word for word in words if not (folder_or_conda and word.startswith("environment"))}
    reaches = words & _CONFIGURED or set(_WORDS.findall(path)) & _LIVE
    shared = not words & _CONFIGURING or _SHARED.search(path)
    if any(map(_ENVIRONMENT.search, named)) or (reaches and not shared):
        return True
    _, dot, ending = name.rpartition(".")
    return bool(dot) and ((ending in _SETTINGS and not _TOOLS.search(path)) or _is_of_a_service(words - {ending}))


def _is_of_a_service(words: set[str]) -> bool:
    return bool(words & _SERVICES) and words <= _SERVICES | _NEUTRAL
