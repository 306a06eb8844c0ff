# Verbs of this project; `make help` lists them. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
N ?= 1e6

.DEFAULT_GOAL := help
.PHONY: help simulate test documents pages processes browser gate lint bounds plain bench reports clean

help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("simcore needs Python 3.11 or later; try make PYTHON=python3.12") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

simulate: $(READY) ## play a million games of Jeu du doigt at four players (N=1e5 for fewer)
	$(BIN)/simulate --game doigt --players 4 -n $(N)

test: $(READY) ## the tests of rules, engine, statistics and command line
	$(BIN)/python -m pytest -q -n 2 --dist worksteal

documents: $(READY) ## every command and every piece of Python in the documents
	$(BIN)/python -m pytest -q -n 2 --dist worksteal tests/documents

pages: $(READY) ## reports and figures
	$(BIN)/python -m pytest -q -n 2 --dist worksteal tests/pages

processes: $(READY) ## sweeps killed at random moments, and on Dask schedulers and workers
	$(BIN)/python -m pytest -q -n 2 --dist worksteal tests/processes

browser: $(READY) ## the report pages in headless Chromium (installs it, and axe-core, when missing)
	bash tests/browser/set-up $(abspath $(VENV))
	$(BIN)/python -m pytest -q -n 2 tests/browser

gate: $(READY) ## win rates against the committed baselines, and the tests of that gate
	$(BIN)/simulate check experiments/baselines/*.json
	$(BIN)/python -m pytest -q -n 2 --dist worksteal tests/gate

lint: $(READY) ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bounds: $(READY) ## the rules and strategies with every array access checked
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q tests/test_referee_doigt.py -n 2 -k "default or rotated"

plain: $(READY) ## the rules and strategies without the compiler
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n 2 tests/contract

bench: $(READY) ## speed, against hand-written C where ../shared/limit and a compiler exist
	$(BIN)/python -m experiments.bench

reports: $(READY) ## play the experiments of docs/reports, as far as they are not played yet, and write its pages
	$(BIN)/python -m experiments.make_reports

clean: ## remove the environment and caches
	rm -rf $(VENV) *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis tests/browser/node_modules
