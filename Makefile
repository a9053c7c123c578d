# Placekeeper. `make run` starts the service with a demo app; `make test` runs the tests.

SHELL := /bin/bash
SWIFT ?= swift
# Flags for the debug build and its tests; CI makes warnings errors here.
FLAGS ?=
PORT ?= 8080
LAN ?= 0
RUN ?= .run
PREFIX ?= /usr/local
# Arguments of scripts/mutants.
MUTANTS ?=

binary := .build/release/placekeeper
sources := Sources Tests Benchmarks Package.swift

.PHONY: help run build test seeds bench bench-identity bench-uploads fuzz hostile mutants long-runs lint format docs install clean dependencies

run: build  ## start the service with a demo app and print a walk-through (PORT=8081, RUN=folder, LAN=1: beyond this machine)
	@PORT="$(PORT)" LAN="$(LAN)" scripts/run $(binary) "$(RUN)"

build: dependencies  ## .build/release/placekeeper: Swift linked statically, C libraries dynamically, stripped
	$(SWIFT) build -c release --product placekeeper --static-swift-stdlib -Xlinker -s

test: dependencies  ## run all tests; those on public test data run when PLACEKEEPER_CORPORA names its folder
	$(SWIFT) build --build-tests $(FLAGS)
	SWIFT="$(SWIFT)" scripts/test $(FLAGS)

seeds: dependencies  ## which rows of docs/seeds.md hold, by their tests
	$(SWIFT) build --build-tests $(FLAGS)
	@scripts/seeds

bench: build  ## measure the service with wrk, and its parts beside Foundation's
	$(SWIFT) build -c release --product placekeeper-bench --static-swift-stdlib -Xlinker -s
	Benchmarks/run.sh

bench-identity: dependencies  ## measure identity across devices: a user of ten devices with 100,000 items each, among 1,000 others
	$(SWIFT) build -c release --product placekeeper-bench-identity --static-swift-stdlib -Xlinker -s
	rm -rf .build-bench/identity
	mkdir -p .build-bench
	.build/release/placekeeper-bench-identity .build-bench/identity
	python3 Benchmarks/identity-plot.py .build-bench/identity/identity.json .build-bench/identity-cost.svg

bench-uploads: dependencies  ## measure what an upload costs with one device of a user, and with 256 that were served archives
	$(SWIFT) build -c release --product placekeeper-bench-uploads --static-swift-stdlib -Xlinker -s
	.build/release/placekeeper-bench-uploads

fuzz: dependencies  ## a minute each of the archive reader, of the HTTP parser, and of apps that start from what they find
	Tests/Fuzz/run.sh archive 60
	Tests/Fuzz/run.sh http 60
	Tests/Fuzz/run.sh restore 60

hostile: build  ## attack the service for five minutes while a healthy client uses it (SEED=1 repeats a mix)
	Tests/Hostile/run.sh 300 $(binary)

long-runs: dependencies  ## 10,000 histories of items on each store, and 100 kills of the service: CI runs samples
	$(SWIFT) build --build-tests $(FLAGS)
	scripts/long-runs

mutants: dependencies  ## change single lines of the sources, and show the changes that no test notices (MUTANTS="--seed 7")
	scripts/mutants $(MUTANTS)

lint:  ## formatting, arrows between targets, and text
	$(SWIFT) format lint --strict --recursive $(sources)
	.ci/imports
	.ci/text
	.ci/links

format:  ## as the tool writes it
	$(SWIFT) format --in-place --recursive $(sources)

docs:  ## the library's reference as a static site, in .build/docs
	scripts/docs .build/docs

install: build  ## into $(PREFIX), with the status page and the unit for systemd
	install -D -m 755 $(binary) $(DESTDIR)$(PREFIX)/bin/placekeeper
	install -d $(DESTDIR)$(PREFIX)/share/placekeeper
	cp -R Public $(DESTDIR)$(PREFIX)/share/placekeeper/
	install -D -m 644 deploy/placekeeper.service $(DESTDIR)/etc/systemd/system/placekeeper.service

help:  ## this list
	@awk -F ':.*  ## ' '/^[a-z-]+:.*  ## / {printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

clean:
	$(SWIFT) package clean
	rm -rf .build-ci .build-docs .build-bench .build-mutants Tests/Consumer/.build

dependencies:
	@scripts/dependencies
