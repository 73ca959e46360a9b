# From a fresh clone to results: `make run`, `make test`. Nothing is done twice; needs Python, cargo and make.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help docs run test lint test-rust test-python bench browser screenshots check-cells check-superpuzz check-klondike check-klondike-shortest check-calculation check-daifugo check-uecda check-tricks check-estimates check-cluster check-kills check-docker check-scale check-figures check-speed test-lowest tables tables-full build wheel dist lock clean

VENV := .venv
BIN := $(VENV)/bin
CRATE := engines/native
RUST_SOURCES := $(CRATE)/Cargo.toml $(CRATE)/Cargo.lock $(shell find $(CRATE)/src -name '*.rs')
# Stamps: what is newer than its stamp is done again.
MADE := $(VENV)/.made
DEPENDENCIES := $(VENV)/.dependencies
# The package is there, built by either profile; it is there as a release build.
PACKAGE := $(VENV)/.package
RELEASE := $(VENV)/.package-release
# What Ray's dashboard needs, apart: with it in the same place every Ray takes twice as long to start.
DASHBOARD := $(VENV)/dashboard
# The rules of axe for pages; what drives another browser with them is not needed.
AXE := $(VENV)/axe
# Both are installed in the same place. (cargo uses all processors by itself.)
.NOTPARALLEL:

# An environment with the lowest versions that are allowed.
LOWEST := $(VENV)/lowest

# A program of others that checks proofs (DRAT).
CHECKER := $(VENV)/rate/bin/rate

# What a release consists of; dist/ may have earlier ones.
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
RELEASED = dist/yamafuda-$(VERSION).tar.gz dist/yamafuda-$(VERSION)-*.whl

# Python to make the environment with, such as PYTHON=/opt/python3.12/bin/python3; the first that fits if not given.
PYTHON ?=
PYTHONS := $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)
# As an extension module the crate links no Python library, so that none has to be installed to test it.
CARGO_OPTIONS := --locked --quiet --manifest-path $(CRATE)/Cargo.toml --features pyo3/extension-module

# rustup puts cargo there, and a shell that was open before does not know.
export PATH := $(PATH):$(HOME)/.cargo/bin
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python

need_cargo = @command -v cargo >/dev/null || \
	{ echo "make: cargo was not found; install Rust 1.88 or newer (rustup)" >&2; exit 1; }
need_lints = @cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 || \
	{ echo "make: cargo fmt or cargo clippy was not found; rustup component add rustfmt clippy" >&2; exit 1; }

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(RELEASE) ## Build the two-board tables for 1 to 8 cards, compare them with the paper, query them
	$(BIN)/yamafuda run -m job=stackgame_table job.stacks=3,4 job.boards=2 'job.cards=range(1,9)' cluster=local
	$(BIN)/yamafuda report stackgame
	$(BIN)/yamafuda query "SELECT layer, sum(states_count) AS states, sum(value_sum) / sum(states_count) AS mean_p \
	FROM stackgame_table WHERE stacks = 4 AND cards = 8 GROUP BY layer ORDER BY layer DESC"

test: lint test-rust test-python ## Set up what is missing, run all checks and all tests

lint: $(PACKAGE) ## Check form and types: ruff, mypy --strict, cargo fmt, clippy
	$(need_cargo)
	$(need_lints)
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	cargo fmt --check --manifest-path $(CRATE)/Cargo.toml
	cargo clippy $(CARGO_OPTIONS) --all-targets -- -D warnings

test-rust: $(MADE) ## Run the tests of the Rust core
	$(need_cargo)
	cargo test $(CARGO_OPTIONS)

test-python: $(PACKAGE) $(DASHBOARD) $(AXE) ## Run the Python tests
	$(BIN)/pytest -n auto

test-lowest: $(PACKAGE) ## Slow: the Python tests with the lowest versions that pyproject.toml allows (some: TESTS=tests/storage)
	$(BIN)/pip install --quiet --target $(VENV)/lock uv
	$(VENV)/lock/bin/uv venv --quiet --clear --seed --python $(BIN)/python $(LOWEST)
	$(VENV)/lock/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct \
		--requirement pyproject.toml --extra dev
	env -u CONDA_PREFIX VIRTUAL_ENV=$(CURDIR)/$(LOWEST) PIP_QUIET=1 \
		$(BIN)/maturin develop --profile dev --locked --quiet
	$(LOWEST)/bin/pytest -n auto $(TESTS)

