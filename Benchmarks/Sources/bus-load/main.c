/*
 * Loads a daemon that has the flow `turn`, as bench-daemon, bare-daemon and their peers have it.
 *
 *   bus-load ADDRESS NAME
 *
 * It reads commands from standard input, a line each, and answers each with a line of JSON; times are in nanoseconds:
 *   start N [W]      start N flow trees, W (64) calls at once
 *   attach N         attach to the N trees that were started last, and listen: from then on it is a renderer
 *   trips N          N times Delegate in the tree that was started last, one after the other
 *   flight W N       N times Delegate, W at once, each in a separate tree
 *   fan R N          N times, in a new tree: from a Delegate of one of R renderers until the last of them has its Settled
 *   wide N, deep N   start N children of the last tree's root, or each as a child of the one before; trips then go to the last of them
 *   dismiss          end the last tree
 *   weigh            how many messages a Delegate sends to a renderer, and how many bytes
 *   boot PROGRAM...  start a daemon: how long until it owns NAME; words are separated by single spaces
 *   processor        how long its threads have run on a processor, all together
 *   halt, kill       end it by SIGTERM or SIGKILL
 *   crash            end it by SIGKILL, and go on with its trees when it has been started again
 *   active N         how long until the daemon knows all of its N trees
 *   activate         start a flow of a daemon that the bus has to start first: how long until the answer
 *   evict            end that daemon by SIGTERM
 *   await            start a flow as soon as there is one, which another process may serve
 *   pings NAME N     N times Ping of another process, one after the other
 */
#include "load.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static bool carry_out(struct load *load, char *line) {
  size_t first, second;
  char name[256];
  if (sscanf(line, "start %zu %zu", &first, &second) == 2) {
    start(load, first, second);
  } else if (sscanf(line, "start %zu", &first) == 1) {
    start(load, first, 64);
  } else if (sscanf(line, "trips %zu", &first) == 1 && first > 0) {
    trips(load, first);
  } else if (sscanf(line, "flight %zu %zu", &first, &second) == 2) {
    flight(load, first, second);
  } else if (sscanf(line, "fan %zu %zu", &first, &second) == 2 && second > 0) {
    fan(load, first, second);
  } else if (sscanf(line, "wide %zu", &first) == 1 && first > 0) {
    nest(load, first, false);
  } else if (sscanf(line, "deep %zu", &first) == 1 && first > 0) {
    nest(load, first, true);
  } else if (sscanf(line, "attach %zu", &first) == 1) {
    attach_last(load, first);
  } else if (strcmp(line, "dismiss") == 0) {
    dismiss(load);
  } else if (strcmp(line, "weigh") == 0) {
    weigh(load);
  } else if (strncmp(line, "boot ", 5) == 0) {
    boot(load, line + 5);
  } else if (strcmp(line, "processor") == 0) {
    processor(load);
  } else if (strcmp(line, "halt") == 0) {
    halt(load, SIGTERM, false);
  } else if (strcmp(line, "kill") == 0) {
    halt(load, SIGKILL, false);
  } else if (strcmp(line, "crash") == 0) {
    halt(load, SIGKILL, true);
  } else if (sscanf(line, "active %zu", &first) == 1) {
    await_trees(load, first);
  } else if (strcmp(line, "activate") == 0) {
    activate(load);
  } else if (strcmp(line, "evict") == 0) {
    evict(load);
  } else if (strcmp(line, "await") == 0) {
    await_flow(load);
  } else if (sscanf(line, "pings %255s %zu", name, &first) == 2 && first > 0) {
    pings(load, name, first);
  } else {
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  char line[4096];
  if (argc != 3) die("usage: bus-load ADDRESS NAME");
  struct load load = {.address = argv[1], .name = argv[2]};
  load.bus = open_bus(load.address);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!carry_out(&load, line)) die("unknown command: %s", line);
    fflush(stdout);
  }
  return 0;
}
