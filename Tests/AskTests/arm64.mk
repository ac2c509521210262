# The programs in C for 64-bit ARM, which qemu-user runs on any machine. The programs in Swift must be built on an arm64
# machine: see Docs/building.md.

ARM64_BUILD = .build-arm64
ARM64_CC = aarch64-linux-gnu-gcc
ARM64_QEMU ?= /usr/bin/qemu-aarch64-static
ARM64_COMPILE = mkdir -p $(@D) && $(ARM64_CC) -std=c11 -Wall -Wextra -Werror -O2 -static -o $@.other

.PHONY: arm64 arm64-deps

# A program for another processor, and beside it a small program for this machine, which runs the other in the emulator.
$(ARM64_BUILD)/ask: $(ASK_SOURCES) $(ASK_HEADERS) Tests/AskTests/emulated.c
	$(ARM64_COMPILE) $(ASK_SOURCES)
	$(CC) -O2 -static -DEMULATOR='"$(ARM64_QEMU)"' -o $@ Tests/AskTests/emulated.c

$(ARM64_BUILD)/shim/whiptail: $(SHIM_SOURCES) $(SHIM_HEADERS) Tests/AskTests/emulated.c
	$(ARM64_COMPILE) $(SHIM_SOURCES)
	$(CC) -O2 -static -DEMULATOR='"$(ARM64_QEMU)"' -o $@ Tests/AskTests/emulated.c
	for name in dialog pinentry password-request; do ln -sf whiptail $(@D)/$$name; done

arm64-deps:
	@Scripts/deps arm64

arm64: arm64-deps ask-conversation ## Build the programs in C for 64-bit ARM, and run their tests under qemu-user
	$(MAKE) $(ARM64_BUILD)/ask $(ARM64_BUILD)/shim/whiptail
	@# Built for this machine: the emulated program starts it.
	ln -sf "$$(readlink $(ASK_BUILD)/coordinator-scripts)" $(ARM64_BUILD)/
	ASK=$(ARM64_BUILD)/ask $(ASK_TESTS)
	SHIM=$(ARM64_BUILD)/shim $(SHIM_TESTS)
