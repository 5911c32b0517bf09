# run    set up and start Deskbell
# demo   an eventful afternoon to watch, without Claude Code
# test   set up everything and run ruff, mypy --strict and pytest with coverage
# check  ruff, and mypy for each system
# bench  measure, and print the tables
# wheel  build the wheel and the sdist

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run demo test check bench wheel clean

run: $(READY)
	@command -v claude >/dev/null || echo "Claude Code is not on the PATH here: 'make demo' shows Deskbell at work without it"
	$(BIN)/deskbell run

demo: $(READY)
	$(BIN)/deskbell demo

test: check
	tests/system-packages.sh
	$(BIN)/coverage erase
	$(BIN)/pytest --cov --cov-report=term
	@echo "all suites ran"

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32
	$(BIN)/mypy --platform darwin

bench: $(READY)
	$(BIN)/python -m tests.bench

wheel: $(READY)
	rm -rf dist
	$(BIN)/python -m build

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Deskbell needs Python 3.11 or newer; '$(PYTHON)' is older. Try: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .coverage*
