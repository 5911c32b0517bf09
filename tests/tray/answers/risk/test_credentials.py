"""Test that files with credentials are known by their names, and files about them are not taken for them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.answers.risk.credentials import is_secret, is_source, is_store, may_be_secret
from deskbell.answers.risk.shell import script
from deskbell.answers.risk.words import Word

STORES = """.env .env.local prod.env .envrc .netrc .npmrc x/.aws/credentials id_rsa id_ed25519.pub server.key server.pem a.p12
    terraform.tfstate secrets.yml credentials.json token.txt api_key.txt .bash_history /etc/shadow cookies.sqlite kubeconfig
    .config/gh/hosts.yml .ENV service-account.json private_key.txt passwords.txt local_settings.py krb5cc_1000 a.nmconnection
    jwt.jwk x.session 2fa.txt app/etc/env.php .sentryclirc .vnc/passwd"""
NAMED = """env.production env.json prod.env.json my-env.txt dotenv.yml .env~ env config/envs/a.yml deploy_key stripe-key.txt
    deploy_rsa bastion_ed25519 AuthKey_1.txt stripeToken.txt GithubToken.txt apitoken API_TOKEN MASTERKEY keypair.json
    key4.db keystore/UTC-1 keys/jwt.txt seed_phrase.txt seed-words.txt recovery_codes.txt backup-codes.txt mnemonic.txt
    passwords.md 2fa-recovery.md secrets.py credentials.ts prod_secrets.py secret_token.rb set-env.sh prod.env.sh
    application-prod.properties values-prod.yaml app.ini conf/app.conf server.properties app.config npmrc
    ssh_config known_hosts id_work stripe.json aws.yml prod-slack.json heap.hprof core.1234 inbox.mbox history.sqlite xprv.txt
    config/local.json config/prod/app.yml production/a.conf mail.conf vpn.conf wg0.conf admin.conf kubelet.conf
    krb5.conf database.ini redis.conf slack_webhook_url discord_webhook.txt oauth.yml saml.xml dump.sql customers_dump.sql
    backup.tar gcp-sa.json wallet.json dsn.txt auth.yml accounts.json login.txt private/a.txt rsa.txt smtp.ini"""
ABOUT = """README.md environment.py environment.ts environments/environment.prod.ts environment.yml .env.example .env.sample
    env.example env.d.ts src/env/x.go /usr/bin/env envelope.json envoy.yaml venv.txt pyenv.txt renv.lock
    token.py tokenizer.json tokenizer.py tokens.ts password.ts test_tokens.py useToken.ts keyboard.js keyboard.json keymap.json
    keywords.txt hotkeys.json monkey.md monkey.txt donkey.txt turkey.csv hockey.csv keyframes.css public.txt docs/api-keys.md
    docs/authentication.md docs/password-reset.md src/auth src/auth/login.ts src/environments features/login.feature
    tests/fixtures/login.json locales/en/account.json db/migrate/add_users.sql docker-compose.prod.yml pytest.ini mypy.ini tox.ini nginx/nginx.conf log4j2.properties
    setup.cfg gradle-wrapper.properties firebase.json HISTORY.md aws.ts src/stripe hosts.py src/ssh prod/main.tf prod/README.md prod/out.log tsconfig.prod.json
    .github/workflows/deploy-prod.yml prod.md Makefile package.json src/app.py notes/seeds.rb"""


@pytest.mark.parametrize("name", STORES.split())
def test_what_programs_keep_is_known_by_its_place_or_ending(name: str) -> None:
    assert is_store(name)
    assert is_secret(name)


@pytest.mark.parametrize("name", NAMED.split())
def test_what_a_project_names_itself_is_known_by_its_words(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize("name", ABOUT.split())
def test_what_is_only_about_credentials_is_not_taken_for_them(name: str) -> None:
    assert not is_secret(name)


@given(
    st.sampled_from([*STORES.split(), *NAMED.split()]),
    st.sampled_from(["./", "a/", "../b/", "/srv/", "a b/", "'", '"']),
)
def test_no_folder_and_no_quote_in_front_hides_a_name(name: str, before: str) -> None:
    assert is_secret(f"{before}{name}")


@given(st.sampled_from(NAMED.split()))
def test_letters_of_another_size_hide_no_name(name: str) -> None:
    assert is_secret(name.lower())
    assert is_secret(name.upper())


def test_nothing_is_no_secret() -> None:
    assert not is_secret("")
    assert not is_secret("///")


SOURCE = {"src/app.py": True, "a/b.RS": True, "a.md": False, "a.png": False, "a": False, ".py": False, "a.csv": False}


@pytest.mark.parametrize(("path", "source"), SOURCE.items())
def test_source_code_is_known_by_its_ending(path: str, source: bool) -> None:
    assert is_source(path) == source


GLOBS = {
    "*": True,
    ".e*": True,
    ".en?": True,
    "*.json": True,
    "id_*": True,
    "*env*": True,
    "secre?s/x": True,
    "cred*/x.bin": True,
    "config/master.k?y": True,
    "config/m*.k*": True,
    "config/m*": True,
    "passw?rds.csv": True,
    "*.csv": False,
    "README*": False,
    "tsconfig*.json": False,
    "packages/*/package.json": False,
    "packages/*/data.csv": False,
    "test_?.py": False,
    "*.py": False,
    "src/*.md": False,
    "s*/a.py": False,
    "src/*/index.ts": False,
    "x": False,
}


@pytest.mark.parametrize(("text", "may"), GLOBS.items())
def test_a_pattern_that_may_match_credentials_is_found(text: str, may: bool) -> None:
    (command,) = script(text).commands
    assert may_be_secret(command.words[0]) == may


def test_a_pattern_of_many_stars_takes_no_time() -> None:
    assert not may_be_secret(Word("x.py", "*a" * 90 + ".py", glob=True))
