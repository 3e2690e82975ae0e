# Every check is a step of .ci/run, so that a green make is a green build.

.DEFAULT_GOAL := help
.PHONY: help all fmt lint test race fuzz golden bench examples tidy ci release

help: ## print this list
	@sed -nE 's/^([a-z]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 10

all: fmt lint test ## format, lint, test

fmt: ## format every file
	bash .ci/run --one fmt

lint: ## run the linters (built on first use)
	bash .ci/run format vet lint

test: ## test every module
	go test work

race: ## test every module under the race detector, shuffled
	bash .ci/run test

fuzz: ## run each fuzz target for ten seconds
	FUZZTIME=10s bash .ci/run fuzz

golden: ## rewrite the golden files; commit only a difference you can explain
	go test $$(git grep -l 'flag.Bool("update"' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|') -update
	git diff --stat

bench: ## run the benchmarks, six rounds, for benchstat
	go test -run='^$$' -bench=. -count=6 work

examples: ## run the examples and compare what they print
	bash .ci/run examples

tidy: ## tidy the go.mod of every module
	for dir in $$(go list -m -f '{{.Dir}}'); do (cd $$dir && go mod tidy) || exit 1; done

ci: ## run everything that decides about a change
	bash .ci/run

release: ## VERSION=v0.1.0: set versions, drop replaces, commit and tag every module
	bash .ci/release "$(VERSION)"
