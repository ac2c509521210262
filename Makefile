# coordinatord. `make help` lists the targets.

SWIFT ?= swift
FLAGS ?=
# Regular expressions for the names of the tests that `make test` runs; all if empty.
FILTER ?=
# SwiftPM builds executables that contain several programs each; the script links the names of the programs to them.
BUILD = SWIFT="$(SWIFT)" $(CURDIR)/Scripts/build $(FLAGS)
ASAN_BUILD = --sanitize address --scratch-path .build-asan
# Leak detection is off, because it has to trace the process, and the daemon is not dumpable. MemoryTests and `make
# soak` find leaks.
ASAN = SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
TSAN = TSAN_OPTIONS="halt_on_error=0 suppressions=$(CURDIR)/Scripts/tsan.supp"
# The duration of `make fuzzbus` in seconds; FUZZ_FLAGS passes further options, such as --seed 42.
FUZZ_SECONDS ?= 600
FUZZ_FLAGS ?=
PARSER_SECONDS ?= 60
FUZZED ?= answer answers ask header keeper message payload quoting request state
SOAK_SECONDS ?= 600
# For example --clients 1 --hammers 16 --transitions 1000000
SOAK_FLAGS ?=
RESTART_TREES ?= 10000
# For example --bound 50
GREED_FLAGS ?=
# The number of times that `make crash` kills the daemon; CRASH_FLAGS passes further options, such as --seed 42 or --sync normal.
CRASH_KILLS ?= 1000
CRASH_FLAGS ?=
# The time in seconds during which `make faults` starts new runs; FAULT_FLAGS passes further options, such as
# --all --seed 42, or --only as a run has printed it.
FAULT_SECONDS ?= 3500
FAULT_FLAGS ?=
# The number of disk states that `make powercut` tries for each sync mode; POWERCUT_FLAGS passes further options, such as --seed
# 42.
POWERCUT_STATES ?= 1000
POWERCUT_FLAGS ?=
# For example --only calls journal
BENCH_FLAGS ?=
# Built like the installed programs.
BENCH_BUILD = $(MAKE) --no-print-directory static-libraries relinked && cd Benchmarks && $(SWIFT) build -c release $(LINKED)
# Makes programs small and fast to start: links the runtimes of Swift and C++ statically, packs relocations, removes unused
# functions and symbols that only debuggers need, and places the functions that a daemon executes side by side, in the order
# of a profile of the same release (install.mk), and those without names (layout.ld). Keeps symbols that shared libraries
# use, such as the free() that overwrites memory.
FUNCTION_ORDER ?= $(CURDIR)/.build-static/function-order
LAYOUT = $(CURDIR)/Packaging/layout.ld
# A directory that contains only libstdc++.a. The linker searches it before that of the shared library.
STATIC_LIBRARIES = $(CURDIR)/.build-static/libraries
LINKED = --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic \
  -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors $(OPTIMIZED) -Xlinker -L$(STATIC_LIBRARIES) \
  -Xlinker --symbol-ordering-file=$(FUNCTION_ORDER) -Xlinker --no-warn-symbol-ordering \
  -Xlinker -T -Xlinker $(LAYOUT)
OPTIMIZED ?= -Xswiftc -Osize
# Keeps the names of directories out of the programs. The length of one path remains: see Packaging/reproducible.
REPRODUCIBLE = -debug-info-format none -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.
STATIC = --scratch-path .build-static $(LINKED) $(REPRODUCIBLE)
SOURCES = Package.swift Sources Trials TestSupport Tests Fuzzing/Package.swift Fuzzing/Sources Benchmarks/Package.swift Benchmarks/Sources $(wildcard $(foreach part,Package.swift Sources Tests,Examples/*/$(part) Examples/new/*/$(part)))

# The Python tests that need no Swift take a minute at most. After ten minutes, they print their stacks and are killed.
UNITTEST = timeout --foreground --signal=ABRT 600 /usr/bin/python3 -X faulthandler -W error::ResourceWarning -m unittest discover

