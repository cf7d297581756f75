# The targets of dictsvc; `make` alone lists them.
.DEFAULT_GOAL := help
GO ?= go
# The tests' programs: ClickHouse 26.7 in process (npm chdb), put where all checkouts of a machine share it.
DICTSVC_CHDB ?= $(HOME)/.cache/dictsvc/chdb
export DICTSVC_CHDB

.PHONY: help build test test-short lint bench conformance-record fuzz fuzz-sql generate deps clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 22

build: ## bin/dictsvc, a static program
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/dictsvc ./cmd/dictsvc

deps: ## install what the tests need: real ClickHouse servers and clients (Debian and npm packages, by name)
	@scripts/deps.sh

test: deps build lint ## everything: unit tests, conformance, real clients, once more with -race where goroutines meet
	$(GO) test -timeout 20m ./...
	$(GO) test -timeout 20m -race $(RACE_PACKAGES)
	$(GO) test -timeout 20m -tags invariants $(SCRATCH_PACKAGES)
	$(GO) test -timeout 20m -tags noasm $(ASSEMBLY_PACKAGES)

# The packages with assembly, and the one that relies on it: their plain Go must pass the same tests.
ASSEMBLY_PACKAGES = ./internal/mem ./internal/simd ./hashmap ./packed ./function ./column ./dict

# The packages in which goroutines share data.
RACE_PACKAGES = ./dict/... ./query/... ./wire/... ./source/...

# The packages whose columns lie in memory that is used again from block to block; with the tag it is spoiled in between.
SCRATCH_PACKAGES = ./column ./function ./dict ./query ./conformance

test-short: ## the unit tests alone
	$(GO) test -short ./...

lint: ## gofmt, vet, staticcheck
	@test -z "$$(gofmt -l . | tee /dev/stderr)" || { echo 'run gofmt -w on these'; exit 1; }
	$(GO) vet ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.7.0 ./...

bench: ## the Go benchmarks, at small sizes
	$(GO) test -run '^$$' -bench . -benchtime 200ms ./...

conformance-record: deps ## ask the real ClickHouse for the answers of conformance/testdata and rewrite them
	$(GO) run ./conformance/record

FUZZTIME ?= 20s
fuzz: ## every fuzz test for FUZZTIME (20s)
	@for p in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
			echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
		done; \
	done

N ?= 2000
SEED ?= 1
fuzz-sql: deps ## compare N (2000) random statements of a SEED with the real ClickHouse
	$(GO) run ./conformance/fuzzsql -n $(N) -seed $(SEED)

generate: ## run go generate
	$(GO) generate ./...

clean: ## remove what was built
	rm -rf bin
