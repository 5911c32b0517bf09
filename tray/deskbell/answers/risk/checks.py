"""List the commands that test, check or build the project, each with the shapes in which they do nothing else. Pure.

They run what the project itself configures, which Claude may have written a moment before. So an option that names
another configuration, plugin, program, folder or output is left out, and the commands count only inside the project.
A build may fetch what the project's own files name, as `cargo test` and `mvn test` do. What makes an environment first,
rewrites the list of what is fetched, or fetches a tool that only the command names is left out: `tox`, `uv run`,
`go build -mod=mod`, `npx`, and Maven's `group:plugin:goal`.
"""

from deskbell.answers.risk.words import names

_PYTEST = (
    "inside* -q -v -qq -vv -vvv -x -s -l --lf --ff --nf --sw --last-failed --failed-first --stepwise --exitfirst --co"
    " --collect-only --no-header --no-summary --showlocals --strict-markers --disable-warnings --no-cov --markers"
    " --fixtures"
    " --verbose --quiet --maxfail=number -k=expression -m=expression -n=name"
    " -p=unplugged -W=warnings -r=word --tb=name --durations=number"
    " --timeout=number"
    " --color=name --cov~inside --cov-report=report --capture=name --cov-branch"
    " --numprocesses=name"
    " --hypothesis-profile=name --dist=name"
)
_SCRIPT = (
    "argument* --silent -s --if-present --workspaces --coverage --ci --watch=name --watchAll=name --verbose --bail"
    " -w=inside --workspace=inside"
)
_RUFF_CHECK = (
    "inside* --diff --quiet -q --no-cache --statistics --show-fixes --preview --select=names --ignore=names"
    " --extend-select=names --output-format=name --no-fix --exit-zero"
)
_RUFF_FORMAT = "inside* !--check !--diff --quiet -q --no-cache --preview --line-length=number"
_MYPY = (
    "inside* --strict --ignore-missing-imports --no-error-summary --show-error-codes --pretty --no-incremental"
    " --check-untyped-defs --no-color-output --show-error-context --namespace-packages --explicit-package-bases"
    " --platform=name --python-version=name -p=name --disallow-untyped-defs"
)
_TSC = (
    "inside* --noEmit --pretty --skipLibCheck --strict --listFiles -p=inside --project=inside -b --build --pretty=name"
)
_ESLINT = "inside* --quiet --max-warnings=number --ext=endings --cache --no-color --format=eslint-format"
_PRETTIER = "inside* !--check !-c !-l !--list-different --ignore-unknown -u --log-level=name"
_JEST = (
    "inside* --ci --coverage --verbose --silent --runInBand -i --bail --passWithNoTests --no-coverage --watchAll=name"
    " --watch=name -t=any --testNamePattern=any --testPathPattern=any --maxWorkers=any --onlyFailures -o --forceExit"
    " --detectOpenHandles"
)
_VITEST = "filter* --run --coverage --watch=name -t=any --reporter=vitest-format --bail=number --passWithNoTests"
_BLACK = "inside* !--check !--diff --quiet -q --color -l=number --line-length=number"
_ISORT = "inside* !--check !--check-only !--diff !-c -q --profile=name"
_FLAKE8 = "inside* --max-line-length=number --select=names --ignore=names --count --statistics --extend-ignore=names"
_CARGO = (
    "--all --workspace --lib --bins --tests --examples --benches --all-targets --all-features --no-default-features"
    " --release --locked --offline --frozen --quiet --verbose -q -v -r -p=name --package=name --bin=name --test=name"
    " --example=name --features=names --message-format=name --exclude=name -j=number --jobs=number --keep-going"
)
_CARGO_TEST = "testing* --no-run --no-fail-fast --doc " + _CARGO
_GO = "package* -v -race -x -n -p=number -tags=names -mod=lock"
_GO_TEST = (
    _GO + " -short -cover -failfast -json -run=any -count=number -timeout=seconds -bench=any -benchmem -parallel=number"
    " -cpu=names -shuffle=name -vet=name -skip=any -coverpkg=package -covermode=name"
)
_MAKE = (
    "target* -j=number -j -C=inside -k -s -n -B --silent --keep-going --jobs~number --dry-run --no-print-directory -O"
)
_MAVEN = (
    "phase+ -pl=modules -am -DskipTests -Dtest~any -Dmaven.test.skip~word -DfailIfNoTests~word -fae -ff -X"
    " -q -B -o -e -ntp --quiet --batch-mode --offline --no-transfer-progress"
)
_GRADLE = (
    "task+ -x=task --tests=any --rerun-tasks"
    " -q --quiet --info --offline --stacktrace --no-daemon --console=name --continue --parallel"
)
_DOTNET = "inside* --no-build --no-restore -v=name --verbosity=name --nologo -c=name --configuration=name --filter=any"
_SWIFT = "-v --parallel --filter=any -c=name --configuration=name --quiet"