# Hundreds of parallel tests would slow each other down until their time limits expire.
TEST_WIDTH = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8

.PHONY: python-if-possible help help-all deps build demo check check-long lint test without-parts browser clock keyboard pictures paint real-programs systemd latency examples new-package trials costs costs-quick costs-record python-daemon reference tsan asan fuzz fuzzbus fuzzparsers soak greed restart crash faults powercut bench bench-quick bench-deps po po-check pseudo mo format clean

# The targets for contributors and packagers, which `make help` lists.
HELP = test demo check check-long lint format build release install uninstall deb docs po clean

help: ## List the targets that most people need
	@for target in $(HELP); do sed -n "s/^$$target:.*## /  make $$target\t/p" $(MAKEFILE_LIST); done | expand -t 20
	@echo "make help-all lists the others: parts of the tests, trials and measurements. CONTRIBUTING.md and Docs/trials.md explain them."

help-all: ## List all targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | sort -u | expand -t 28

deps: ## Install missing Debian packages
	@Scripts/deps

build: deps ## Build everything
	$(BUILD)

demo: deps ## Build, and play the main flow with a daemon and a renderer in separate processes
	$(BUILD) --product coordinator-tools
	@$(MAKE) --silent mo 2>/dev/null
	@Scripts/demo "$$($(BUILD) --show-bin-path)"

# The example is built with the Thread Sanitizer, because `make trials` puts load on that build. The targets that run in
# parallel do not disturb each other: the browser mostly waits, the examples mostly compile, and instruction counts do
# not depend on the load.
check: export EXAMPLE_FLAGS = --sanitize thread
# The same for all targets, including those in the commands of documents, because other settings rebuild everything.
check: export WARNINGS_AS_ERRORS = 1
check: deps lint po-check test ## Run all tests, like CI
	$(MAKE) --output-sync=line -j2 browser python-if-possible reference ask-tests dialog-shim-tests keeper-tests programs programs-tests-quick scripts examples costs-quick packaging systemd first-boot
	$(MAKE) trials

# Sequential, because each target uses all cores or measures time.
check-long: deps ## Run what takes too long for `make check`, for hours
	for target in arm64 new-package without-parts tsan asan fuzz crash faults powercut soak scripts-long programs-long exec-debconf-tests keyboard first-boot-long reproducible; do $(MAKE) $$target || exit 1; done

lint: ## Check format, shape, words, text functions and the manifest, in half a minute
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	Scripts/shape-lint
	Scripts/word-lint
	Scripts/text-lint sources
	Scripts/manifest-lint $(SWIFT)

test: ## Build, and run the Swift tests, in 4 to 10 minutes: the gate for each change. FILTER=NAME runs only some
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	Scripts/text-lint objects "$$($(BUILD) --show-bin-path)"
	WARNINGS_AS_ERRORS=1 $(TEST_WIDTH) Scripts/test $(SWIFT) test $(FLAGS) $(addprefix --filter ,$(FILTER)) --skip-build

# Uses the settings of `make test`, so that nothing is built twice.
browser: deps ## Walk through the pages of coordinator-web in Chromium, and check accessibility; screenshots are in .build-web
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	@Scripts/axe .build-web
	@$(MAKE) --silent mo 2>/dev/null
	/usr/bin/python3 Trials/Browser/browser_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/frame_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/kiosk_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/screens_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/lists_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/together_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/phone_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/proxies_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/languages_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/live_programs_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/password_programs_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/barriers_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/tree_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/screen_reader_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/cursor_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/forms_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/console_tests.py "$$($(BUILD) --show-bin-path)" .build-web
	/usr/bin/python3 Trials/Browser/firefox_tests.py "$$($(BUILD) --show-bin-path)" .build-web

clock: ## Simulate reboots and other uptimes while flows wait; with COORDINATORD_MAY_SET_CLOCK=1, in a virtual machine, also set its clock
	$(BUILD)
	/usr/bin/python3 Trials/Clock/boot_trial.py "$$($(BUILD) --show-bin-path)"
	/usr/bin/python3 Trials/Clock/clock_trial.py "$$($(BUILD) --show-bin-path)"

