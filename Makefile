# Recipes only call what can be called without make, too.
.DEFAULT_GOAL := help
.PHONY: help generate check test experiments fuzz attack references docs pictures lint benchmark format clean setup

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install libyaml and SQLite where they are missing
	@Scripts/install-libraries.sh

generate: setup ## Generate from the manifests in Schemas/Ritualist
	swift run schemagen generate --schemas Schemas/Ritualist

references: setup ## Write everything generated that is checked in
	Scripts/references.sh

docs: setup ## Build the documentation site in .build/site
	Scripts/docs.sh

pictures: ## Draw the pictures of the documentation
	python3 Scripts/pictures

lint: setup ## Lint our own manifests
	Scripts/gate.sh

# Without swift-syntax SwiftPM would take it out of Package.resolved, and packages.sh would no longer know its proof.
check: setup ## Build and test: what needs neither swift-syntax, nor the compiler, nor the command
	Experiments/faults.py --check-patches
	SCHEMAGEN_CHECK=1 swift test --scratch-path .build/check $(if $(wildcard Package.resolved),--force-resolved-versions)

test: setup ## Run all tests, integration tests included
	Scripts/test.sh

experiments: setup ## Try on the runtime here what is known of SwiftData, and hold it against docs/facts
	Scripts/experiments.sh

fuzz: setup ## Check on 200,000 mutated folders of manifests what must always be true
	"$$(Scripts/build-benchmarks.sh -c release --product schemagen-fuzz)/schemagen-fuzz"

attack: ## Cut off, kill, fail and mutate migrations at launch, without end or KILLS=10000 MUTATIONS=10000 SEED=1
	swift build --product backup-stand-in
	Tests/Attack/attack.py --seed $(or $(SEED),1) --power -1 --kills $(or $(KILLS),-1) \
	  --faults $(or $(FAULTS),$(KILLS),-1) --mutations $(or $(MUTATIONS),-1)

benchmark: setup ## Measure, in a release build
	"$$(Scripts/build-benchmarks.sh -c release)/schemagen-benchmark"
	@if [ "$$(uname)" = Linux ]; then .build/release/schemagen-rehearsal-benchmark; fi
	@if [ "$$(uname)" = Linux ]; then Scripts/benchmark.sh rehearsal; Scripts/benchmark.sh stores; fi
	Scripts/benchmark.sh lint
	Scripts/benchmark.sh sources
	Scripts/benchmark.sh trace
	Scripts/benchmark.sh serve

format: ## Format our Swift sources
	Scripts/format.sh

clean: ## Remove what was built
	rm -rf .build Benchmarks/.build Experiments/.build Examples/*/.build
