# Placekeeper. `make run` starts the service with a demo app. `make demo` shows two devices. `make test` runs the tests.

SHELL := /bin/bash
SWIFT ?= swift
# Flags for the debug build and its tests. CI sets flags that turn warnings into errors.
FLAGS ?=
# Flags for the release build. `--ignore-lock` builds while tests run.
RELEASE_FLAGS ?=
# The tests that `make test` runs: a regular expression for `Target.Suite/test`.
FILTER ?=
PORT ?= 8080
LAN ?= 0
RUN ?= .run
PACE ?= 3
PREFIX ?= /usr/local
# The secret key with which `make dist` signs.
SIGN ?=
# Arguments for scripts/mutants.
MUTANTS ?=
# Arguments for placekeeper-bench-places.
PLACES ?=
# Arguments for placekeeper-bench-release.
RELEASE ?=
# Arguments for placekeeper-bench-lists.
LISTS ?=
# Arguments for the benchmark of PostgreSQL.
POSTGRES ?=
# Arguments for Tests/Hostile/costs.py and Tests/Hostile/beside.py.
COSTS ?=
BESIDE ?=
# The loads of `make profile`.
PROFILE ?=

binary := .build/release/placekeeper
sources := Sources Tests Benchmarks Package.swift

.PHONY: help run demo demo-picture build check test test-uikit build-uikit seeds bench profile bench-identity bench-lists bench-uploads bench-client bench-places bench-release fuzz hostile costs beside mutants failover power-loss bench-postgres long-runs nightly database-fixture lint format docs docc api dist install clean dependencies demo-build

run: build  ## start the service for a demo app, print a link to the demo page and a walk-through, and tell events (PORT=8081, RUN=folder, LAN=1: listen on the network)
	@PORT="$(PORT)" LAN="$(LAN)" scripts/run $(binary) "$(RUN)"

demo: demo-build  ## play a story on a phone and a pad in this terminal (PACE=3: seconds for each step); .build/debug/placekeeper-demo has keys
	@.build/debug/placekeeper-demo --script --pace $(PACE)

demo-picture: build  ## record the picture of the demo page anew in docs/pages/demo.webp
	Tests/Page/run.sh --version
	scripts/demo-picture $(binary) docs/pages/demo.webp

demo-build: dependencies
	$(SWIFT) build --product placekeeper $(FLAGS)
	$(SWIFT) build --product placekeeper-demo $(FLAGS)

# The folder of the sources is in no build, so that two builds of the same sources are identical.
identical = -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen

# Equal functions are one function (--icf=all): nothing in the program compares their addresses.
build: dependencies  ## build .build/release/placekeeper: Swift linked statically, C libraries dynamically, stripped
	$(SWIFT) build -c release --product placekeeper --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -s -Xlinker --no-export-dynamic -Xlinker --icf=all $(identical) $(RELEASE_FLAGS)

check: dependencies  ## check the changes of the working tree, and run the tests of the changed targets
	SWIFT="$(SWIFT)" scripts/check $(FLAGS)

test: dependencies  ## run all tests but those of test-uikit, or some (FILTER=LatestTests); tests on public test data run only if PLACEKEEPER_CORPORA names its folder
	$(SWIFT) build --build-tests $(FLAGS)
	SWIFT="$(SWIFT)" scripts/test $(FLAGS) $(if $(FILTER),--filter '$(FILTER)')

# UIKit exists on Apple's systems only. Its adapter is tested with a double, in a folder of its own: no other target must find it.
build-uikit: dependencies
	PLACEKEEPER_UIKIT=double $(SWIFT) build --build-tests --scratch-path .build-uikit $(FLAGS)

test-uikit: build-uikit  ## run the tests of UIKit's state restoration, with a double of UIKit
	PLACEKEEPER_UIKIT=double SWIFT="$(SWIFT)" scripts/test --scratch-path .build-uikit $(if $(FILTER),--filter '$(FILTER)')

seeds: build-uikit  ## run the tests of the rows of docs/seeds.md and list which rows pass
	$(SWIFT) build --build-tests $(FLAGS)
	@scripts/seeds

bench: build  ## measure the service with wrk, and compare its parts with Foundation's
	$(SWIFT) build -c release --product placekeeper-bench --static-swift-stdlib -Xlinker -s
	Benchmarks/run.sh

profile: dependencies  ## profile the service under each load of the benchmark (PROFILE="upload latest")
	$(SWIFT) build -c release --product placekeeper --static-swift-stdlib -Xlinker --no-export-dynamic --scratch-path .build-profile
	Benchmarks/profile.sh .build-profile/release/placekeeper $(PROFILE)

bench-identity: dependencies  ## measure identity across devices: a user with ten devices of 100,000 items each, among 1,000 other users
	$(SWIFT) build -c release --product placekeeper-bench-identity --static-swift-stdlib -Xlinker -s
	rm -rf .build-bench/identity
	mkdir -p .build-bench
	.build/release/placekeeper-bench-identity .build-bench/identity
	python3 Benchmarks/identity-plot.py .build-bench/identity/identity.json .build-bench/identity-cost.svg

bench-lists: dependencies  ## measure how often list items land right on another device (LISTS="--people 50 --kind music")
	$(SWIFT) build -c release --product placekeeper-bench-lists --static-swift-stdlib -Xlinker -s
	.build/release/placekeeper-bench-lists $(LISTS)

