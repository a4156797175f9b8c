# Fairfight. Each target does its own set-up in .venv; nothing is done twice.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Python keeps what it has compiled, whatever the surroundings say: the tests start many interpreters, and each
# would compile all of sim/ again. `make clean` removes it.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo studio test lint types bench soak frozen accept wheel oldest notebooks clean help

help:            ## what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up $(VENV) (once; a minute or two) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

demo: $(STAMP)   ## a fight of each game, a comparison, a level curve and a replay: reports/demo/index.html
	@$(BIN)/python experiments/demo.py

studio: $(STAMP) ## the workbench in the browser, on the files of this folder
	@$(BIN)/fairfight studio

lint: $(STAMP)
	@$(BIN)/ruff check .

types: $(STAMP)
	@$(BIN)/mypy

test: $(STAMP)   ## lint, types and all tests
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/pytest -n auto --dist worksteal

bench: $(STAMP)  ## encounters per second beside the scalar referee, written to reports/bench.json
	@$(BIN)/python -m tests.bench

soak: $(STAMP)   ## the heavier checks
	@FAIRFIGHT_SOAK=1 $(BIN)/pytest -n auto --dist worksteal -m soak

frozen: $(STAMP) ## play every shipped fight again: nothing changed since the results were accepted
	@$(BIN)/python -m tests.frozen check --jobs 2

accept: $(STAMP) ## take the results of now as the right ones, and say what moved
	@$(BIN)/python -m tests.frozen accept --jobs 2

wheel: $(STAMP)  ## build wheel and sdist into dist, and try the wheel in a clean environment
	@rm -rf dist
	@$(BIN)/python -m hatchling build
	@$(BIN)/pytest -q -m soak tests/test_packaging.py

# Not every test: those that need no extra, no browser and no tool of the developers.
FAST := tests/core tests/scenario tests/runs/test_runner.py tests/storage tests/results
OLDEST := build/oldest

oldest:          ## the tests that need no extra, with the oldest versions that are allowed
	@rm -rf $(OLDEST) && $(PYTHON) -m venv $(OLDEST)
	@$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint tests/oldest.txt \
		. "pytest>=9,<10" "hypothesis>=6.100" "icepool>=2.0" "jsonschema>=4.23"
	@$(OLDEST)/bin/python -m pytest -q -p no:cacheprovider -W default -m "not soak and not browser" $(FAST)

notebooks: $(STAMP)  ## execute the tours in notebooks/
	@$(BIN)/python -m tests.execute_notebooks

clean:           ## remove the virtual environment and everything made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist reports/demo
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