keyboard: deps ## Walk through all shipped flows with only the keyboard, in Chromium and in a terminal
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	@mkdir -p .build-web
	/usr/bin/python3 Trials/Browser/keyboard_tests.py "$$($(BUILD) --show-bin-path)" .build-web

# The file is not part of this repository: make real-programs RASPI_CONFIG=/path/to/raspi-config
real-programs: deps ## Play raspi-config, as its project publishes it, in a terminal and a browser: RASPI_CONFIG=FILE
	@test -n "$(RASPI_CONFIG)" || { echo "usage: make real-programs RASPI_CONFIG=FILE" >&2; exit 64; }
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	@mkdir -p .build-web
	RASPI_CONFIG="$(RASPI_CONFIG)" /usr/bin/python3 Trials/Browser/live_programs_tests.py "$$($(BUILD) --show-bin-path)" .build-web

systemd: deps ## Test the installation in a systemd user manager: activation, reload, watchdog, idle exit, upgrade, sandbox
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	Trials/Systemd/run "$$($(BUILD) --show-bin-path)"

# Two at a time, each with a separate daemon and engine.
SCRIPT_TRIALS = script-walks script-examples script-document script-recordings script-renderer script-secrets script-beside script-misbehaving script-text script-checks
SCRIPT_TRIAL = COORDINATORD_BINARIES="$$($(BUILD) --show-bin-path)" /usr/bin/python3 Trials/Scripts

.PHONY: scripts scripts-long $(SCRIPT_TRIALS)

scripts: deps ## Play the example scripts, also by recorded answers, and that of the document, walk flows as scripts and as actors, search for secrets, run misbehaving scripts, send hostile text, and check examples and seeded mistakes
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	$(MAKE) --output-sync=target -j2 $(SCRIPT_TRIALS)

scripts-long: deps ## Run the same with all walks, a daemon that is killed after each move, 1 GB of output, and all hostile texts
	$(BUILD) --build-tests
	$(MAKE) --output-sync=target -j2 $(SCRIPT_TRIALS) SCRIPT_FLAGS=--all

script-walks:
	$(SCRIPT_TRIAL)/walks_tests.py $(SCRIPT_FLAGS)

script-examples:
	/usr/bin/python3 Examples/scripts/test "$$($(BUILD) --show-bin-path)"

script-document:
	/usr/bin/python3 Trials/Scripts/document_tests.py "$$($(BUILD) --show-bin-path)"

script-recordings:
	$(SCRIPT_TRIAL)/recordings_tests.py $(SCRIPT_FLAGS)

script-renderer:
	$(SCRIPT_TRIAL)/renderer_tests.py

script-secrets:
	$(SCRIPT_TRIAL)/secrets_tests.py

script-beside:
	$(SCRIPT_TRIAL)/beside_tests.py

script-misbehaving:
	$(SCRIPT_TRIAL)/misbehaving_tests.py $(SCRIPT_FLAGS)

# Prints how many paths each example has, and how long they take.
script-checks:
	$(SCRIPT_TRIAL)/checks_tests.py $(SCRIPT_FLAGS)

# SEED selects the texts, and TEXTS is their number for each way and language.
script-text:
	$(SCRIPT_TRIAL)/text_tests.py $(SCRIPT_FLAGS)

# The directories of Docs/images, and of the single screens.
IMAGES = Docs/images
PICTURES = /usr/bin/python3 Trials/Browser

pictures: ## Draw all of Docs/images again: every kind of screen, light and dark, large and small, and the animations
	@Scripts/deps pictures
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	$(MAKE) --silent mo 2>/dev/null
	rm -rf .build-web/pictures
	$(PICTURES)/pictures.py "$$($(BUILD) --show-bin-path)" .build-web $(IMAGES)
	$(PICTURES)/moving_picture.py "$$($(BUILD) --show-bin-path)" .build-web $(IMAGES)/programs.gif
	$(PICTURES)/together_picture.py "$$($(BUILD) --show-bin-path)" .build-web $(IMAGES)/together.gif

