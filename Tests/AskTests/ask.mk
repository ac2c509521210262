# The tests of coordinator-ask, which needs no Swift and builds in seconds. Outside of a run, it starts the
# coordinator-scripts of `make test`, which asks on the terminal.

CC ?= cc
ASK_BUILD = .build-ask
ASK_SOURCES = $(wildcard Sources/Scripts/coordinator-ask/*.c)
ASK_HEADERS = $(wildcard Sources/Scripts/coordinator-ask/*.h)
ASK_COMPILE = $(CC) -std=c11 -Wall -Wextra -Werror -o $@ $(ASK_SOURCES)
ASK_TESTS = $(UNITTEST) --start-directory Tests/AskTests
# Each file of tests, once for each build of the program.
ASK_TRIALS = $(foreach program,ask ask-sanitized,$(patsubst Tests/AskTests/%.py,$(program)/%,$(wildcard Tests/AskTests/test_*.py)))

.PHONY: ask-tests ask-latency ask-conversation $(ASK_TRIALS)

# Built like the installed program.
$(ASK_BUILD)/ask: $(ASK_SOURCES) $(ASK_HEADERS)
	@mkdir -p $(ASK_BUILD)
	$(ASK_COMPILE) -O2 -static

$(ASK_BUILD)/ask-sanitized: $(ASK_SOURCES) $(ASK_HEADERS)
	@mkdir -p $(ASK_BUILD)
	$(ASK_COMPILE) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

# coordinator-ask searches coordinator-scripts in its own directory.
ask-conversation:
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	@mkdir -p $(ASK_BUILD)
	@ln -sf "$$($(BUILD) --show-bin-path)/coordinator-scripts" $(ASK_BUILD)/

ask-tests: ask-conversation $(ASK_BUILD)/ask $(ASK_BUILD)/ask-sanitized ## Test coordinator-ask with a fake engine and on a terminal, also under the sanitizers
	@# More jobs than processors, because the tests mostly wait.
	@$(MAKE) --no-print-directory --output-sync --keep-going --jobs=$$((2 * $$(nproc))) $(ASK_TRIALS)

$(ASK_TRIALS):
	@echo "$@" && ASK=$(ASK_BUILD)/$(@D) $(ASK_TESTS) --pattern $(@F).py

ask-latency: $(ASK_BUILD)/ask ## Compare how long coordinator-ask takes with /bin/true
	/usr/bin/python3 Trials/Scripts/ask_latency.py $(ASK_BUILD)/ask
