# `make demo` runs the main job on a mock fleet; `make test` runs what CI runs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
# compiled files are kept, whatever is set: each playbook of the tests starts Python anew
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help install demo test test-all bench style types format clean

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
	$(PIP) -e '.[dev,yang]' || $(PIP) -e '.[dev]'
	@touch $@

demo: install
	@$(BIN)/nettool demo

test: install
	$(MAKE) -j2 style types
	$(BIN)/pytest -m 'not slow and not bench' -n 2 --dist worksteal

style: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: install
	$(BIN)/mypy

test-all: install
	$(BIN)/pytest -m 'not bench' -n 2 --dist worksteal

bench: install
	$(BIN)/pytest -m bench -s tests/bench

format: install
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .demo dist build