bench-uploads: dependencies  ## measure the cost of an upload for a user with one device, and with 256 devices that were served archives
	$(SWIFT) build -c release --product placekeeper-bench-uploads --static-swift-stdlib -Xlinker -s
	.build/release/placekeeper-bench-uploads

bench-client: build  ## measure the client with its files and sockets: saving, flushing, events, launches, and its size
	SWIFT="$(SWIFT)" Benchmarks/client.sh

bench-places: dependencies  ## simulate 1,000 people for 30 days, and count the launches that lead elsewhere than to the last work (PLACES="--seed 2")
	$(SWIFT) build -c release --product placekeeper-bench-places
	mkdir -p .build-bench
	.build/release/placekeeper-bench-places --json .build-bench/places.json $(PLACES)
	python3 Benchmarks/places-plot.py .build-bench/places.json .build-bench/places-wrong.svg .build-bench/places-by-day.svg

bench-release: dependencies  ## simulate a release that crashes while it restores, on 10,000 devices (RELEASE="--devices 500 --seed 7")
	$(SWIFT) build -c release --product placekeeper-bench-release
	mkdir -p .build-bench
	.build/release/placekeeper-bench-release --json .build-bench/bad-release.json $(RELEASE)
	python3 Benchmarks/release-plot.py .build-bench/bad-release.json .build-bench/bad-release.svg

fuzz: dependencies  ## fuzz the archive reader, the HTTP parser and state restoration, one minute each
	Tests/Fuzz/run.sh archive 60
	Tests/Fuzz/run.sh http 60
	Tests/Fuzz/run.sh restore 60

hostile: build  ## attack the service for five minutes while a healthy client uses it (SEED=1 repeats a run)
	Tests/Hostile/run.sh 300 $(binary)

costs: build  ## compare the CPU that expensive bodies cost with plain JSON, on every route (COSTS="--sample 12")
	python3 -B Tests/Hostile/costs.py $(binary) $(COSTS)

beside: build  ## measure other users' uploads and reads beside attacks, and beside plain requests (BESIDE="--only escapes")
	python3 -B Tests/Hostile/beside.py $(binary) $(BESIDE)

failover: build  ## kill, freeze and cut off instances, servers and networks of PostgreSQL, and check that nothing acknowledged is lost (FAILOVER="--rounds 2 --only primary-lost")
	Tests/Failover/run.sh $(binary) $(FAILOVER)

power-loss: build  ## cut the power of the service and of frequent backups 100 times, on a FUSE file system that loses what was not synced (POWER="--rounds 20")
	Tests/PowerLoss/run.sh $(binary) $(POWER)

bench-postgres: build  ## measure the service on PostgreSQL and on SQLite in turns, and compare the figures with their goals (POSTGRES="--only items")
	Benchmarks/PostgreSQL/run.py $(binary) $(POSTGRES)

long-runs: dependencies  ## run 10,000 histories of items and 2,000 of accounts on each store, 21,000 of clients, fail each operation of the disk, open 2,000 mutated databases and exports, and kill the service 100 times (CI runs samples)
	$(SWIFT) build --build-tests $(FLAGS)
	scripts/long-runs

nightly: build dependencies  ## run in full what `.ci/run` samples: the long runs, each fault of PostgreSQL, and the end-to-end tests on PostgreSQL and the Dispatch poller
	$(SWIFT) build --build-tests $(FLAGS)
	.ci/postgres --all
	.ci/poller --all
	Tests/Failover/run.sh $(binary)
	scripts/long-runs

database-fixture: dependencies  ## write a database of the current schema version, which later versions must migrate
	$(SWIFT) build --build-tests $(FLAGS)
	SWIFT="$(SWIFT)" scripts/database-fixture

mutants: dependencies  ## change single lines of the sources, and list the changes that no test detects (MUTANTS="--seed 7")
	scripts/mutants $(MUTANTS)

lint:  ## check the format, the imports of each target, and the text
	$(SWIFT) format lint --strict --recursive $(sources)
	.ci/imports
	.ci/text
	.ci/links
	.ci/evidence

format:  ## format the sources with swift format
	$(SWIFT) format --in-place --recursive $(sources)

docs:  ## build the documentation as a site in .build/docs: guides, HTTP API, Swift reference, search. Needs no server
	@scripts/dependencies python3-markdown-it python3-pygments python3-yaml
	@PATH="/usr/bin:$$PATH" scripts/docs-site .build/docs

docc:  ## build the reference of the libraries with DocC in .build/docc, and check the links in its comments
	scripts/docc .build/docc

api: build-uikit  ## list the public interface of the libraries in docs/api, which CI compares with the sources
	$(SWIFT) build --build-tests $(FLAGS)
	scripts/api docs/api

dist: build  ## make the package, the tarball, an SBOM and checksums in .build/dist (SIGN=minisign.key: sign them)
	scripts/dist $(binary) .build/dist "$(SIGN)"

install: build  ## install into $(PREFIX), with the systemd units, and the settings in /etc/placekeeper
	scripts/install $(binary) "$(PREFIX)" "$(DESTDIR)"

help:  ## print this list
	@awk -F ':.*  ## ' '/^[a-z-]+:.*  ## / {printf "make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

clean:
	$(SWIFT) package clean
	rm -rf .build-ci .build-docs .build-bench .build-mutants .build-profile .build-uikit

dependencies:
	@scripts/dependencies