bench: $(RELEASE) ## Measure states, look-ups, playouts and games a second, bytes a state, full-size deals decided
	$(BIN)/python tests/bench/bench_stackgame.py
	$(BIN)/python tests/bench/bench_superpuzz.py
	$(BIN)/python tests/bench/bench_klondike.py
	$(BIN)/python tests/bench/bench_shortest.py
	$(BIN)/python tests/bench/bench_daifugo.py
	$(BIN)/python tests/bench/bench_uecda.py
	$(BIN)/python tests/bench/bench_calculation.py
	$(BIN)/python tests/bench/bench_tricks.py
	$(BIN)/python tests/bench/bench_runs.py
	$(BIN)/python tests/bench/bench_overhead.py
	PYTHONPATH=tests/pages:tests/pipeline $(BIN)/python tests/bench/bench_pages.py

browser: ## Install the browser of the tests: Debian's chromium (as root)
	apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium chromium-driver

screenshots: $(PACKAGE) $(AXE) ## Take pictures of all pages into screenshots/, wide and narrow, light and dark
	PYTHONPATH=tests/pipeline $(BIN)/python tests/pages/screenshots.py screenshots

docs: $(PACKAGE) ## Make docs/data.md, the grammars of engines/TEXT.md, docs/tutorial.ipynb, and the picture of the README
	$(BIN)/python docs/make_data.py
	$(BIN)/python docs/make_text.py
	$(BIN)/python docs/make_tutorial.py
	$(BIN)/python docs/make_picture.py

check-cells: $(RELEASE) ## Slow: the referee counts the first layers of the cells that the paper leaves open
	$(BIN)/python tests/slow/check_new_cells.py

check-superpuzz: $(RELEASE) ## Slow: decide against the census on 20,000 positions, reductions against whole games
	$(need_cargo)
	$(BIN)/python tests/slow/check_superpuzz.py
	cargo test --release $(CARGO_OPTIONS) superpuzz::decide::tests::fuzz -- --ignored --nocapture --test-threads 1

check-klondike: $(MADE) ## Slow: Klondike's solver against a plain search on 100,000 small games, larger ones and full deals
	$(need_cargo)
	cargo test --release $(CARGO_OPTIONS) --lib klondike -- --ignored

check-klondike-shortest: $(RELEASE) ## Slow: fewest moves of full deals that others have proven, with times, states and memory
	$(BIN)/python tests/slow/check_klondike_shortest.py

check-calculation: $(RELEASE) $(CHECKER) ## Slow: the pile open: small decks by trying everything, proofs by programs of others; the paper's game
	cargo test --release $(CARGO_OPTIONS) --lib calculation::open -- --ignored
	$(BIN)/python tests/slow/check_calculation.py $(CHECKER)
	$(BIN)/python tests/slow/check_appendix.py

check-daifugo: $(RELEASE) ## Slow: Daihinmin's core against the referee on 100,000 positions and 2000 games
	$(BIN)/python tests/slow/check_daifugo.py

check-uecda: $(RELEASE) ## Slow: 100,000 broken tables thrown at the server and at the client of UECda, two minutes
	$(BIN)/python tests/slow/check_uecda.py

check-tricks: $(RELEASE) ## Slow: trick taking's rules for any size against every deal of up to 13 cards each, 2,000 of up to 100
	$(BIN)/python tests/slow/check_tricks.py

check-estimates: $(RELEASE) ## Slow: what --dry-run foretells of each job against runs of small instances, half an hour
	$(BIN)/python tests/slow/check_estimates.py

check-cluster: $(PACKAGE) ## Slow: what is killed, cut off and filled up in a cluster of three hosts in namespaces (as root)
	$(BIN)/pytest -q -s tests/cluster/check_*.py

check-kills: $(PACKAGE) ## Slow: 200 random kills in one run on three hosts in namespaces (as root)
	$(BIN)/pytest -q -s tests/cluster/random_kills.py

check-docker: $(PACKAGE) ## Slow: the image is built and the compose file started; runs in it against those of one process
	@$(BIN)/pip install --quiet 'podman-compose>=1.6,<2'
	$(BIN)/python tests/cluster/docker_cluster.py

check-scale: $(PACKAGE) ## Slow: a million units on 1,000 simulated workers, stopped once: the driver's time, memory, status and query
	$(BIN)/python tests/slow/million_units.py
	$(BIN)/python tests/slow/simulated_cluster.py --stop 0.6

check-speed: $(RELEASE) ## Slow: the figures of docs/speed.md against the bench, half an hour (some, or slow ones: PARTS="klondike runs-ray")
	$(BIN)/python tests/bench/check_speed.py $(PARTS)

