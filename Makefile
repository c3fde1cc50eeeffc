# Every step by hand and in CI is a target here. `make up` is the main job, `make test` proves it.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
HOME_DIR ?= .omnium
PYTEST_WORKERS ?= 2

export PATH := $(CURDIR)/$(BIN):$(PATH)

SOURCES := contract flows omnium router push worker deploy releases store proto bench tests

# What a release is proven against (else the defaults of today), with which matches and which declared changes.
PREV   ?=
CORPUS ?= golden
NOTES  ?= $(wildcard flows/release-notes.toml)
# The fleet that is asked: by $OMNIUM_URL and $OMNIUM_TOKEN, else the one in the home.
FLEET  := $(if $(OMNIUM_URL),,--home $(HOME_DIR))
export PREV CORPUS NOTES HOME_DIR

.PHONY: install up down wheels proto fmt lint types arrows buf unit check structure test bench clean
.PHONY: gate replay refuse-existing-version stage

install: $(VENV)/.installed wheels

$(VENV)/.installed: constraints.txt pyproject.toml contract/pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "omnium needs Python 3.11 or newer: make install PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet -c constraints.txt -e "contract[testing]" -e . --group dev
	touch $@

wheels: $(VENV)/.installed
	$(BIN)/python -m omnium_releases.build --out dist

up: install
	$(BIN)/omnium up --home $(HOME_DIR) --flows dist

down: $(VENV)/.installed
	$(BIN)/omnium down --home $(HOME_DIR)

proto: $(VENV)/.installed
	$(BIN)/python proto/generate.py

fmt: $(VENV)/.installed
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

lint: $(VENV)/.installed
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)

types: $(VENV)/.installed
	$(BIN)/mypy $(SOURCES)

arrows: $(VENV)/.installed
	PYTHONPATH=flows $(BIN)/lint-imports

buf: $(VENV)/.installed
	$(BIN)/buf lint
	$(BIN)/buf breaking --against proto/baseline.binpb
	$(BIN)/python proto/generate.py --check

unit: $(VENV)/.installed
	$(BIN)/python -m pytest -q contract/tests tests/unit tests/shape
	PYTHONPATH=flows $(BIN)/python -m pytest -q flows/tests

check: lint types arrows buf unit

structure: $(VENV)/.installed
	PYTHONPATH=flows $(BIN)/python flows/scripts/check_structure.py
	PYTHONPATH=flows $(BIN)/python flows/scripts/check_clean_import.py

# From wheel to staging, in the order of .github/workflows/flows-release.yml; docs/guides/pipeline.md.

gate: check structure

refuse-existing-version: wheels
	$(BIN)/omnium releases unregistered dist $(FLEET)

replay: wheels
	.ci/replay

stage: wheels
	.ci/stage

# What failed is tried once more, one test at a time: tests of whole fleets have limits that a busy machine can break.
# A failure that stays is one.
test: install
	rm -rf .pytest_cache
	export PYTHONPATH=flows; \
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadgroup contract/tests flows/tests tests || \
	$(BIN)/python -m pytest --last-failed --last-failed-no-failures none contract/tests flows/tests tests

bench: install
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache
