"""measure.py [FLOWS]: the time from an answer to the next screen of a shell script, and the cost of sleeping scripts.

Prints the median and the 99th percentile of 200 answers through a script that is alive, beside an empty call; then the
memory of the daemon and of coordinator-scripts, and the number of processes, with FLOWS (10000) scripts that sleep, for
each of them.
"""

import os
import statistics
import sys
import time

from world import World, NAME, PATH

LOOP = """#!/bin/sh
# coordinator: title=Loop
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  ask menu "question$number" "Number $number?" yes=Yes no=No >/dev/null
done
"""
SLEEPER = """#!/bin/sh
# coordinator: title=Sleeper
ask menu size "How large?" small=Small large=Large
"""


def resident(process):
    """Returns the private memory of a process, in KiB."""
    with open(f"/proc/{process.pid}/smaps_rollup") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith(("Private_Clean", "Private_Dirty")))


def latency():
    with World() as world:
        world.write("loop", LOOP)
        world.start_engine()
        took, empty = [], []
        for _ in range(10):
            flow = world.flow("loop")
            flow.shows("question1")
            for number in range(1, 20):
                begin = time.perf_counter()
                flow.send("yes")
                took.append(time.perf_counter() - begin)
                assert flow.shows(f"question{number + 1}")
                begin = time.perf_counter()
                world.call_of(NAME, PATH, "org.freedesktop.DBus.Peer", "Ping", None)
                empty.append(time.perf_counter() - begin)
            flow.dismiss()
        took.sort()
        print(f"an answer to the next screen: median {statistics.median(took) * 1000:.1f} ms, "
              f"99th percentile {took[int(len(took) * 0.99)] * 1000:.1f} ms; an empty call {statistics.median(empty) * 1000:.2f} ms")


def sleeping(count):
    with World(evict="always") as world:
        world.write("sleeper", SLEEPER)
        world.start_engine()
        # A client may have at most 10,000 flows, including these.
        first = 20
        for _ in range(first):
            world.flow("sleeper")
        time.sleep(1)
        before = resident(world.daemon), resident(world.engine)
        begin = time.perf_counter()
        count -= first
        for _ in range(count):
            world.flow("sleeper")
        took = time.perf_counter() - begin
        time.sleep(2)
        after = resident(world.daemon), resident(world.engine)
        scripts = [name for name in os.listdir("/proc") if name.isdigit() and is_script(name, str(world.flows))]
        print(f"{count} more sleeping scripts, started in {took:.0f} s: {len(scripts)} processes; "
              f"daemon {(after[0] - before[0]) / count:.2f} KiB, coordinator-scripts {(after[1] - before[1]) / count:.2f} KiB for each")


def is_script(name, directory):
    try:
        with open(f"/proc/{name}/cmdline", "rb") as file:
            return f"{directory}/sleeper".encode() in file.read()
    except OSError:
        return False


if __name__ == "__main__":
    latency()
    sleeping(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
