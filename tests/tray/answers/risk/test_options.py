"""Test each command by the options that make it read, write, fetch, run or follow what its plain form does not."""

import pytest

from deskbell.answers.risk import risk
from tests.tray.answers.risk.table import AT

HARM = """
grep reads: -e foobar .env | -re '' . | -rn -e foobar -e token . | -rne . src | -r --regexp=. src | foobar .env | -f .env src/a.py | -rf names.txt . | --file=.env a | -rn foobar --include=.env | -rn --include '*.pem' foobar .
grep reads: -rn foobar --include=id_* . | -r --exclude-from=.env foobar . | -rn -A 5000 foobar . | -rnC999 foobar . | -r '' . | -rv foobar .
grep reads: -rn -A x foobar . | -rn foobar ~ | -rn foobar /etc | -rn key . | -rn 'secret' . | --include=.git/config -rn foobar .
rg reads: -e . | -e foobar ~/.config | -e foobar .env | -ge . | -g .env foobar | -g '.env*' foobar | --glob=id_* foobar | --iglob '*.PEM' foobar | -g '*' foobar | -f .env | -f names src
rg reads: --hidden foobar | -uu foobar | --no-ignore foobar | -. foobar | -C 500 foobar | '' | -v foobar | foobar ~/.config | --ignore-file x foobar
rg runs: --pre ./x foobar | --pre=cat foobar | --hostname-bin ./x foobar | -z foobar
git log reads: -L1,9:.env | -L:main:.npmrc | -L1,9:.git/config | -p | -p --all | -p -- . | -p -- deploy_key | -S token
git log writes: --output=x | --output x
git log runs: --ext-diff -p -1 | --textconv -p -1
git show reads: HEAD:.env | HEAD:config/deploy_key | :0:.npmrc | HEAD -- .env
git show writes: --output=x
git diff reads: .env...x | HEAD...prod.env | HEAD^{tree}:.env | HEAD -- .env | 4b825dc HEAD | --no-index a ~/.netrc | ~/a ~/b | /etc/shadow x
git diff writes: --output=x
git diff runs: --ext-diff
git grep reads: foobar -- .env | foobar ':(glob)x' | foobar -- '*.pem' | foobar -- ':(glob)**/.env' | -f .env | password | --no-index foobar ~ | -C 900 foobar
git grep runs: -O foobar | --open-files-in-pager=x foobar
git cat-file reads: -p HEAD:.env | -p 3b18e512 | blob 3b18e512 | --batch
git blame reads: .env | deploy_key | -S x a
git config writes: x y | --global core.pager x | --unset x | --edit | --add x y
git config reads: --get http.extraheader | --global --get x | --list
find reads: / -perm -4000 | . -perm /u=s | -files0-from x | . -name .env | . -name '*.pem' | ~ -name 'id_*'
find writes: . -fprint x | . -fprintf x %p | . -fls x | . -delete
find runs: . -exec cat {} + | . -execdir x ';' | . -ok x ';' | . -okdir x ';' | . -name .env -exec cat {} +
fd reads: '\\.env' | -e pem | --ignore-file x
fd runs: -x cat | -X cat | . --exec cat | --exec-batch=cat
sed writes: -i p a | --in-place=x p a | 'w out' a | 's/a/b/w out' a
sed reads: 'r .env' a | -f x a | -n p .env
sed runs: 'e id' a | s/a/b/e a
awk reads: 1 .env | -f x a | '@include "x"' a | 'BEGIN{while((getline l < "x")>0)print l}' | 'BEGIN{print ENVIRON["HOME"]}'
awk writes: '{print > "x"}' a | '{print >> "x"}' a | 'NR>1{print >"x"}' a | -i inplace 1 a
awk runs: '{system($0)}' a | '{print | "sh"}' a | 'BEGIN{"id" | getline}'
sort reads: --files0-from=.env | .env | -T .env a
sort writes: -o x a | --output=x a
sort runs: --compress-program=x a
wc reads: --files0-from=.env | .env
du reads: --files0-from=.env | -X .env
diff reads: .env a | a .env | --from-file=.env a | -r src lib | -X .env a b
uniq writes: a b
tree reads: --fromfile .env | --info
tree writes: -o x
date writes: -s x
tsc runs: --build https://x
jq reads: . .env | --rawfile a .env . | --slurpfile a .env . | -f x a | -L x . a | -n env | -n '$ENV' | 'input_filename' a
file reads: -f .env | -m .env a
xxd writes: a b | -r a
pnpm runs: --filter ../x test | --filter api add x | -r exec x | -C /tmp test | deploy
yarn runs: workspace api add x | workspace ../x test | deploy
npm test runs: -- --reporter=./x | node_modules/x | --prefix x | --script-shell=x | -- --config x | -- --globalSetup=x | --node-options=x | -w ../x
npm run runs: deploy | start | test -- -c x | test --prefix ../x
pytest runs: -p x | -c x | -o x=y | --rootdir=x | /tmp/x | ../x | https:x | @x | --confcutdir x | git+ssh://x
pytest writes: --junitxml=x | --basetemp=x | --cov-report=html
mypy runs: --config-file x . | --python-executable=x .
mypy fetches: --install-types .
mypy reads: @x
ruff check runs: --config x . | @x
ruff check writes: --fix . | -o x .
eslint runs: -c x . | --rulesdir x . | --plugin x . | --parser x . | -f ./x .
eslint writes: --fix . | -o x .
prettier runs: --config x --check . | --plugin=x --check .
prettier writes: . | -w . | --write .
tsc runs: -p https://x | --plugins x
tsc writes: --outDir /tmp/x | --generateTrace x
jest runs: --config x | --rootDir x | --globalSetup x | -u
vitest run runs: --config x | --root x | -u
mocha runs: -r x | --require x | file:///x | https://x
cargo test runs: --config x | --manifest-path /tmp/x | -Z x
cargo test writes: --target-dir /tmp
go test runs: -exec x ./... | -toolexec x ./... | evil.org/x
go test writes: -o x ./... | -coverprofile=x ./... | -mod=mod ./...
go build fetches: -mod=mod ./... | evil.org/x@latest
go build reads: -overlay x | -modfile=x
mvn fetches: a:b:1:test | a:b:verify | org.x:y-plugin:1.0:package | test -Dmaven.repo.remote=x | -Dtest evil:plugin:1:run
mvn runs: -f /tmp test | -s x test | exec:java | -pl ../x test | deploy
gradle runs: -I x test | --init-script x test | -p /tmp test | -b x test | run | publish | :app:installDebug | --include-build x test
make runs: -f x | -C ../x | SHELL=x test | --eval=x | deploy | install
ninja runs: -C /tmp | -f x
ctest runs: -S x | --test-dir /tmp | --build-and-test a b
cmake --build runs: /tmp/x | build --target install
deno test fetches: https://x | https:x | npm:x | jsr:@a/b | --import-map=https://x | --reload
deno test runs: -A | --allow-run | -P
deno check fetches: https://x/y.ts | npm:x
phpunit fetches: ftp://x | ftp:x | http://x/y.php | phar://x
phpunit runs: --bootstrap x | -c x
php -l fetches: https://x | phar://x
bash -n runs: -c x | <(x)
node --check runs: --require x a.js
shellcheck reads: --rcfile=x a.sh | .env | ~/.bashrc
rspec runs: -r x | -I x | --options x | ../x
rubocop runs: -r x | --config x
rubocop writes: -a | -A
npx --no-install runs: evil | -c x | -p x tsc
uv run --no-sync runs: python x | evil | --with x pytest
echo reads: ~/.ssh/* | ~/.* | ~/.aws/*
printf reads: '%s\\n' ~/.ssh/*
[ reads: -f ~/.ssh/x ]
"""
SAME = """
grep: -rn -e foobar -e foobaz src | -rne foobar src | -e x a | -rn --regexp=foobar . | -rn foobar . | -rn --include='*.ts' foobar src | -rn foobar --include=*.{ts,tsx} . | -A 5 foobar a.py | -rn -C3 foobar src | -c x a
rg: -e foobar -e foobaz src | foobar | foobar -g 'src/**' | -g '*.ts' foobar | -g '!node_modules' foobar | -g '!.git' foobar | -tpy foobar | -A3 foobar src | -C 100 foobar
git log: -p -3 | -p src/app.py | --oneline --all | -L1,9:src/app.py | -p main..HEAD | --stat | --oneline -- src
git show: HEAD | HEAD:src/app.py | --stat HEAD | 3f2a1bc
git diff: HEAD | @{u} | feature/login...main | stash@{0} | main...HEAD | --stat | HEAD -- src/app.py | feature/login
git grep: foobar | foobar -- src | -n foobar -- '*.py'
git cat-file: -p HEAD | -t 3b18e512
git blame: src/app.py | -L 1,9 src/app.py
git config: --get user.name | user.email | --global --get user.name
find: . -name '*.py' | . -name '*.py' ! -path './venv/*' | . -mtime -1 -size -10k | . -perm 644 | . -perm /u+x | . -name '*auth*' | . -not -path '*/.git/*' | src -type f
fd: foobar | -e ts | test src
sed: -n 1,9p a.py | -n '/a\\.b/,/^}/p' a.py | -n '/a/,+5p' a.py | -n '/^\\[x\\]/p' a.toml | 's/a/b/' a.py
awk: '{print $1}' a.txt | 'NR>=10 && NR<=40' a.py | '$3 > 100 {print $1}' a.txt | -F: '{print $2}' a.txt | 'length > 80' a.py | -v n=3 'NR==n' a.py
pnpm: --filter api test | -r test | --filter @a/b build | lint
yarn: workspace api test | typecheck
npm test: -- src | -- --grep foo | -- --reporter=verbose | --silent | -w packages/a
pytest: -q | -p no:cacheprovider | -W ignore | -rA -rfE | tests/test_a.py::test_b | -k 'a and not b' | tests/auth
go test: ./... | -mod=readonly ./... | -mod=vendor ./... | -run TestX ./a
mvn: test | clean verify | -q verify | -DskipTests package | -Dtest=FooTest test | -pl core -am test
gradle: test | clean build | :app:test | app:core:check | build -x test | assembleDebug | test --tests 'a.B'
make: | V=1 test | test | -j4 | -C sub test
ninja: | -C build
ctest: | --test-dir build
deno test: | src | src/a_test.ts
phpunit: | tests/ATest.php
php -l: src/a.php
bash -n: a.sh
node --check: a.js
npx --no-install: tsc --noEmit | eslint src
uv run --no-sync: pytest -q
echo: hello | src/*.py | 'a*' | ~/.ssh
[: -f a.txt ] | -d src ]
"""


def commands(table: str) -> list[tuple[str, str]]:
    """What a row says the command does, and the command."""
    rows = [line.partition(":") for line in table.strip().splitlines()]
    return [
        (head, f"{head.rpartition(' ')[0] if table is HARM else head} {one.strip()}")
        for head, _, rest in rows
        for one in rest.split(" | ")
    ]


@pytest.mark.parametrize(("does", "command"), commands(HARM))
def test_an_option_that_does_more_takes_two_clicks(does: str, command: str) -> None:
    assert risk("Bash", {"command": command}, AT).verdict != "plain", does


@pytest.mark.parametrize(("does", "command"), commands(SAME))
def test_an_option_that_does_no_more_takes_one(does: str, command: str) -> None:
    assert risk("Bash", {"command": command.strip()}, AT).verdict == "plain", does
