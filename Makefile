# Two commands matter: `make book` and `make test` (before a release, and on the server: `make test-all`, too). Everything else is a
# convenience.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
DATA   ?= $(AUCBOOK_DATA)

# Tests that run at a time, and how they are shared out: tests/conftest.py puts long ones first. In `make test-all` somebody always
# waits for a browser.
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN)
SHARED := --dist loadgroup --no-loadscope-reorder

.PHONY: help book epub pdf kit test test-all lint format hooks lab edit bench results notebooks lowest clean
help:
	@echo "make book       build the site into _site/ and say how to open it"
	@echo "make epub       the whole book as _site/aucbook.epub (make pdf: printed by Chromium)"
	@echo "make kit        slides, handouts, graded notebooks and a cheat sheet for teachers, into _site/kit/"
	@echo "make test       test the library, and the pages that a change can break (ARGS=... goes to pytest)"
	@echo "make test-all   test the rest: all other pages, the built site, browsers, wheels (as long again, and longer)"
	@echo "make lint       what ruff and mypy have to say (make format: mend what it can)"
	@echo "make hooks      ruff and the export before every commit, and a template for its message"
	@echo "make lab        write copies of the notebooks for JupyterLab, and open them (make edit: the sources)"
	@echo "make bench      measure against scikit-learn and SciPy (ratios, JSON)"
	@echo "make results    recompute the stored results of long runs (AUCBOOK_DATA set; an hour or two)"
	@echo "make notebooks  export, re-execute every notebook in place, clean"
	@echo "make lowest     run the tests with the lowest declared versions"
	@echo "make clean      remove everything that can be rebuilt"

# One stamp for each set of extras; settings.ini is what they depend on. uv installs them in a tenth of pip's time; where uv
# itself cannot be installed, pip does the work.
INSTALL = @{ $(BIN)/python -m pip install --quiet --disable-pip-version-check uv 2> /dev/null \
	&& $(BIN)/python -m uv pip install --quiet --python $(BIN)/python -e '.[$(1)]'; } \
	|| $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$(1)]'

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "aucbook needs Python 3.10 or newer; try: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV)

# what `make book` needs: no JupyterLab, no engines, no peers
$(VENV)/.docs: settings.ini setup.py | $(VENV)/bin/python
	@echo "Installing aucbook and what its pages need into $(VENV)"
	$(call INSTALL,docs)
	@touch $@

# what `make test` needs; `docs` is part of it
$(VENV)/.dev: settings.ini setup.py | $(VENV)/bin/python
	@echo "Installing aucbook and what its tests need into $(VENV)"
	$(call INSTALL,dev)
	@touch $@ $(VENV)/.docs

$(VENV)/.lab: settings.ini setup.py | $(VENV)/bin/python
	@echo "Installing aucbook and JupyterLab into $(VENV)"
	$(call INSTALL,lab)
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(call INSTALL,bench)
	@touch $@

# Live cells run in the page with packages from npm. Where they cannot be had, the book is built without and says so.
LIVE := website/live/node_modules
$(LIVE)/.made: website/live/package-lock.json
	@echo "Installing what live cells need into $(LIVE)"
	@npm ci --prefix website/live --no-audit --no-fund --silent --fetch-retries=1 --fetch-timeout=30000 && touch $@
.PHONY: live
live:
	@{ command -v npm > /dev/null && $(MAKE) -s $(LIVE)/.made; } || echo "(npm's packages for live cells are not installed: the book shows code and stored outputs)"

book: $(VENV)/.docs live
	@$(BIN)/python -m website

epub pdf: book
	@$(BIN)/python -m website $@

kit: $(VENV)/.docs
	@$(BIN)/python -m website kit

# Python may keep its bytecode, whatever the environment says: hundreds of processes import the same modules. Compiled kernels stay in
# .cache/numba/, which the workers share; one whose code changes, or calls what changed, is compiled again.
PYTEST = PYTHONDONTWRITEBYTECODE= AUCBOOK_DATA="$(DATA)" $(BIN)/python -m pytest $(SHARED)

test: $(VENV)/.dev
	@$(PYTEST) -n $(WORKERS) -m "not slow" $(ARGS)

test-all: $(VENV)/.dev live
	@$(PYTEST) -n $$(expr $(WORKERS) + 1) -m slow $(ARGS)

lint: $(VENV)/.dev
	@$(BIN)/python -m ruff check . && $(BIN)/python -m ruff format --check . && $(BIN)/python -m mypy

format: $(VENV)/.dev
	@$(BIN)/python -m ruff check --fix --quiet . ; $(BIN)/python -m ruff format --quiet . && $(BIN)/python tools/notebooks.py export clean

hooks: $(VENV)/.dev
	@$(BIN)/python -m pre_commit install
	@git config commit.template .gitmessage

lab: $(VENV)/.lab
	@$(BIN)/aucbook lab aucbook-notebooks

edit: $(VENV)/.lab
	@cd nbs && ../$(BIN)/jupyter lab --LabApp.default_url=/lab/tree/index.ipynb

bench: $(VENV)/.bench
	@$(BIN)/python -m benchmarks

results: $(VENV)/.dev
	@test -n "$(DATA)" || { echo "set AUCBOOK_DATA to the folder of data sets first"; exit 2; }
	@AUCBOOK_DATA="$(DATA)" $(BIN)/python -m experiments $(ARGS)

notebooks: $(VENV)/.dev
	@$(BIN)/python tools/notebooks.py export execute clean

lowest: settings.ini
	@bash tests/lowest.sh $(PYTHON)

clean:
	@rm -rf _proc _docs _site build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .cache .hypothesis nbs/nbdev.yml nbs/sidebar.yml
	@find . -path ./$(VENV) -prune -o \( -name '*.nbi' -o -name '*.nbc' -o -name __pycache__ \) -exec rm -rf {} +
