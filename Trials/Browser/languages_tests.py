"""The renderers in pseudo-languages, in which text that is not marked for translation appears in plain letters; and the
languages of the visitors of a kiosk."""

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


VISIT = r"""#!/bin/sh
# coordinator: title=A visit; title[de]=Ein Besuch; title[ar]=زيارة
export TEXTDOMAIN=visit TEXTDOMAINDIR="@DIRECTORY@"
LANGUAGE=$(ask language --choose); export LANGUAGE
ask confirm sure "$(gettext 'Is it your first visit?')" --bullet "Bring a card."
ask message welcome "$(gettext 'Welcome')"
"""
TEXTS = {
    "de": ("Deutsch", {"Is it your first visit?": "Sind Sie zum ersten Mal hier?", "Welcome": "Willkommen"}),
    "ar": ("العربية", {"Is it your first visit?": "هل هذه زيارتك الأولى؟", "Welcome": "أهلًا وسهلًا"}),
}


class VisitorWorld(World):
    """A world with a kiosk whose flow is a script with its own translations."""

    def start_daemon(self):
        catalogs = self.home / "catalogs"
        for language, (name, texts) in TEXTS.items():
            directory = catalogs / language / "LC_MESSAGES"
            directory.mkdir(parents=True)
            header = f'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nX-Language-Name: {name}\\n"\n'
            entries = "".join(f'\nmsgid "{text}"\nmsgstr "{translation}"\n' for text, translation in texts.items())
            subprocess.run(
                ["msgfmt", "--output-file", directory / "visit.mo", "-"], input=header + entries, text=True, check=True)
        self.script = self.home / "coordinatord" / "flows" / "visit"
        self.script.parent.mkdir(parents=True)
        self.script.write_text(VISIT.replace("@DIRECTORY@", str(catalogs)))
        self.script.chmod(0o755)
        (self.home / "locale").unlink()
        subprocess.run(["Scripts/po", "compile", self.home / "locale"], cwd=CHECKOUT, check=True, capture_output=True)
        super().start_daemon()
        self.engine = self.start(self.binaries / "coordinator-scripts")
        assert eventually(lambda: "visit" in self.control("flows").stdout), "the script is not served"

    def open(self):
        self.driver = self.browser()

    def kiosk(self, *options):
        """Starts a kiosk of a new name, which takes up no earlier tree, and returns its entry address."""
        name = f"kiosk_{len(self.processes)}"
        web = self.start(self.binaries / "coordinator-web", "visit", "--kiosk", "--token", name, *options)
        return web.stdout.readline().strip()


class VisitorTests(PageTestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = VisitorWorld(*cls.arguments)

    def page(self):
        """The language and the direction of the page, and its heading."""
        html = self.one("html")
        return html.get_attribute("lang"), html.get_attribute("dir"), self.title()

    def shows(self, *page):
        self.assertTrue(eventually(lambda: self.page() == page), f"{self.page()}: {self.driver.page_source}")

    def choose(self, name):
        row = next(row for row in self.all("li") if name in row.text)
        old = self.one("html")
        row.find_element("css selector", "button, label, a").click()
        if not eventually(lambda: self.is_gone(old), 2):
            self.one("button.primary").click()
        self.assertTrue(eventually(lambda: self.is_gone(old)))

    def test_a_visit_is_in_the_language_of_its_browser_until_the_visitor_chooses(self):
        self.world.speak("de-AT,en;q=0.5")
        self.driver.get(self.world.kiosk())
        self.shows("de", "ltr", "Sprache")
        self.world.picture("kiosk-german")
        self.choose("العربية")
        self.shows("ar", "rtl", "هل هذه زيارتك الأولى؟")
        self.assertEqual(self.one("button[value=yes]").text, "نعم")
        self.world.picture("kiosk-arabic")
        # The mark of the English text is where the lines of the page begin, beside its text.
        bullet, text = self.one(".bullets li"), self.one(".bullets li span").rect
        self.assertEqual(bullet.value_of_css_property("direction"), "rtl")
        self.assertGreater(text["x"] + text["width"] + 5, bullet.rect["x"] + bullet.rect["width"])
        # Another browser does not change what the visitor has chosen.
        self.world.speak("en")
        self.driver.refresh()
        self.shows("ar", "rtl", "هل هذه زيارتك الأولى؟")

    def test_the_next_visit_is_in_the_language_of_the_next_browser(self):
        self.world.speak("ar")
        self.driver.get(self.world.kiosk("--restart-after", "1s"))
        self.shows("ar", "rtl", "اللغة")
        self.choose("English")
        self.shows("en", "ltr", "Is it your first visit?")
        self.press("yes")
        self.shows("en", "ltr", "Welcome")
        self.world.speak("de")
        self.press("okay")
        self.shows("de", "ltr", "Sprache")

    def test_the_script_speaks_german_in_a_terminal_without_an_engine(self):
        commands = self.world.home / "bin"
        commands.mkdir()
        (commands / "ask").symlink_to((self.world.binaries / "coordinator-ask").resolve())
        variables = {
            "PATH": f"{commands}:{self.world.binaries.resolve()}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "LANGUAGE": "de",
            "XDG_DATA_HOME": self.world.home}
        terminal = Terminal(self.world, self.world.script, variables=variables)
        try:
            self.assertTrue(terminal.shows("Sprache"), terminal.text())
            self.assertTrue(terminal.shows("Deutsch"), terminal.text())
            terminal.keys("Enter")
            self.assertTrue(terminal.shows("Sind Sie zum ersten Mal hier?"), terminal.text())
            self.assertTrue(terminal.shows("Ja"), terminal.text())
        finally:
            terminal.close()


if __name__ == "__main__":
    main()