CHECKS: dict[str, str] = {
    "npm test": _SCRIPT,
    "npm t": _SCRIPT,
    "npm run": f"script {_SCRIPT}",
    "npm run-script": f"script {_SCRIPT}",
    "yarn test": _SCRIPT,
    "yarn lint": _SCRIPT,
    "yarn build": _SCRIPT,
    "yarn": f"script {_SCRIPT}",
    "pnpm": f"script {_SCRIPT}",
    "yarn run": f"script {_SCRIPT}",
    "pnpm test": _SCRIPT,
    "pnpm lint": _SCRIPT,
    "pnpm build": _SCRIPT,
    "pnpm run": f"script {_SCRIPT}",
    "bun test": "inside* --bail --timeout=number -t=any --coverage --only --todo",
    "bun run": f"script {_SCRIPT}",
    "deno test": "inside* --no-run --fail-fast --parallel --filter=any",
    "deno lint": "inside* --json --quiet",
    "deno check": "inside+",
    "deno fmt": "inside* !--check",
    "pytest": _PYTEST,
    "py.test": _PYTEST,
    "unittest": "inside* -v -q -f -b -k=any --verbose --quiet --failfast",
    "unittest discover": "inside* -v -q -f -b -s=inside -p=any",
    "compileall": "inside+ -q",
    "json.tool": "inside",
    "py_compile": "inside+",
    "coverage report": "-m --show-missing --skip-covered --fail-under=number",
    "ruff check": _RUFF_CHECK,
    "ruff format": _RUFF_FORMAT,
    "mypy": _MYPY,
    "pyright": "inside* --stats --outputjson --level=name",
    "basedpyright": "inside* --stats --outputjson --level=name",
    "black": _BLACK,
    "isort": _ISORT,
    "flake8": _FLAKE8,
    "pylint": "inside+ --disable=names --enable=names -j=number --errors-only -E --score=name",
    "pyflakes": "inside+",
    "pycodestyle": "inside+ --max-line-length=number",
    "tsc": _TSC,
    "eslint": _ESLINT,
    "prettier": _PRETTIER,
    "jest": _JEST,
    "vitest": _VITEST,
    "mocha": "filter* --exit --bail --grep=any",
    "cargo test": _CARGO_TEST,
    "cargo nextest run": f"name* --no-fail-fast {_CARGO}",
    "cargo build": _CARGO,
    "cargo check": _CARGO,
    "cargo clippy": f"lint* {_CARGO}",
    "cargo fmt": "fmt-check? --all !--check -p=name -v -q",
    "cargo doc": f"--no-deps {_CARGO}",
    "go test": _GO_TEST,
    "go vet": _GO,
    "go build": _GO,
    "go fmt": "package* !-n -x",
    "gofmt": "inside* -l -d -s",
    "golangci-lint run": "package* -v --fast",
    "staticcheck": "package*",
    "make": _MAKE,
    "cmake --build": "inside number? -j=number --target=target --parallel --config=word",
    "ninja": "target* -C=inside -v -j=number",
    "ctest": "--test-dir=inside --output-on-failure -V -j=number -R=any",
    "mvn": _MAVEN,
    "./mvnw": _MAVEN,
    "gradle": _GRADLE,
    "./gradlew": _GRADLE,
    "dotnet test": _DOTNET,
    "dotnet build": _DOTNET,
    "swift test": _SWIFT,
    "swift build": _SWIFT,
    "mix test": "inside* --trace --failed --stale --cover --seed=number --only=name",
    "mix compile": "--warnings-as-errors --force",
    "mix format": "inside* !--check-formatted",
    "flutter test": "inside* --coverage",
    "flutter analyze": "inside*",
    "dart test": "inside*",
    "dart analyze": "inside*",
    "rspec": "inside* -f=word --format=word --fail-fast --seed=number -e=any",
    "rubocop": "inside* --parallel --format=word",
    "phpunit": "inside* --filter=any --testdox --stop-on-failure --colors~name",
    "php -l": "inside",
    "bash -n": "inside+",
    "node --check": "inside",
    "shellcheck": "inside+ -x -S=name -s=name -f=name -e=names",
    "yamllint": "inside+ -s",
    "actionlint": "inside*",
    "hadolint": "inside+",
    "zig build test": "",
}
"""Program and verb -> the shape of its arguments."""

# Words that run a program of the table -> the programs that they may run. `npx` fetches what is not installed, and
# `uv run`, `poetry run`, `tox` and their kin install what the files of the project name before they run anything.
_PYTHON = names("pytest unittest mypy ruff black isort flake8 coverage compileall py_compile pyflakes json.tool")
_PYTHON_TOOLS = names("pytest mypy ruff black isort flake8 coverage pyright basedpyright")
_NODE = names("tsc eslint prettier jest vitest mocha")
_RUBY = names("rspec rubocop")
PREFIXES: dict[tuple[str, ...], frozenset[str]] = {
    ("python", "-m"): _PYTHON,
    ("python3", "-m"): _PYTHON,
    ("uv", "run", "--no-sync"): _PYTHON_TOOLS,
    ("npx", "--no-install"): _NODE,
    ("npx", "--no"): _NODE,
    ("pnpm", "exec"): _NODE,
    ("yarn", "exec"): _NODE,
    ("bundle", "exec"): _RUBY,
}
FOLDERS = (".venv/bin/", "venv/bin/", "node_modules/.bin/", "vendor/bin/")
"""Where the project keeps programs of its own, from the folder of the project."""