check-figures: $(RELEASE) ## Slow: counts that pages print are computed again, 40 minutes of one core (a limit for each: SECONDS=100)
	$(BIN)/python tests/golden/figures.py --remake $(SECONDS)

tables: $(RELEASE) ## Slow: the paper's largest table for 3 stacks (12 cards a board)
	$(BIN)/yamafuda run job=stackgame_table job.stacks=3 job.cards=12 cluster=local

tables-full: $(RELEASE) ## Very slow: the paper's largest table for 4 stacks (12 cards a board)
	$(BIN)/yamafuda run job=stackgame_table job.stacks=4 job.cards=12 cluster=local

build: $(PACKAGE) ## Set up .venv and build the package into it (development build)

wheel: $(DEPENDENCIES) ## Build a wheel into dist/, for any Python from 3.11 on and any Linux with glibc 2.28
	$(need_cargo)
	$(BIN)/pip install --quiet --target $(VENV)/zig --upgrade ziglang==0.17.1
	PYTHONPATH=$(CURDIR)/$(VENV)/zig $(BIN)/maturin build --profile release --locked --quiet \
		--zig --compatibility manylinux_2_28 --out dist

# (For the source archive maturin also looks for a Cargo.toml here; its line that there is none means nothing.)
dist: wheel ## Build what a release has into dist/: the source archive, the wheel; twine checks them
	$(BIN)/maturin sdist --out dist
	$(BIN)/pip install --quiet --target $(VENV)/twine --upgrade twine==7.0.0
	PYTHONPATH=$(CURDIR)/$(VENV)/twine $(BIN)/python -m twine check --strict $(RELEASED)

lock: $(MADE) ## Renew constraints.txt and Cargo.lock within the ranges of pyproject.toml and Cargo.toml
	$(need_cargo)
	$(BIN)/pip install --quiet --target $(VENV)/lock uv
	$(VENV)/lock/bin/uv pip compile pyproject.toml --extra dev --universal --upgrade --quiet \
		--no-header --no-annotate --python $(BIN)/python --output-file constraints.txt
	echo 'ray[default]' | $(VENV)/lock/bin/uv pip compile - --constraint constraints.txt --universal --quiet \
		--no-header --no-annotate --python $(BIN)/python | grep -vxFf constraints.txt > tests/pipeline/dashboard.txt
	cargo update --quiet --manifest-path $(CRATE)/Cargo.toml

$(CHECKER): $(MADE)
	$(need_cargo)
	cargo install --quiet --locked --version 0.3.0 --root $(VENV)/rate --no-track rate

clean: ## Remove what was built and .venv; results stay
	rm -rf $(VENV) $(CRATE)/target dist engines/_native*.so .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(MADE):
	@for python in $(PYTHONS); do \
		$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
		$$python -c 'import ensurepip, venv' 2>/dev/null || \
			{ echo "make: $$python cannot make environments; install its venv package (python3-venv)" >&2; exit 1; }; \
		$$python -m venv $(VENV) && touch $@; exit; \
	done; \
	echo "make: no Python 3.11 or newer among $(PYTHONS); install one, or name it: make PYTHON=..." >&2; exit 1

# constraints.txt is the whole lock: every package with its version.
$(DEPENDENCIES): constraints.txt $(MADE)
	$(BIN)/pip install --quiet --disable-pip-version-check -r constraints.txt
	@touch $@

$(DASHBOARD): tests/pipeline/dashboard.txt $(MADE)
	@rm -rf $@
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --target $@ -r $<
	@touch $@

$(AXE): tests/pages/axe.txt $(MADE)
	@rm -rf $@
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --target $@ -r $<
	@touch $@

# An editable install: Python changes need no build, and cargo compiles what changed in the crate.
define install
	$(need_cargo)
	env -u CONDA_PREFIX VIRTUAL_ENV=$(CURDIR)/$(VENV) PIP_CONSTRAINT=constraints.txt PIP_QUIET=1 \
		$(BIN)/maturin develop --profile $(1) --locked --quiet
endef

# As fast at run time, within a few percent, and built in seconds. A release build does as well.
$(PACKAGE): $(DEPENDENCIES) pyproject.toml $(RUST_SOURCES)
	@rm -f $(RELEASE)
	$(call install,dev)
	@touch $@

$(RELEASE): $(DEPENDENCIES) pyproject.toml $(RUST_SOURCES)
	$(call install,release)
	@touch $(PACKAGE) $@
