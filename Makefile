# Two commands do everything: `make crawl SITEMAP=https://example.com/sitemap.xml` and `make test`.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SITEMAP ?=
ARGS ?=

.PHONY: crawl test check clean

crawl: $(VENV)/.core  ## crawl SITEMAP and plan its links; without SITEMAP the demo blog
ifeq ($(SITEMAP),)
	$(BIN)/python -m demo.crawl $(ARGS)
else
	$(BIN)/scrapy crawl interlink -a sitemap=$(SITEMAP) $(ARGS)
endif

test: $(VENV)/.dev $(VENV)/.chromium check  ## everything that CI runs
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip  # the pip that Python 3.11 brings fails on some of our dependencies

$(VENV)/.core: requirements-core.txt | $(VENV)/bin/pip
	$(BIN)/pip install --quiet -r requirements-core.txt
	touch $@

$(VENV)/.dev: requirements-core.txt requirements.txt requirements-indexes.txt requirements-dev.txt | $(VENV)/bin/pip
	$(BIN)/pip install --quiet -r requirements-dev.txt
	touch $@

$(VENV)/.chromium: | $(VENV)/.dev  ## the browser tests skip where there is none and none can be installed
	-command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; }
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
