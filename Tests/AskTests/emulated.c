/* Takes the place of a program for another processor: runs the program beside it whose name ends with .other, under the
   name of its call, in the emulator that EMULATOR names. The kernel could do this (binfmt_misc), but only if root
   configures it for the whole machine. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments) {
  static char program[PATH_MAX + sizeof ".other"];
  ssize_t length = readlink("/proc/self/exe", program, PATH_MAX);
  char **words = calloc((size_t)count + 4, sizeof *words);
  if (length < 0 || words == NULL) return 127;
  snprintf(program + length, sizeof program - (size_t)length, ".other");
  words[0] = EMULATOR;
  words[1] = "-0";
  words[2] = arguments[0];
  words[3] = program;
  for (int i = 1; i < count; i++) words[3 + i] = arguments[i];
  execv(EMULATOR, words);
  perror(EMULATOR);
  return 127;
}
