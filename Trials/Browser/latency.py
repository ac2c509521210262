"""The time from a key in one renderer to the repaint in another: python3 latency.py BINARIES WORK [COUNT]

One flow tree, coordinator-tui in tmux and coordinator-web in Chromium, which answer in turn. Prints medians and 99th
percentiles.
"""

import os
import pathlib
import subprocess
import sys
import threading
import time

from terminal import Terminal
from world import World, eventually

WATCH = """
window.paints = [];
new MutationObserver(() => requestAnimationFrame(() => paints.push(performance.timeOrigin + performance.now())))
  .observe(document.documentElement, { subtree: true, childList: true, characterData: true, attributes: true });
"""


class Keyboard:
    """Sends keys by an existing client of tmux, so that none is started for each key."""

    def __init__(self, terminal):
        self.client = subprocess.Popen(
            ["tmux", "-S", str(terminal.socket), "-C", "attach"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)

    def press(self, key):
        now = time.time()
        self.client.stdin.write(f"send-keys {key}\n")
        self.client.stdin.flush()
        return now


class Paints:
    """The times at which the terminal was written to."""

    def __init__(self, terminal, world):
        pipe = world.home / "paints"
        os.mkfifo(pipe)
        self.times = []
        threading.Thread(target=self.read, args=(pipe,), daemon=True).start()
        terminal.tmux("pipe-pane", "-O", f"cat >{pipe}")

    def read(self, pipe):
        with open(pipe, "rb", buffering=0) as output:
            while output.read(65536):
                self.times.append(time.time())

    def first_after(self, begin):
        return eventually(lambda: next((t for t in list(self.times) if t >= begin), None))


def report(name, seconds):
    ordered = sorted(seconds)
    middle, late = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    print(f"{name:52} median {middle * 1000:6.1f} ms   99 % {late * 1000:6.1f} ms   of {len(ordered)}")


def measure(world, count):
    terminal = Terminal(world, "coordinator-tui", "schedule-visit", "--token", "race")
    try:
        assert eventually(lambda: world.control("show", "race", check=False).returncode == 0)
        driver = world.driver
        driver.get(f"{world.base}flows/race")
        first = driver.find_element("tag name", "h1").text
        driver.execute_script(WATCH)
        keyboard, paints = Keyboard(terminal), Paints(terminal, world)
        assert terminal.shows(first)
        time.sleep(1)

        def browser_shows(other):
            title = "const h = document.querySelector('h1'); return h && h.textContent"
            return eventually(lambda: (driver.execute_script(title) != first) == other)

        # Escape waits for the rest of a key sequence that begins with it, so it is measured separately.
        own, to_browser, to_terminal = {"2": [], "Escape": []}, {"2": [], "Escape": []}, []
        for _ in range(count):
            for key, other in (("2", True), ("Escape", False)):
                driver.execute_script("paints.length = 0")
                begin = keyboard.press(key)
                assert browser_shows(other)
                own[key].append(paints.first_after(begin) - begin)
                painted = eventually(lambda: driver.execute_script("return paints[0]"))
                to_browser[key].append(painted / 1000 - begin)
                time.sleep(0.1)
            click = "const now = performance.timeOrigin + performance.now(); document.querySelector(arguments[0]).click(); return now"
            begin = driver.execute_script(click, "button[value='sick']") / 1000
            to_terminal.append(paints.first_after(begin) - begin)
            assert browser_shows(True)
            driver.execute_script(WATCH)
            time.sleep(0.1)
            keyboard.press("Escape")
            assert browser_shows(False)
            time.sleep(0.1)
        for key in own:
            report(f"{key} in the terminal to its own repaint", own[key])
            report(f"{key} in the terminal to the repaint in the browser", to_browser[key])
        report("a click in the browser to the repaint in the terminal", to_terminal)
    finally:
        terminal.close()


if __name__ == "__main__":
    WORLD = World(sys.argv[1], pathlib.Path(sys.argv[2]))
    try:
        measure(WORLD, int(sys.argv[3]) if len(sys.argv) > 3 else 100)
    finally:
        WORLD.close()
