# coordinator-ask. It needs no Swift, so it is built here as it is tested: in seconds.

CC ?= cc
ASK_BUILD = .build-ask
ASK_SOURCES = $(wildcard Sources/Scripts/coordinator-ask/*.c)
ASK_HEADERS = $(wildcard Sources/Scripts/coordinator-ask/*.h)
ASK_COMPILE = $(CC) -std=c11 -Wall -Wextra -Werror -o $@ $(ASK_SOURCES)
ASK_TESTS = $(UNITTEST) --start-directory Tests/AskTests

.PHONY: ask-tests ask-latency

# Built like the installed program.
$(ASK_BUILD)/ask: $(ASK_SOURCES) $(ASK_HEADERS)
	@mkdir -p $(ASK_BUILD)
	$(ASK_COMPILE) -O2 -static

$(ASK_BUILD)/ask-sanitized: $(ASK_SOURCES) $(ASK_HEADERS)
	@mkdir -p $(ASK_BUILD)
	$(ASK_COMPILE) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

ask-tests: $(ASK_BUILD)/ask $(ASK_BUILD)/ask-sanitized ## Test coordinator-ask with a fake engine and on a terminal, also under the sanitizers
	ASK=$(ASK_BUILD)/ask $(ASK_TESTS)
	ASK=$(ASK_BUILD)/ask-sanitized $(ASK_TESTS)

ask-latency: $(ASK_BUILD)/ask ## Compare how long coordinator-ask takes with /bin/true
	/usr/bin/python3 Trials/Scripts/ask_latency.py $(ASK_BUILD)/ask
