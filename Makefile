PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Stamps. RUNS: the packages that Deskbell needs are installed. READY: those that the tests need are, too.
RUNS := $(VENV)/.runs
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
  --custom-compile-command 'make lock' pyproject.toml

# Containers often set this variable. Every worker and every process of a test would then compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

# More workers than the two cores that this is measured on, because some tests wait for a time to pass.
WORKERS ?= 4
# Workers with a desktop or clients of their own. Four of them keep two cores busy.
SCREENS := 4
# The longest come first.
CLIENTS := $(addprefix tests/client/,test_situations.py test_answers.py test_reply.py) \
  $(addprefix tests/desktop/,test_tray_xfce.py test_program_xfce.py) tests/client tests/desktop
# These suites run with nothing beside them but the laws, which give way. The first notices rings that come tenths of a
# second too early or too late, the second measures processor time, and the third asks terminals through the
# accessibility bus, which answers late under load.
ALONE := tests/client/test_afternoon.py tests/hooks/test_cost.py tests/desktop/test_jump.py
PURE := tests --ignore=tests/desktop --ignore=tests/client
# They try thousands of cases. Counting what they cover would double their time, and other tests cover the same code.
# They run beside all others, which wait for things some of the time, and give way to these.
LAWS := tests/faults tests/fuzz tests/simulation tests/tray/notices/test_news_laws.py \
  tests/tray/settings/test_hooks_text_laws.py tests/tray/settings/test_install_killed.py
LAW_WORKERS := 2
# Workers of the tests whose coverage `make test` counts.
COVERED := 4
# Runs what fails once more, alone, and keeps the names of the failures below build/.
TWICE := tests/twice.sh

.PHONY: help run demo quick test packages check collected contract bench mutants pictures pixels wheel lock audit clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(RUNS) ## set everything up and start Deskbell
	@command -v claude >/dev/null || echo "Claude Code is not on the PATH: 'make demo' shows Deskbell at work without it"
	$(BIN)/deskbell run

demo: $(RUNS) ## play an eventful afternoon, without Claude Code
	$(BIN)/deskbell demo

quick: check ## run ruff, mypy and every suite without a desktop or a client, in about a minute
	$(BIN)/pytest -q -n $(WORKERS) --dist worksteal --hypothesis-profile=few -m 'not another_python and not long' $(PURE)

# What a process leaves that a test kills while it writes its coverage, .coverage.NAME, cannot be read.
test: ## run ruff, mypy and every suite, count what they cover, as CI does
	@mkdir -p build
	$(MAKE) --jobs 3 packages check collected
	$(TWICE) laws nice $(BIN)/pytest -n $(LAW_WORKERS) --dist loadfile $(LAWS) >build/laws.txt 2>&1 & laws=$$!; trap "kill $$laws" INT TERM; \
	  $(TWICE) rest $(BIN)/pytest -n $(COVERED) --dist worksteal --cov --cov-report= $(PURE) $(LAWS:%=--ignore=%) $(ALONE:%=--ignore=%) && \
	  rm -f .coverage.* && \
	  $(BIN)/coverage report --fail-under=92 && \
	  $(BIN)/coverage report --fail-under=100 --include="$$($(BIN)/python -m tests.whole)" && \
	  $(TWICE) alone $(BIN)/pytest $(ALONE) && \
	  $(TWICE) screens $(BIN)/pytest -n $(SCREENS) --dist loadfile --no-loadscope-reorder $(CLIENTS) $(ALONE:%=--ignore=%); others=$$?; \
	  wait $$laws; laws=$$?; cat build/laws.txt; exit $$((others | laws))
	@echo "all suites ran"

# It compiles the tests once, and not once for each worker.
collected: $(READY)
	$(BIN)/pytest -q --collect-only tests >build/collected.txt || { tail -n 40 build/collected.txt; exit 1; }

packages:
	tests/system-packages.sh

check: $(READY) ## run ruff, and mypy for each system
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	printf '%s\n' linux win32 darwin | xargs -P 3 -I SYSTEM $(BIN)/mypy --platform SYSTEM --cache-dir .mypy_cache/SYSTEM

contract: $(READY) ## check on VERSION of Claude Code (else the newest) each fact that the rules rest on
	DESKBELL_TEST_VERSION=$(or $(VERSION),newest) $(BIN)/python -m tests.client.contract

bench: $(READY) ## measure, and print the tables
	$(BIN)/python -m tests.bench

mutants: $(READY) ## change the rules in small ways and print the changes that no test notices
	$(PIP) --require-hashes --requirement requirements/tools.txt
	rm -rf build/mutants
	mkdir -p build/mutants
	cp -R hooks/deskbell_hooks tray/deskbell icons/deskbell_icons tests build/mutants
	cp tests/mutation/mutmut.toml build/mutants/pyproject.toml
	cd build/mutants && ../../$(BIN)/mutmut run && ../../$(BIN)/mutmut results

pictures: $(READY) ## make the pictures of README.md and docs/ again, from the real thing (it needs faketime)
	PYTHONPATH=packaging/icons $(BIN)/python -m deskbell_drawings.sheet docs/icons.png packaging/pictures
	$(BIN)/python -m tests.desktop.pictures

pixels: $(READY) ## draw the icons that Deskbell ships again
	PYTHONPATH=packaging/icons $(BIN)/python -m deskbell_drawings.kept

lookalikes: $(READY) ## write the table of characters that look alike again, from the data that requirements/tools.txt names
	$(PIP) --require-hashes --requirement requirements/tools.txt
	$(BIN)/python packaging/lookalikes.py tray/deskbell/text/lookalikes.txt

wheel: $(READY) ## build the wheel, the sdist and the list of what they need (an SBOM)
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/python packaging/sbom.py dist

lock: $(READY) ## write the newest versions of all that is installed, with hashes, into requirements/
	$(PIP) --require-hashes --requirement requirements/tools.txt
	$(LOCK) --output-file requirements/run.txt
	$(LOCK) --extra install --constraint requirements/run.txt --output-file requirements/install.txt
	$(LOCK) --extra dev --constraint requirements/install.txt --output-file requirements/dev.txt
	$(LOCK) --extra tools --constraint requirements/dev.txt --output-file requirements/tools.txt

audit: $(READY) ## ask the advisory database about all that is installed
	$(PIP) --require-hashes --requirement requirements/tools.txt
	$(BIN)/pip-audit --strict --disable-pip --requirement requirements/dev.txt --requirement requirements/tools.txt

$(RUNS): pyproject.toml requirements/install.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Deskbell needs Python 3.11 or newer; '$(PYTHON)' is older. Try: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Setting up Deskbell in $(VENV), once: $$(grep -c == requirements/install.txt) packages"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes --requirement requirements/install.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(READY): $(RUNS) requirements/dev.txt
	@echo "Setting up what the tests need: $$(grep -c == requirements/dev.txt) packages in all"
	@$(PIP) --require-hashes --requirement requirements/dev.txt
	@touch $@

clean: ## delete the environment and everything that was built or cached
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .coverage*
