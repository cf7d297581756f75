# The targets of dictsvc; `make` lists them.
.DEFAULT_GOAL := help
GO ?= go

.PHONY: help build
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

build: ## bin/dictsvc, a static program
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/dictsvc ./cmd/dictsvc

.PHONY: conformance-record
conformance-record: ## ask ClickHouse 26.7 again for the answers of conformance/testdata (needs node and npm)
	$(GO) run ./conformance/record
