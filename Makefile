# `make` alone lists the targets.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

# The program needs no C compiler, and neither do its tools.
export CGO_ENABLED ?= 0

# Tests and linters end before memory is short, so they collect garbage less often: it takes them
# about a tenth less time.
check test verify: export GOGC ?= 400
# Without inlining, our packages compile in half the time, and their tests run as fast. The linter
# compiles them alike, so tests after it find them compiled.
check test verify: export GOFLAGS := $(strip $(GOFLAGS) -gcflags=-l)

GO_DIRS := cmd internal migrations views web
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null)
LDFLAGS := -s -w $(if $(VERSION),-X main.version=$(VERSION)) $(if $(COMMIT),-X main.commit=$(COMMIT))
TOOL    := go tool -modfile=tools/go.mod
LINT    := go tool -modfile=tools/lint/go.mod

NODE_MODULES := node_modules/.package-lock.json
DIST         := web/dist/manifest.json
# Tailwind reads the class names in templates and in the Go code next to them.
DIST_SOURCES := $(shell find web/static views -type f \( -path 'web/static/*' -o -name '*.templ' -o -name '*.go' \) -not -name '*_templ.go' -not -name '*_test.go' 2>/dev/null)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: build ## try it: made-up stores, own database, worker and pages (ARGS="--listen 127.0.0.1:9000")
	@scripts/setup postgres
	@exec bin/dashboard demo $(ARGS)

# Everything here is cached by Go, so it takes seconds when little has changed.
.PHONY: check
check: $(DIST) verify-format ## a quick answer while you work: format, generated code that changed, vet, tests without database and browser
	@if [[ -n $$(git status --porcelain -- '*.templ' '*.sql' sqlc.yaml) ]]; then scripts/generated-fresh; fi
	@go vet ./...
	@go test $$(scripts/quick-packages)
	@go test -run 'Document|Settings|CommandLine' ./cmd/dashboard

.PHONY: test
test: setup $(DIST) ## run all tests (TESTFLAGS="-run Name -v", PACKAGES=./web)
	@go test $(LEAN) -p $(AT_ONCE) $(TESTFLAGS) $(PACKAGES) | scripts/slowest
# One package more than there are processors, since some tests wait.
AT_ONCE = $$(($$(getconf _NPROCESSORS_ONLN) + 1))
# Each of some fifty test programs is linked in half the time without debug symbols; what
# vet looks for is looked for by verify.
LEAN := -vet=off -ldflags=-w
TESTFLAGS ?= -timeout 60m
# The longest first, so that none of them runs alone at the end. Those that wait for a job to be
# rescued run beside those that use the processor.
PACKAGES  ?= ./internal/sync ./web ./internal/weekly ./views/... ./cmd/dashboard ./...

.PHONY: build
build: $(DIST) ## build bin/dashboard, with the front end when its sources changed
	@go build -trimpath -ldflags '$(LDFLAGS)' -o bin/dashboard ./cmd/dashboard

.PHONY: setup
setup: $(NODE_MODULES) ## install what is missing: npm parts, and PostgreSQL and Chromium where that is possible
	@scripts/setup postgres chromium

.PHONY: generate
generate: ## write the generated code: templ and sqlc
	@$(TOOL) templ generate -log-level warn
	@$(TOOL) sqlc generate

.PHONY: fmt
fmt: ## format Go and templ
	@gofmt -w $(GO_DIRS)
	@$(TOOL) templ fmt -log-level warn views

.PHONY: verify
verify: verify-format verify-generated verify-modules verify-lint ## check format, generated code, modules and lint (with vet, and the arrows between rooms)
	@echo "verify: all good"

.PHONY: verify-format verify-generated verify-modules verify-lint
verify-format:
	@unformatted=$$(gofmt -l $(GO_DIRS)); if [[ -n $$unformatted ]]; then printf 'not formatted, run make fmt:\n%s\n' "$$unformatted" >&2; exit 1; fi
	@$(TOOL) templ fmt -fail -log-level warn views
verify-generated:
	@scripts/generated-fresh
verify-modules:
	@go mod verify >/dev/null
	@go mod tidy -diff
verify-lint:
	@$(LINT) golangci-lint run ./...

# Not pinned and not part of verify: its list of vulnerabilities is on the
# network and changes without a commit, so it says something about today.
.PHONY: vulnerabilities
vulnerabilities: ## look up known vulnerabilities of what the program calls (needs the network)
	@go run golang.org/x/vuln/cmd/govulncheck@latest ./...

.PHONY: race
race: setup $(DIST) ## run all tests with the race detector (needs a C compiler)
	@CGO_ENABLED=1 go test -race $(TESTFLAGS) $(PACKAGES) | scripts/slowest

.PHONY: bench
bench: setup $(DIST) ## measure pages and sync beside their ceilings (ratios in one run, about 4 minutes)
	@go test -tags bench -count=1 -v -timeout 30m ./internal/bench/...

.PHONY: chaos
chaos: setup $(DIST) ## break ten thousand replies, then kill, starve and crowd real processes (CHAOS_MINUTES=5 for the budget; about 25 minutes)
	@MUTATED_REPLIES=10000 go test -count=1 -v -run MutatedReplies ./internal/sync
	@go test -tags chaos -count=1 -v -run EveryWindow ./internal/sync
	@CANARY_FAULTS=10000 go test -count=1 -v -timeout 60m -run NoSecretLeaves ./cmd/dashboard
	@MAIL_KILLS=100 FORGED_TOKENS=1000000 go test -count=1 -v -run 'Killed|Forged' ./internal/weekly
	@MAIL_ZONES=12 MAIL_SCANS=12500 go test -count=1 -v -run 'DeliveredMails|LookThroughMails' ./web
	@MARKUP_PAGES=all go test -count=1 -v -run 'FiveHundredPayloads|NothingOfTheHostileStore' ./web
	@go test -tags chaos -count=1 -v -timeout 60m ./internal/chaos/...
	@go test -tags chaos -count=1 -v -timeout 60m ./internal/truth

.PHONY: clean
clean: ## remove what was built; the demo's data in .data stay
	@rm -rf bin
	@find web/dist -mindepth 1 -not -name .gitkeep -delete

# npm writes this file itself, so its age is that of the last install.
$(NODE_MODULES): package.json package-lock.json
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(DIST): $(NODE_MODULES) $(DIST_SOURCES)
	@npm run --silent build
