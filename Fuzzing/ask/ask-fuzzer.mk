# Fuzzes the command lines of coordinator-ask with libFuzzer. The program is in C, and builds in seconds.

FUZZED_ASK = $(addprefix Sources/Scripts/coordinator-ask/, ask.c asks.c ask-options.c commands.c ending.c faults.c field.c \
  fields.c json-read.c json-write.c language.c others.c question.c screen.c shell.c step.c text.c words.c)
# The compiler of the Swift toolchain, which contains libFuzzer.
FUZZ_CC = $(dir $(shell command -v $(SWIFT)))clang

.build-fuzz/ask-fuzzer: Fuzzing/ask/ask-fuzzer.c $(FUZZED_ASK) $(ASK_HEADERS)
	@mkdir -p .build-fuzz
	$(FUZZ_CC) -std=c11 -Wall -Wextra -Werror -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  -D_exit=fuzzed_exit -Dwrite=fuzzed_write -fuse-ld=lld -o $@ Fuzzing/ask/ask-fuzzer.c $(FUZZED_ASK)
