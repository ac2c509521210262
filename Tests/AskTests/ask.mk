# coordinator-ask. It needs no Swift, so it is built here as it is tested: in seconds. What it starts outside of a run, which asks on
# the terminal, is that of `make test`.

CC ?= cc
ASK_BUILD = .build-ask
ASK_SOURCES = $(wildcard Sources/Scripts/coordinator-ask/*.c)
ASK_HEADERS = $(wildcard Sources/Scripts/coordinator-ask/*.h)
ASK_COMPILE = $(CC) -std=c11 -Wall -Wextra -Werror -o $@ $(ASK_SOURCES)
ASK_TESTS = $(UNITTEST) --start-directory Tests/AskTests
# Each file of tests with each program.
ASK_TRIALS = $(foreach program,ask ask-sanitized,$(patsubst Tests/AskTests/%.py,$(program)/%,$(wildcard Tests/AskTests/test_*.py)))

.PHONY: ask-tests ask-latency ask-conversation $(ASK_TRIALS)

# Built like the installed program.
$(ASK_BUILD)/ask: $(ASK_SOURCES) $(ASK_HEADERS)
	@mkdir -p $(ASK_BUILD)
	$(ASK_COMPILE) -O2 -static

$(ASK_BUILD)/ask-sanitized: $(ASK_SOURCES) $(ASK_HEADERS)
	@mkdir -p $(ASK_BUILD)
	$(ASK_COMPILE) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

# It is looked for beside coordinator-ask.
ask-conversation:
	WARNINGS_AS_ERRORS=1 $(BUILD) --build-tests
	@mkdir -p $(ASK_BUILD)
	@ln -sf "$$($(BUILD) --show-bin-path)/coordinator-scripts" $(ASK_BUILD)/

ask-tests: ask-conversation $(ASK_BUILD)/ask $(ASK_BUILD)/ask-sanitized ## Test coordinator-ask with a fake engine and on a terminal, also under the sanitizers
	@# They wait more than they compute.
	@$(MAKE) --no-print-directory --output-sync --keep-going --jobs=$$((2 * $$(nproc))) $(ASK_TRIALS)

$(ASK_TRIALS):
	@echo "$@" && ASK=$(ASK_BUILD)/$(@D) $(ASK_TESTS) --pattern $(@F).py

ask-latency: $(ASK_BUILD)/ask ## Compare how long coordinator-ask takes with /bin/true
	/usr/bin/python3 Trials/Scripts/ask_latency.py $(ASK_BUILD)/ask