# BEFORE is the directory with the programs of the other build.
PAINT_COUNT ?= 40

paint: deps ## Measure first paints and the time from a key to its repaint, in terminal and browser, compared with another build: BEFORE=DIR
	@test -n "$(BEFORE)" || { echo "usage: make paint BEFORE=DIR" >&2; exit 64; }
	for product in test-programs coordinator-tools; do $(BUILD) -c release --product $$product || exit 1; done
	@mkdir -p .build-web
	/usr/bin/python3 Trials/Browser/paint.py "$(BEFORE)" "$$($(BUILD) -c release --show-bin-path)" .build-web $(PAINT_COUNT)

latency: deps ## Measure the time from a keystroke in one renderer to the repaint in another
	for product in test-programs coordinator-tools; do $(BUILD) -c release --product $$product || exit 1; done
	@mkdir -p .build-web
	/usr/bin/python3 Trials/Browser/latency.py "$$($(BUILD) -c release --show-bin-path)" .build-web

examples: deps ## Build, test and play the examples by following Docs/writing-flows.md
	SWIFT="$(SWIFT)" $(TSAN) Scripts/check-examples

new-package: deps ## Test and play the packages that coordinatorctl new writes in Swift, and make the Debian package
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	SWIFT="$(SWIFT)" Scripts/check-new-package "$$($(BUILD) --show-bin-path)"

# Short forms of make tsan, asan, fuzzparsers, faults and powercut; those of make crash, fuzzbus and soak are part of
# the tests.
trials:
	$(TSAN) "$$($(BUILD) --show-bin-path)/bus-fuzzer" --daemon Examples/coffee-daemon/.build/debug/coffee-daemon --seconds 10 \
	  --growth 512
	$(MAKE) fuzzparsers PARSER_SECONDS=1
	/usr/bin/python3 Trials/Clock/boot_trial.py "$$($(BUILD) --show-bin-path)"
	"$$($(BUILD) --show-bin-path)/faults" faults --seconds 60
	"$$($(BUILD) --show-bin-path)/faults" powercut --states 100 --transitions 200

WITHOUT_PARTS = COORDINATORD_WITHOUT='CustomExecutors ZeroingFree' $(BUILD) --scratch-path .build-without-parts

without-parts: deps ## Build coordinatord without the parts that a new toolchain or C library may break, and play flows with it
	$(WITHOUT_PARTS) --product coordinator-tools
	$(BUILD) --product coordinator-tools
	@Scripts/check-without-parts "$$($(WITHOUT_PARTS) --show-bin-path)" "$$($(BUILD) --show-bin-path)"

# Few tests at a time, because each takes ten times as long, and must still stay within its time limit.
tsan: deps ## Run all tests under the Thread Sanitizer
	$(TSAN) SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 $(SWIFT) test $(FLAGS) --sanitize thread --scratch-path .build-tsan

asan: deps ## Run all tests under the Address Sanitizer
	$(ASAN) $(SWIFT) test $(FLAGS) $(ASAN_BUILD) --no-parallel

fuzz: fuzzbus fuzzparsers ## Fuzz the daemon over its bus, then its parsers

fuzzbus: deps ## Call every method on the bus with random values for FUZZ_SECONDS, under the Address Sanitizer
	$(BUILD) $(ASAN_BUILD) --product coordinator-tools
	$(BUILD) $(ASAN_BUILD) --product bus-fuzzer
	$(ASAN) "$$($(BUILD) $(ASAN_BUILD) --show-bin-path)/bus-fuzzer" --seconds $(FUZZ_SECONDS) --growth 512 $(FUZZ_FLAGS)

