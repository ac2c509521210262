# The tests of coordinator-dialog, which needs no Swift and builds in seconds.

SHIM_BUILD = .build-shim
SHIM_SOURCES = $(wildcard Sources/Programs/coordinator-dialog/*.c)
SHIM_HEADERS = $(wildcard Sources/Programs/coordinator-dialog/*.h)
SHIM_COMPILE = mkdir -p $(@D) && $(CC) -std=c11 -Wall -Wextra -Werror -o $@ $(SHIM_SOURCES)
SHIM_TESTS = $(UNITTEST) --start-directory Tests/DialogShimTests
DIALOG_CALLS = 600

.PHONY: dialog-shim-tests dialog-golden

# Built like the installed program.
$(SHIM_BUILD)/plain/whiptail: $(SHIM_SOURCES) $(SHIM_HEADERS)
	$(SHIM_COMPILE) -O2 -static
	for name in dialog pinentry password-request; do ln -sf whiptail $(@D)/$$name; done

$(SHIM_BUILD)/sanitized/whiptail: $(SHIM_SOURCES) $(SHIM_HEADERS)
	$(SHIM_COMPILE) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
	for name in dialog pinentry password-request; do ln -sf whiptail $(@D)/$$name; done

dialog-shim-tests: $(SHIM_BUILD)/plain/whiptail $(SHIM_BUILD)/sanitized/whiptail ## Test the shim for whiptail and dialog with a fake keeper, also under the sanitizers
	SHIM=$(SHIM_BUILD)/plain $(SHIM_TESTS)
	SHIM=$(SHIM_BUILD)/sanitized $(SHIM_TESTS)

dialog-golden: $(SHIM_BUILD)/plain/whiptail ## Compare the shim with the real whiptail and dialog, if they are installed
	WARNINGS_AS_ERRORS=1 $(BUILD) --product test-programs
	/usr/bin/python3 Trials/Programs/dialog_golden.py "$$($(BUILD) --show-bin-path)/dialog-trial" \
		--shim $(SHIM_BUILD)/plain --count $(DIALOG_CALLS)
