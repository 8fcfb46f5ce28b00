# Two commands matter: `make book` and `make test`. Everything else is a convenience.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
DATA   ?= $(AUCBOOK_DATA)

.PHONY: help book epub pdf test lab bench results notebooks lowest clean
help:
	@echo "make book       build the site into _site/ and say how to open it"
	@echo "make epub       the whole book as _site/aucbook.epub (make pdf: printed by Chromium)"
	@echo "make test       run every test, from empty numba caches"
	@echo "make lab        open the notebooks in JupyterLab"
	@echo "make bench      measure against scikit-learn and SciPy (ratios, JSON)"
	@echo "make results    recompute the stored results of long runs (AUCBOOK_DATA set; an hour or two)"
	@echo "make notebooks  re-execute every notebook in place, export, clean"
	@echo "make lowest     run the tests with the lowest declared versions"
	@echo "make clean      remove everything that can be rebuilt"

# One stamp per set of extras; settings.ini is what they depend on.
$(VENV)/.dev: settings.ini setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "aucbook needs Python 3.10 or newer; try: make PYTHON=python3.12 ...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing aucbook and its tools into $(VENV) (a few minutes the first time)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@
$(VENV)/.lab: $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[lab]'
	@touch $@

book: $(VENV)/.dev
	@$(BIN)/python website/build.py

epub pdf: book
	@$(BIN)/python website/book.py $@

# A cached kernel goes stale silently when a kernel it calls changes in another module: tests start from empty caches.
test: $(VENV)/.dev
	@cache=$$(mktemp -d) && trap 'rm -rf "$$cache"' EXIT && \
	find . -path ./$(VENV) -prune -o \( -name '*.nbi' -o -name '*.nbc' \) -exec rm -f {} + && \
	NUMBA_CACHE_DIR=$$cache XDG_CACHE_HOME=$$cache AUCBOOK_DATA="$(DATA)" $(BIN)/python -m pytest $(ARGS)

lab: $(VENV)/.lab
	@cd nbs && ../$(BIN)/jupyter lab

bench: $(VENV)/.dev
	@$(BIN)/python -m benchmarks

results: $(VENV)/.dev
	@test -n "$(DATA)" || { echo "set AUCBOOK_DATA to the folder of data sets first"; exit 2; }
	@AUCBOOK_DATA="$(DATA)" $(BIN)/python -m experiments $(ARGS)

notebooks: $(VENV)/.dev
	@$(BIN)/python -m nbconvert --to notebook --execute --ClearMetadataPreprocessor.enabled=True --ClearMetadataPreprocessor.clear_cell_metadata=False --ClearMetadataPreprocessor.preserve_nb_metadata_mask=kernelspec --inplace nbs/[0-9]*.ipynb nbs/index.ipynb
	@$(BIN)/nbdev_export && $(BIN)/nbdev_clean

lowest: settings.ini
	@bash tests/lowest.sh $(PYTHON)

clean:
	@rm -rf _proc _docs _site build dist *.egg-info .pytest_cache .hypothesis .coverage nbs/nbdev.yml nbs/sidebar.yml
	@find . -path ./$(VENV) -prune -o \( -name '*.nbi' -o -name '*.nbc' -o -name __pycache__ \) -exec rm -rf {} +
