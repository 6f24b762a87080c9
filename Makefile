# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

SHELL := /bin/bash
INVENTORY ?= inventories/lab
ARGS ?=
# ip, nft and the daemons live in sbin, which an ordinary user's PATH lacks
export PATH := $(CURDIR)/.venv/bin:$(PATH):/usr/sbin:/sbin

.DEFAULT_GOAL := help
.PHONY: help setup bench test lint lab-down clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: ## install what is missing (packages, .venv); says so first; quick when nothing is
	@scripts/setup

bench: setup ## measure the router of INVENTORY (the namespace lab); ARGS='-e bench_suite=standard' and the like
	@scripts/with_sudo "the lab's network namespaces need root" ansible-playbook playbooks/bench.yml -i $(INVENTORY) $(ARGS)

test: ## the tests; ARGS='-k words' and the like
	@scripts/setup --dev
	python -m pytest $(ARGS)

lint: ## ruff, mypy, yamllint, shellcheck, ansible-lint
	@scripts/setup --dev
	scripts/lint

lab-down: setup ## remove the namespace lab and what a killed run left behind
	@scripts/with_sudo "the lab's network namespaces need root" ansible-playbook playbooks/netns_lab.yml -i inventories/lab -e netns_lab_state=absent $(ARGS)

clean: ## remove the lab, .venv, links and caches; results/ and backup/ stay
	@if [ -x .venv/bin/ansible-playbook ] && [ -d /run/routerlab ]; then $(MAKE) --no-print-directory lab-down; fi
	rm -rf .venv .ansible build .mypy_cache .ruff_cache .hypothesis tests/output
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
