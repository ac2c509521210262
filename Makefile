# coordinatord. `make help` lists what can be made.

SWIFT ?= swift
FLAGS ?=
BUILD = $(SWIFT) build $(FLAGS)
ASAN_BUILD = --sanitize address --scratch-path .build-asan
# Leaks are not looked for: a daemon that is not dumpable cannot be traced for them. MemoryTests and `make soak` do that.
ASAN = SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
TSAN = TSAN_OPTIONS="halt_on_error=0 suppressions=$(CURDIR)/Scripts/tsan.supp"
# How long `make fuzz` goes on; FUZZ_FLAGS can hold more, such as --seed 42.
FUZZ_SECONDS ?= 600
FUZZ_FLAGS ?=
PARSER_SECONDS ?= 60
SOAK_SECONDS ?= 600
# Such as --clients 1 --hammers 16 --transitions 1000000
SOAK_FLAGS ?=
RESTART_TREES ?= 10000
# Such as --bound 50
GREED_FLAGS ?=
# How often `make crash` kills; CRASH_FLAGS can hold more, such as --seed 42 or --sync normal.
CRASH_KILLS ?= 1000
CRASH_FLAGS ?=
# How long `make faults` begins further runs; FAULT_FLAGS can hold more, such as --all --seed 42, or --only as it was printed.
FAULT_SECONDS ?= 3500
FAULT_FLAGS ?=
# How many states of the disk `make powercut` looks at, of each mode; POWERCUT_FLAGS can hold more, such as --seed 42.
POWERCUT_STATES ?= 1000
POWERCUT_FLAGS ?=
# Such as --only calls journal
BENCH_FLAGS ?=
# As it is installed.
BENCH_BUILD = cd Benchmarks && $(SWIFT) build -c release $(LINKED)
# How a daemon is linked that is to start fast and to be small: with the Swift runtime in it, relocations packed, and no symbols that only a
# debugger asks for. What shared libraries take from it (it overwrites memory that is freed) stays.
LINKED = --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
STATIC = --scratch-path .build-static $(LINKED)
SOURCES = Package.swift Sources Trials TestSupport Tests Fuzzing/Package.swift Fuzzing/Sources Benchmarks/Package.swift Benchmarks/Sources $(wildcard Examples/*/Package.swift Examples/*/Sources Examples/*/Tests)

# Hundreds of tests at once would only make each of them slow, and those with a time limit fail.
TEST_WIDTH = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8

.PHONY: help deps build demo check lint test browser systemd latency examples trials costs costs-quick costs-record tsan asan fuzz fuzzbus fuzzparsers soak greed restart crash faults powercut bench bench-quick bench-deps format clean

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

deps: ## Install the Debian packages that are missing
	@Scripts/deps

build: deps ## Build everything
	$(BUILD)

demo: deps ## Build, and play the main flow: a daemon, and a renderer in a process of its own
	$(BUILD) --product coordinatord
	$(BUILD) --product coordinatorctl
	$(BUILD) --product coordinator-tui
	@Scripts/demo "$$($(BUILD) --show-bin-path)"

# Under `make check` the example is built with the Thread Sanitizer, and `make trials` loads that. The browser mostly waits, the
# examples mostly compile, and instructions are as many on a busy machine.
check: export EXAMPLE_FLAGS = --sanitize thread
check: deps lint test ## Run all tests, as CI does
	$(MAKE) --output-sync=line -j2 browser examples costs-quick packaging systemd
	$(MAKE) trials

lint:
	$(SWIFT) format lint --strict --recursive $(SOURCES)

test:
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	WARNINGS_AS_ERRORS=1 $(TEST_WIDTH) Scripts/test $(SWIFT) test $(FLAGS) --skip-build

# With the settings of `make test`, so that nothing is built twice.
browser: deps ## Walk through the pages of coordinator-web in Chromium, and look for what keeps people out; pictures are in .build-web
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	@Scripts/axe .build-web
	/usr/bin/python3 Trials/Browser/browser_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/together_tests.py "$$($(BUILD) --show-bin-path)" .build-web

systemd: deps ## Try what is installed in a systemd user manager: activation, reload, watchdog, idle exit, upgrade, sandbox
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	Trials/Systemd/run "$$($(BUILD) --show-bin-path)"

latency: deps ## Time how long it takes from a key in one renderer to the repaint in another
	for product in GalleryDaemon coordinatorctl coordinator-tui coordinator-web; do $(BUILD) -c release --product $$product || exit 1; done
	@mkdir -p .build-web
	/usr/bin/python3 Trials/Browser/latency.py "$$($(BUILD) -c release --show-bin-path)" .build-web

examples: deps ## Build, test and play the examples, as Docs/writing-flows.md says
	SWIFT="$(SWIFT)" $(TSAN) Scripts/check-examples

# Short forms of make tsan, asan, fuzzparsers, faults and powercut; those of make crash, fuzzbus and soak are among the tests.
trials:
	$(TSAN) "$$($(BUILD) --show-bin-path)/bus-fuzzer" --daemon Examples/coffee-daemon/.build/debug/coffee-daemon --seconds 10 \
	  --growth 512
	$(MAKE) fuzzparsers PARSER_SECONDS=4
	"$$($(BUILD) --show-bin-path)/faults" faults --seconds 60
	"$$($(BUILD) --show-bin-path)/faults" powercut --states 100 --transitions 200

tsan: deps ## Run all tests under the Thread Sanitizer
	$(TSAN) $(SWIFT) test $(FLAGS) --sanitize thread --scratch-path .build-tsan

asan: deps ## Run all tests under the Address Sanitizer
	$(ASAN) $(SWIFT) test $(FLAGS) $(ASAN_BUILD) --no-parallel

fuzz: fuzzbus fuzzparsers ## Fuzz the daemon over its bus, then its parsers

fuzzbus: deps ## Call everything on the bus with random values for FUZZ_SECONDS, under the Address Sanitizer
	$(BUILD) $(ASAN_BUILD) --product coordinatord
	$(BUILD) $(ASAN_BUILD) --product bus-fuzzer
	$(ASAN) "$$($(BUILD) $(ASAN_BUILD) --show-bin-path)/bus-fuzzer" --seconds $(FUZZ_SECONDS) --growth 512 $(FUZZ_FLAGS)

fuzzparsers: deps ## Fuzz what reads messages, payloads and stored state with libFuzzer, each for PARSER_SECONDS
	$(BUILD) --package-path Fuzzing --product parser-fuzzer -Xswiftc -sanitize=fuzzer,address --scratch-path .build-fuzz
	@for target in message payload state; do \
	  mkdir -p .build-fuzz/corpus/$$target; \
	  $(ASAN) .build-fuzz/debug/parser-fuzzer $$target .build-fuzz/corpus/$$target Fuzzing/Corpus/$$target \
	    -artifact_prefix=.build-fuzz/$$target- -max_total_time=$(PARSER_SECONDS) || exit 1; \
	done

soak: deps ## Keep a daemon under plausible load for SOAK_SECONDS, and watch its memory
	$(BUILD) -c release --product coordinatord
	$(BUILD) -c release --product soak
	"$$($(BUILD) -c release --show-bin-path)/soak" --seconds $(SOAK_SECONDS) $(SOAK_FLAGS)

greed: deps ## Read as much as several clients can at once, and time what another client's call takes
	$(BUILD) -c release --product coordinatord
	$(BUILD) -c release --product soak
	"$$($(BUILD) -c release --show-bin-path)/soak" greed $(GREED_FLAGS)

restart: deps ## Kill a daemon that has RESTART_TREES flows, and time how they come back
	$(BUILD) -c release $(STATIC) --product coordinatord
	$(BUILD) -c release --product soak
	"$$($(BUILD) -c release --show-bin-path)/soak" restart --trees $(RESTART_TREES) \
	  --daemon "$$($(BUILD) -c release $(STATIC) --show-bin-path)/coordinatord"

crash: deps ## Kill a daemon CRASH_KILLS times under load, and compare what it says with what its clients were told
	$(BUILD) -c release --product CrashDaemon
	$(BUILD) -c release --product crash
	"$$($(BUILD) -c release --show-bin-path)/crash" --kills $(CRASH_KILLS) $(CRASH_FLAGS)

# The library that makes files fail is put into the daemon, and so is a product of its own.
FAULTS = for product in fault-injector coordinatord FaultDaemon faults; do $(BUILD) -c release --product $$product || exit 1; done

faults: deps ## Let one operation on the daemon's files after the other fail, for FAULT_SECONDS, and compare what it keeps
	$(FAULTS)
	"$$($(BUILD) -c release --show-bin-path)/faults" faults --seconds $(FAULT_SECONDS) $(FAULT_FLAGS)

powercut: deps ## Start a daemon from what a power cut may leave of its files, POWERCUT_STATES times, and compare what it keeps
	$(FAULTS)
	"$$($(BUILD) -c release --show-bin-path)/faults" powercut --states $(POWERCUT_STATES) $(POWERCUT_FLAGS)
	"$$($(BUILD) -c release --show-bin-path)/faults" powercut --states $(POWERCUT_STATES) --sync normal $(POWERCUT_FLAGS)

bench: bench-deps ## Measure the daemon beside a C program that does the same bus work, and beside what people would use instead
	$(BENCH_BUILD)
	cd Benchmarks && .build/release/bench $(BENCH_FLAGS)

bench-quick: bench-deps ## The same in under two minutes, less exact
	$(BENCH_BUILD)
	cd Benchmarks && .build/release/bench --quick $(BENCH_FLAGS)

bench-deps:
	@Scripts/deps benchmarks
	@Benchmarks/Scripts/peers

# A release build and a debug build count what a call costs, each for itself.
COSTS_QUICK = "$$($(BUILD) --show-bin-path)/costs"
COSTS = Benchmarks/.build/release/costs
COSTS_OPTIONS = --swift "$(SWIFT)" Benchmarks/costs.json

costs: deps ## Count what a call costs the daemon in instructions and allocations, beside Benchmarks/costs.json
	$(BENCH_BUILD) --product costs
	$(COSTS) check $(COSTS_OPTIONS)

costs-quick: deps ## The same with the debug build, as make check does
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	$(COSTS_QUICK) check $(COSTS_OPTIONS)

costs-record: deps ## Write what a call costs into Benchmarks/costs.json, for both builds
	$(BENCH_BUILD) --product costs
	$(COSTS) record $(COSTS_OPTIONS)
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	$(COSTS_QUICK) record $(COSTS_OPTIONS)

include Packaging/install.mk

format: ## Bring the sources into the project's format
	$(SWIFT) format --in-place --recursive $(SOURCES)

clean: ## Remove what was built
	rm -rf .build .build-* Examples/*/.build Benchmarks/.build Benchmarks/.venv