fuzzparsers: deps .build-fuzz/ask-fuzzer ## Fuzz parsers, and functions that quote text, with libFuzzer, each for PARSER_SECONDS
	$(BUILD) --package-path Fuzzing --product parser-fuzzer -Xswiftc -sanitize=fuzzer,address --scratch-path .build-fuzz
	@for target in $(FUZZED); do \
	  mkdir -p .build-fuzz/corpus/$$target; \
	  case $$target in ask) fuzzer=.build-fuzz/ask-fuzzer ;; *) fuzzer=".build-fuzz/debug/parser-fuzzer $$target" ;; esac; \
	  $(ASAN) $$fuzzer .build-fuzz/corpus/$$target Fuzzing/Corpus/$$target \
	    -artifact_prefix=.build-fuzz/$$target- -max_total_time=$(PARSER_SECONDS) || exit 1; \
	done

soak: deps ## Run a daemon under realistic load for SOAK_SECONDS, and monitor its memory
	$(BUILD) -c release --product coordinator-tools
	$(BUILD) -c release --product soak
	"$$($(BUILD) -c release --show-bin-path)/soak" --seconds $(SOAK_SECONDS) $(SOAK_FLAGS)

greed: deps ## Let several clients read as much as they can at once, and time the calls of another client
	$(BUILD) -c release --product coordinator-tools
	$(BUILD) -c release --product soak
	"$$($(BUILD) -c release --show-bin-path)/soak" greed $(GREED_FLAGS)

restart: deps ## Kill a daemon that has RESTART_TREES flows, and measure how long restoring them takes
	$(BUILD) -c release $(STATIC) --product coordinator-tools
	$(BUILD) -c release --product soak
	"$$($(BUILD) -c release --show-bin-path)/soak" restart --trees $(RESTART_TREES) \
	  --daemon "$$($(BUILD) -c release $(STATIC) --show-bin-path)/coordinatord"

crash: deps ## Kill a daemon CRASH_KILLS times under load, and compare its state with the answers that its clients received; then also kill the process that serves its flows
	$(BUILD) -c release --product test-programs
	$(BUILD) -c release --product crash
	"$$($(BUILD) -c release --show-bin-path)/crash" --kills $(CRASH_KILLS) $(CRASH_FLAGS)
	"$$($(BUILD) -c release --show-bin-path)/crash" --provider --kills $(CRASH_KILLS) $(CRASH_FLAGS)

# The library that makes file operations fail is a separate product, because it is preloaded into the daemon.
FAULTS = for product in _fault-injector coordinator-tools test-programs faults; do $(BUILD) -c release --product $$product || exit 1; done

faults: deps ## Make operations on the daemon's files fail, one after the other, for FAULT_SECONDS, and check that it keeps its state
	$(FAULTS)
	"$$($(BUILD) -c release --show-bin-path)/faults" faults --seconds $(FAULT_SECONDS) $(FAULT_FLAGS)

powercut: deps ## Check what the daemon keeps after a power cut, with POWERCUT_STATES possible states of its files
	$(FAULTS)
	"$$($(BUILD) -c release --show-bin-path)/faults" powercut --states $(POWERCUT_STATES) $(POWERCUT_FLAGS)
	"$$($(BUILD) -c release --show-bin-path)/faults" powercut --states $(POWERCUT_STATES) --sync normal $(POWERCUT_FLAGS)

bench: bench-deps $(FUNCTION_ORDER) ## Compare the daemon with a C program that does the same bus work, and with the usual alternatives; draw the plots of Docs/performance.md
	$(BENCH_BUILD)
	cd Benchmarks && .build/release/bench --plots ../Docs/growth $(BENCH_FLAGS)

bench-quick: bench-deps $(FUNCTION_ORDER) ## Run the same comparison in two to four minutes, less precisely
	$(BENCH_BUILD)
	cd Benchmarks && .build/release/bench --quick $(BENCH_FLAGS)

bench-deps:
	@Scripts/deps benchmarks
	@Benchmarks/Scripts/peers

