# make demo: lints the example models.  make test: everything that CI demands.  Both begin on a fresh checkout
# and need nothing but make and Python 3.10 or later, with pip.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint format wheel clean

demo: $(VENV)/irlint
	@echo '$$ irlint examples'
	@$(BIN)/irlint examples || test $$? -eq 1

test: lint
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

wheel: $(VENV)/dev
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) dist build

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "irlint needs Python 3.10 or later: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/irlint: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/irlint
