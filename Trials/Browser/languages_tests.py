"""The renderers in pseudo-languages, in which text that is not marked for translation appears in plain letters."""

import pathlib
import re
import subprocess

from pages import PageTestCase, main
from terminal import Terminal
from world import World, eventually

CHECKOUT = pathlib.Path(__file__).parents[2]
# Names of programs, keys and notations, which are the same in every language.
NAMES = set(
    "coordinatord coordinator coordinatorctl tui web QR SHA JSON UTC Enter Tab Esc Shift Alt Home End PgUp PgDn Space "
    "Ctrl Left text".split())
# Collects the text on a page outside of the texts of flows, which `dir=auto` or `lang` marks.
WORDS = """
    const skipped = "script, style, noscript, [dir=auto], [lang='']";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const words = [document.title];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement.closest(skipped)) words.push(node.data);
    }
    for (const element of document.querySelectorAll("[aria-label], [title]")) {
      if (!element.closest(skipped)) words.push(element.getAttribute("aria-label") ?? element.title);
    }
    return words;
"""


def plain(text, *known):
    """The unknown words in plain letters."""
    spoken = set(NAMES)
    for other in known:
        spoken |= set(re.findall(r"[A-Za-z]{3,}", other))
    return sorted(set(re.findall(r"(?<![^\W_])[A-Za-z]{3,}(?![^\W_])", text)) - spoken)


class PseudoWorld(World):
    """A world in which the daemon and the renderers have the translations of `make pseudo`."""

    def start_daemon(self):
        data = self.home / "data"
        sources = re.search(r"PO_SOURCES = ((?:.*\\\n)*.*)\n", (CHECKOUT / "Makefile").read_text()).group(1)
        if not data.exists():
            words = [word for word in sources.split() if word != "\\"]
            subprocess.run(["Scripts/po", "pseudo", data / "locale", *words], cwd=CHECKOUT, check=True)
        self.environment["XDG_DATA_HOME"] = str(data)
        super().start_daemon()

    def open(self):
        super().open()
        agent = self.driver.execute_script("return navigator.userAgent")
        self.driver.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": "en-XA"})

    def flows(self):
        """The flows that can be started without input."""
        lines = subprocess.run(
            [str(self.binaries / "coordinatorctl"), "flows", "--json"], env=self.environment, capture_output=True, text=True,
            check=True).stdout
        import json

        listed = json.loads(lines)
        listed = listed if isinstance(listed, list) else listed["flows"]
        return [flow["name"] for flow in listed if not flow.get("input", {}).get("required")]

    def begin(self, flow, token, language):
        """Starts a flow in a language. Returns whether it has a screen."""
        command = [str(self.binaries / "coordinatorctl"), "start", flow, "--token", token]
        locale = language.replace("-", "_") + ".UTF-8"
        environment = dict(self.environment, LC_ALL=locale, LANGUAGE="")
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


class LanguagesTests(PageTestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = PseudoWorld(*cls.arguments)

    def words(self, known=""):
        return plain("\n".join(self.driver.execute_script(WORDS)), known)

    def test_every_word_of_a_page_is_translated(self):
        found = {}
        self.driver.get(self.world.base)
        known = self.world.control("flows").stdout
        found["home"] = self.words(known)
        self.assertEqual(self.one("html").get_attribute("lang"), "en-XA")
        for flow in self.world.flows():
            token = f"page_{flow.replace('-', '_')}"
            if not self.world.begin(flow, token, "en-XA"):
                continue
            self.driver.get(self.world.base + "flows/" + token)
            title = self.title()
            found[flow] = self.words(title)
            leave = self.all("#leave a")
            if leave:
                self.driver.get(leave[0].get_attribute("href"))
                found[flow + ": end"] = self.words(title)
            self.world.control("cancel", token, check=False)
            self.world.control("dismiss", token, check=False)
            self.driver.get(self.world.base + "flows/" + token)
            found[flow + ": over"] = self.words(title)
        self.driver.get(self.world.base + "nothing")
        found["nothing"] = self.words()
        self.assertGreater(len(found), 12)
        self.assertEqual({page: words for page, words in found.items() if words}, {})

    def test_a_page_is_written_from_right_to_left(self):
        self.assertTrue(self.world.begin("schedule-visit", "arabic", "ar-XB"))
        self.driver.get(self.world.base + "flows/arabic")
        html = self.one("html")
        self.assertEqual((html.get_attribute("lang"), html.get_attribute("dir")), ("ar-XB", "rtl"))
        self.world.picture("right-to-left")
        card, title, leave = self.one(".card").rect, self.one("h1").rect, self.one("#leave a").rect
        # The action that ends the flow is at the end of its line, and the title at the beginning.
        self.assertLess(leave["x"] + leave["width"], card["x"] + card["width"] / 2)
        self.assertEqual(self.one("h1").value_of_css_property("direction"), "rtl")
        self.assertGreater(title["x"] + title["width"], card["x"] + card["width"] / 2)

    def test_every_word_of_the_terminal_is_translated(self):
        found = {}
        for flow in self.world.flows():
            token = f"tui_{flow.replace('-', '_')}"
            if not self.world.begin(flow, token, "en-XA"):
                continue
            # A line break in JSON is two characters, not the beginning of a word.
            said = lambda: self.world.control("show", token, "--json", check=False).stdout.replace("\\n", " ") + token
            known = said()
            terminal = Terminal(self.world, "coordinator-tui", token, size=(100, 40))
            try:
                self.assertTrue(terminal.shows("⟦"), terminal.text())
                text = terminal.text()
                # Live values may have changed meanwhile.
                found[flow] = plain(text, known, said())
                terminal.keys("F1")
                self.assertTrue(terminal.shows("⟦Ķ"), terminal.text())
                # The terminal may be read while it is only half drawn.
                whole = eventually(lambda: terminal.text().count("⟦") == terminal.text().count("⟧"))
                text = terminal.text()
                self.assertTrue(whole, f"something is cut:\n{text}")
                found[flow + ": help"] = plain(text, known, said())
            finally:
                terminal.close()
        self.assertEqual({screen: words for screen, words in found.items() if words}, {})


if __name__ == "__main__":
    main()
