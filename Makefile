# Every target works from a fresh clone: the virtual environment is made on first use.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
BENCH  := $(VENV)/.bench-ready
SITE   := $(VENV)/.docs-ready

.PHONY: demo test lint bench fuzz honest attack docs site coverage wheel verifier clean help

help:            ## this list
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /	/' | expand -t 12

$(READY): pyproject.toml verify/pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ./verify -e ".[test]"
	@touch $@

$(BENCH): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ./verify -e ".[bench]"
	@touch $@

# The site needs less than the tests do, so it does not wait for what they install.
$(SITE): pyproject.toml verify/pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ./verify -e ".[docs]"
	@touch $@

demo: $(READY)   ## the main job on real examples
	$(BIN)/python examples/demo.py

lint: $(READY)   ## ruff and strict type checking
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint       ## everything that must pass: lint, types, tests, doctests
	@sh tools/browser.sh
	$(BIN)/pytest -n 2 --dist worksteal

fuzz: $(READY)   ## long random runs: no false alarm, no miss (CASES=..., SEED=...)
	$(BIN)/python -m benchmarks.fuzz --cases $(or $(CASES),200000) --seed $(or $(SEED),1)
	$(BIN)/python -m benchmarks.long_means true --cases $(or $(CASES),20000) --seed $(or $(SEED),1) --out true_means_$(or $(SEED),1).jsonl
	$(BIN)/python -m benchmarks.long_means tiny --cases 2000 --seed $(or $(SEED),1) --out tiny_means_$(or $(SEED),1).jsonl
	$(BIN)/python -m benchmarks.fuzz_kinds --cases $(or $(CASES),20000) --seed $(or $(SEED),1) --journal fuzz_kinds_$(or $(SEED),1).jsonl
	$(BIN)/python -m benchmarks.fuzz_multiclass --cases 5000 --reports $(or $(CASES),20000) --seed $(or $(SEED),1)

honest: $(READY) ## honest authors, end to end: none may be flagged (CASES=..., DOCUMENTS=..., SEED=...)
	$(BIN)/python -m benchmarks.honest --cases $(or $(CASES),20000) --documents $(or $(DOCUMENTS),500) --seed $(or $(SEED),1)
	$(BIN)/python -m benchmarks.honest.texts --cases $(or $(DOCUMENTS),500) --seed $(or $(SEED),1)

attack: $(READY) ## hostile inputs and mutations of real files: none may hang, fill the memory or crash (MUTANTS=..., SEED=...)
	$(BIN)/python -m benchmarks.attack --mutants $(or $(MUTANTS),500) --seed $(or $(SEED),1)
	$(BIN)/python -m benchmarks.attack.signatures --seed $(or $(SEED),1)
	$(BIN)/python -m benchmarks.attack.kills --seed $(or $(SEED),1)

docs: $(SITE)     ## the documentation site: build/docs/index.html; warnings are errors, examples are run
	$(BIN)/python -m doctest docs/_ext/*.py
	$(BIN)/sphinx-build -W --keep-going -j auto -q -b html -d build/doctrees docs build/docs
	@echo "the site: build/docs/index.html"

site: $(READY)    ## the built site in Chromium: wide, narrow and dark, with axe-core (make docs first; PAGES=index.html for some)
	@sh tools/browser.sh
	$(BIN)/python tools/look_at_site.py $(PAGES)

coverage: $(READY) ## how much of the package the tests run: build/coverage/index.html, and a line for the figures of merit
	$(BIN)/coverage erase
	$(BIN)/pytest -n 2 --dist worksteal --cov --cov-report=
	$(BIN)/coverage html -q -d build/coverage
	$(BIN)/python -m benchmarks.covered

wheel: $(READY)   ## build the wheel, install it in clean environments, alone and with each extra, and use it there
	$(BIN)/python tools/try_wheel.py

bench: $(BENCH)  ## speed as ratios to mlscorecheck and to the naive way, in one run
	$(BIN)/python -m benchmarks

verifier:        ## shorten the verifier that pages carry (needs npm); verify/js has its sources
	$(PYTHON) verify/js/build.py

clean:           ## remove the virtual environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
