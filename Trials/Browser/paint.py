"""The speed of painting in terminal and browser, compared with an earlier build: paint.py BEFORE BINARIES WORK [COUNT]

BEFORE and BINARIES contain the programs of two builds: both show the same flows of one daemon, and are measured in
turn, so that other load on the machine affects both alike. Prints the median and the 95th percentile of each, and their
ratio: of the medians, and of the quickest tenth, which a busy machine disturbs less. Fails if both are more than 5 %
(and half a millisecond) above those of the earlier build.
"""

import http.client
import pathlib
import sys
import time
import urllib.parse

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from pseudo_terminal import PseudoTerminal
from world import World, eventually

# Records the time of a key press and of the resulting paint: a new page, or another title or other rows in this one.
WATCH = """
(() => {
  const now = () => performance.timeOrigin + performance.now();
  const painted = (when) => sessionStorage.painted ||= when;
  addEventListener("keydown", () => { sessionStorage.pressed = now(); delete sessionStorage.painted; }, true);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === "first-contentful-paint") painted(performance.timeOrigin + entry.startTime);
  }).observe({ type: "paint", buffered: true });
  addEventListener("DOMContentLoaded", () => new MutationObserver(() => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => painted(now());
    channel.port2.postMessage(0);
  })).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["hidden"] }));
})();
"""


class Measure:
    """A measurement of both builds."""

    def __init__(self, name, unit="ms"):
        self.name, self.unit, self.values = name, unit, ([], [])

    def line(self):
        def of(values, share):
            ordered = sorted(values)
            return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
        cells = [of(values, share) for values in self.values for share in (0.5, 0.95)]
        pairs = [[of(values, share) for values in self.values] for share in (0.5, 0.1)]
        self.is_slower = all(after > before * 1.05 and after - before > 0.5 for before, after in pairs)
        ratios = [f"{after / before:.2f}" for before, after in pairs]
        return f"| {self.name} ({self.unit}) | " + " | ".join([*(f"{cell:.1f}" for cell in cells), *ratios]) + " |"


