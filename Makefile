# `make demo` runs the main job on a mock fleet; `make test` runs what CI runs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: help install demo test test-all bench lint format clean

help:
	@echo "make demo      both shipped fabrics, from intent to verified mock switches"
	@echo "make test      format, lint, types, import contract, tests: what CI runs"
	@echo "make test-all  the same with the long tests"
	@echo "make bench     measurements: time and memory a device"
	@echo "make format    write the format that make test checks"

install: $(BIN)/.installed

$(BIN)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "nettool needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	-$(BIN)/pip install --quiet --disable-pip-version-check -e '.[yang]'
	@touch $@

demo: install
	@$(BIN)/nettool demo

test: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -m 'not slow and not bench' -n 2 --dist worksteal

test-all: install
	$(BIN)/pytest -m 'not bench' -n 2 --dist worksteal

bench: install
	$(BIN)/pytest -m bench -s tests/bench

format: install
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .demo dist build