# The release build and the debug build have separate counts.
COSTS_QUICK = "$$($(BUILD) --show-bin-path)/costs"
COSTS = Benchmarks/.build/release/costs
COSTS_OPTIONS = --swift "$(SWIFT)" Benchmarks/costs.json
# The order of functions does not change the number of instructions.
costs costs-record: FUNCTION_ORDER = /dev/null

costs: deps ## Count the instructions and allocations that a call costs the daemon, and compare with Benchmarks/costs.json
	$(BENCH_BUILD) --product costs
	$(COSTS) check $(COSTS_OPTIONS)

costs-quick: deps ## Run the same comparison with the debug build, as `make check` does
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	$(COSTS_QUICK) check $(COSTS_OPTIONS)

costs-record: deps ## Record the cost of a call in Benchmarks/costs.json, for both builds
	$(BENCH_BUILD) --product costs
	$(COSTS) record $(COSTS_OPTIONS)
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	$(COSTS_QUICK) record $(COSTS_OPTIONS)

# The directories of the texts to translate, and of the compiled translations.
PO_SOURCES = Sources/Flows Sources/Kit/Languages Sources/Kit/Forms Sources/Kit/CoordinatorKit/Keeping \
  Sources/Kit/CoordinatorKit/Tree Sources/Kit/CoordinatorKit/Screens Sources/Client \
  Sources/Renderers Sources/Programs/CoordinatorPrograms Sources/Programs/KeeperClient Sources/Scripts/ScriptEngine \
  Sources/Tools
MO_DIRECTORY ?= .build-mo
# What makes texts that users of flows read; the command lines of tools are in English.
VISITOR_SOURCES = Sources/Flows Sources/Programs Sources/Scripts/CoordinatorScripts Sources/Scripts/ScriptEngine \
  $(filter-out %/commands.c, $(wildcard Sources/Scripts/coordinator-ask/*.c)) Sources/Renderers Sources/Client/RendererKit \
  Sources/Kit/CoordinatorKit Sources/Daemon/CoordinatorDaemon Python/src/coordinator

# The directory of the API reference.
REFERENCE = .build/docs

reference: deps ## Check the comments of all modules that other packages can import, and build the API reference in .build/docs
	WARNINGS_AS_ERRORS=1 $(BUILD) --product coordinator-tools
	@SWIFT="$(SWIFT)" Scripts/reference "$$($(BUILD) --show-bin-path)" $(REFERENCE)

po: deps ## Write the template of texts to translate, and merge it into the .po files
	Scripts/po template $(PO_SOURCES)
	Scripts/po merge

po-check: deps ## Check that the template of texts to translate matches the sources
	Scripts/po check $(PO_SOURCES)
	Scripts/po sentences Scripts/sentence-exceptions $(VISITOR_SOURCES)

pseudo: deps ## Write translations to two artificial languages to MO_DIRECTORY, which reveal untranslated texts
	Scripts/po pseudo $(MO_DIRECTORY) $(PO_SOURCES)

mo: deps ## Check and compile the translations to MO_DIRECTORY
	Scripts/po compile $(MO_DIRECTORY)

# The tests of the package use the daemon of `make test`.
python: deps python-daemon

# Its tools come from PyPI. Without a connection to PyPI, the package is not checked.
python-if-possible:
	@if $(MAKE) --no-print-directory $(PYTHON_READY); then $(MAKE) --no-print-directory python; \
	  else echo "python: the Python package was NOT checked." >&2; fi

python-daemon:
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests

include Packaging/install.mk
include Python/Makefile
include Tests/AskTests/ask.mk Fuzzing/ask/ask-fuzzer.mk
include Tests/DialogShimTests/shim.mk
include Tests/AskTests/arm64.mk
include Trials/Programs/keeper.mk
include Trials/Programs/programs.mk
include Trials/Programs/exec.mk
include Trials/FirstBoot/first-boot.mk

format: ## Format the sources
	$(SWIFT) format --in-place --recursive $(SOURCES)

clean: ## Remove all build products
	rm -rf .build .build-* Examples/*/.build Benchmarks/.build Benchmarks/.venv