class Paints:
    def __init__(self, before, after, work, count):
        self.world = World(after, work)
        self.binaries, self.count, self.measures = (before, after), count, []
        web = self.world.start(before / "coordinator-web")
        entry = web.stdout.readline().strip()
        self.world.driver.get(entry)
        self.bases = (entry.split("?")[0], self.world.base)
        self.world.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})

    def measure(self, name, what, count=None, unit="ms"):
        """Measures both builds in turn. The first time does not count, and the builds take turns in beginning."""
        measure = Measure(name, unit)
        for turn in range((count or self.count) + 1):
            for build in ((0, 1) if turn % 2 else (1, 0)):
                value = what(build)
                if turn:
                    measure.values[build].append(value)
        print(measure.line(), flush=True)
        self.measures.append(measure)

    def terminal(self, binaries, tree):
        environment = self.world.environment | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        return PseudoTerminal((binaries / "coordinator-tui", tree), environment)

    def first_paint_of_the_terminal(self, tree, text):
        def paint(build):
            terminal = self.terminal(self.binaries[build], tree)
            try:
                return terminal.shows(text) * 1000
            finally:
                terminal.close()
        return paint

    def first_paint_of_the_page(self, path):
        def paint(build):
            self.world.driver.get("about:blank")
            self.world.driver.get(self.bases[build] + path)
            query = "return performance.getEntriesByName('first-contentful-paint').map((entry) => entry.startTime)[0]"
            return eventually(lambda: self.world.driver.execute_script(query))
        return paint

    def bytes_of_the_page(self, path):
        def size(build):
            return len(self.get(self.bases[build] + path)[0]) / 1024
        return size

    def answer_of_the_server(self, path):
        return lambda build: self.get(self.bases[build] + path)[1] * 1000

    def get(self, address):
        """Returns the bytes of a page, and the time of the server."""
        self.world.driver.get(address)
        cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in self.world.driver.get_cookies())
        parts = urllib.parse.urlsplit(self.world.driver.current_url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
        begin = time.perf_counter()
        connection.request("GET", parts.path, headers={"Cookie": cookies, "Accept": "text/html"})
        response = connection.getresponse()
        body = response.read()
        taken = time.perf_counter() - begin
        connection.close()
        assert response.status == 200, (response.status, body[:200])
        return body, taken

    def key(self, prepare, keys, undo):
        """Measures the time from a key in the browser to the paint of its effect."""
        driver = self.world.driver

        def press(build):
            prepare(build)
            time.sleep(0.15)
            ActionChains(driver).send_keys(keys).perform()
            query = "return sessionStorage.pressed && sessionStorage.painted ? sessionStorage.painted - sessionStorage.pressed : null"
            taken = eventually(lambda: driver.execute_script(query))
            undo()
            return taken
        return press

    def run(self):
        world, driver = self.world, self.world.driver
        for flow in ("schedule-visit", "kanji", "directory"):
            world.control("start", flow, "--token", flow.replace("-", "_"))
        print("| | before, median | 95 % | after, median | 95 % | ratio | of the quickest tenth |\n|---|---|---|---|---|---|---|")
        self.measure("terminal: start to first paint of a menu", self.first_paint_of_the_terminal("schedule_visit", "What is the visit for?"))
        self.measure("terminal: start to first paint of 9 000 rows", self.first_paint_of_the_terminal("directory", "Who is it?"), self.count // 2)
        for name, tree, text, keys in (
                ("a key in a menu to its repaint", "schedule_visit", "What is the visit for?", (b"j", b"k")),
                ("a letter to the filtered list, 9 000 rows", "directory", "Who is it?", (b"9", b"\x7f"))):
            terminals = [self.terminal(path, tree) for path in self.binaries]
            for terminal in terminals:
                terminal.shows(text)

            def press(build):
                first = terminals[build].press(keys[0]) * 1000
                terminals[build].press(keys[1])
                return first
            self.measure(f"terminal: {name}", press)
            for terminal in terminals:
                terminal.close()
        self.measure("page: navigation to first contentful paint of a menu", self.first_paint_of_the_page("flows/schedule_visit"))
        self.measure("page: the same of 9 000 rows", self.first_paint_of_the_page("flows/directory"), self.count // 2)
        self.measure("page: the server's answer, menu", self.answer_of_the_server("flows/schedule_visit"))
        self.measure("page: the server's answer, 9 000 rows", self.answer_of_the_server("flows/directory"), self.count // 4)
        self.measure("page: bytes of a menu", self.bytes_of_the_page("flows/schedule_visit"), 1, "KiB")
        self.measure("page: bytes of 9 000 rows", self.bytes_of_the_page("flows/directory"), 1, "KiB")

        def visit(build):
            driver.get(self.bases[build] + "flows/schedule_visit")
            driver.execute_script("arguments[0].focus()", driver.find_element(By.CSS_SELECTOR, "button[value=sick]"))

        def go_back():
            assert eventually(lambda: driver.find_elements(By.CSS_SELECTOR, "button[value=none]"))
            world.control("back", "schedule_visit")
        self.measure("page: Enter to the paint of the next screen", self.key(visit, Keys.ENTER, go_back))

        def find(tree):
            def prepare(build):
                driver.get(self.bases[build] + f"flows/{tree}")
                field = driver.find_element(By.CSS_SELECTOR, "#filter-text")
                driver.execute_script("arguments[0].focus()", field)
            return prepare
        self.measure("page: a letter to the filtered list, kanji", self.key(find("kanji"), "w", lambda: None))
        self.measure("page: a digit to the filtered list, 9 000 rows", self.key(find("directory"), "9", lambda: None), self.count // 4)
        return [measure.name for measure in self.measures if measure.is_slower]


if __name__ == "__main__":
    PAINTS = Paints(*map(pathlib.Path, sys.argv[1:4]), int(sys.argv[4]) if len(sys.argv) > 4 else 40)
    try:
        SLOWER = PAINTS.run()
    finally:
        PAINTS.world.close()
    if SLOWER:
        sys.exit("slower than before: " + "; ".join(SLOWER))
