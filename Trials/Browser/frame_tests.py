"""The frame of the pages in a real browser: its theme, motion, the list of flows, ends: frame_tests.py BINARIES WORK [TEST...]"""

import pathlib
import subprocess
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from pages import WalkTestCase, main
from world import DESKTOP, PHONE, eventually, token


class FrameTests(WalkTestCase):
    def top(self, selector):
        return self.driver.execute_script(f"return document.querySelector({selector!r}).getBoundingClientRect().top")

    def moving(self):
        """Enables motion on pages, which most users have."""
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]})

    def test_nothing_moves_when_the_second_and_the_third_screen_come(self):
        for size in (DESKTOP, PHONE):
            with self.subTest(size=size):
                self.world.look(size)
                self.tree = token(f"still_{size[0]}")
                self.world.control("start", "schedule-visit", "--token", self.tree)
                self.show()
                places = [self.top("h1")]
                for event in ("sick", "moderate"):
                    self.press(event)
                    places.append(self.top("h1"))
                self.assertEqual(len(set(places)), 1, places)

    def test_the_list_of_flows_is_live_and_says_where_each_flow_is(self):
        self.tree = token(self.id().rsplit(".", 1)[1])
        self.assertFalse(self.all(f"#tree-{self.tree}"))
        self.world.control("start", "schedule-visit", "--token", self.tree)
        self.expect_text(f"#tree-{self.tree}", "What is the visit for?")
        self.send("sick")
        self.expect_text(f"#tree-{self.tree}", "How much does it hurt?")
        self.world.control("dismiss", self.tree)
        self.assertTrue(eventually(lambda: not self.all(f"#tree-{self.tree}")))

    def test_the_list_of_flows_is_searched_while_its_user_types_and_enter_opens_the_best(self):
        field = self.one("#find-text")
        self.driver.find_element(By.TAG_NAME, "body").send_keys("/")
        self.assertEqual(self.focused().get_attribute("id"), "find-text")
        field.send_keys("hw code")
        self.assertTrue(eventually(lambda: ["How to code"] == [row.text for row in self.all(".home li .choice-title")]))
        self.assertTrue(self.all(".home mark"))
        self.check("home-search")
        self.focused().send_keys(Keys.ENTER)
        self.expect("I wake up")

    def test_the_list_of_flows_is_searched_without_scripts(self):
        self.world.scripts(False)
        try:
            self.driver.get(self.world.base)
            self.one("#find-text").send_keys("how to code", Keys.ENTER)
            self.assertTrue(eventually(lambda: "find=" in self.driver.current_url))
            self.assertEqual(len(self.all("#startable-flows li")), 1)
        finally:
            self.world.scripts(True)

    def test_parts_of_other_flows_are_not_offered(self):
        self.one("#startable-flows")
        self.assertEqual(self.all("#flow-shop-main, #flow-log-in, #flow-kanji-list"), [])

    def test_the_last_page_says_what_was_decided(self):
        self.start("schedule-visit")
        for event in ("sick", "moderate", "okay"):
            self.press(event)
        self.expect("Done")
        self.expect_text("dt", "What the visit is for")
        self.assertTrue(self.driver.title.startswith("✓ "), self.driver.title)
        self.check("end")
        # The page shows the same after a reload.
        self.driver.refresh()
        self.expect_text("dt", "What the visit is for")
        self.one("#again button").click()
        self.expect("What is the visit for?")

    def test_a_page_comes_in_from_the_side_where_the_flow_goes(self):
        self.start("schedule-visit")
        self.moving()
        seen = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            addEventListener('pagereveal', (event) => {
              setTimeout(() => sessionStorage.setItem('types', [...event.viewTransition?.types ?? ['none']].join()));
            });"""})
        try:
            self.press("sick")
            self.assertTrue(eventually(lambda: self.stored("types") == "forwards"), self.stored("types"))
            self.one("#back button").click()
            self.expect("What is the visit for?")
            self.assertTrue(eventually(lambda: self.stored("types") == "backwards"), self.stored("types"))
            self.world.look()
            self.press("sick")
            self.assertTrue(eventually(lambda: self.stored("types") == "none"), self.stored("types"))
        finally:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", seen)

    def stored(self, name):
        return self.driver.execute_script(f"return sessionStorage.getItem({name!r})")

    def click(self, place, count=1):
        """Clicks at the former position of a button, whatever is there now."""
        for kind in ("mousePressed", "mouseReleased"):
            self.driver.execute_cdp_cmd(
                "Input.dispatchMouseEvent", {"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": count})

    def place(self, selector):
        box = "const r = document.querySelector(arguments[0]).getBoundingClientRect();"
        self.one(selector)
        return self.driver.execute_script(box + "return [r.x + r.width / 2, r.y + r.height / 2]", selector)

    def is_moving(self):
        return self.driver.execute_script("return document.getAnimations().length > 0")

    def test_a_double_click_answers_one_question(self):
        self.start("how-to-code")
        self.expect("I wake up")
        place = self.place("button.primary")
        self.click(place)
        self.expect("I go out")
        self.assertTrue(eventually(lambda: self.driver.execute_script("return document.readyState") == "complete"))
        self.click(place, count=2)
        # The next click is a separate one, and reaches the page.
        self.click(self.place("button.primary"))
        self.expect("500 lines")
        self.assertEqual(len(self.world.shown(self.tree)["screens"]), 3)

    def test_a_click_during_the_motion_answers_nothing_and_one_after_it_does(self):
        self.start("how-to-code")
        self.expect("I wake up")
        self.moving()
        # The animation lasts until the test resets its speed.
        self.driver.execute_cdp_cmd("Animation.enable", {})
        self.driver.execute_cdp_cmd("Animation.setPlaybackRate", {"playbackRate": 0.001})
        try:
            self.click(self.place("button.primary"))
            self.expect("I go out")
            self.assertTrue(eventually(self.is_moving))
            self.click(self.place("button.primary"))
            self.assertEqual(len(self.world.shown(self.tree)["screens"]), 2)
        finally:
            self.driver.execute_cdp_cmd("Animation.setPlaybackRate", {"playbackRate": 1})
        self.assertTrue(eventually(lambda: not self.is_moving()))
        self.assertEqual(self.title(), "I go out")
        self.click(self.place("button.primary"))
        self.expect("500 lines")

    def test_a_page_that_somebody_elses_answer_has_brought_takes_no_click_at_once(self):
        self.start("how-to-code")
        self.expect("I wake up")
        self.driver.execute_script(
            "document.addEventListener('click', (event) => sessionStorage.setItem('clicked', event.target.nodeName))")
        place = self.place("button.primary")
        self.world.control("send", self.tree, self.one("button.primary").get_attribute("value"))
        self.assertTrue(eventually(lambda: self.title() == "I go out"))
        # Simulates the moment when the page is replaced, which this test may be too slow to hit.
        self.driver.execute_script("document.dispatchEvent(new Event('replacing'))")
        self.click(place)
        self.assertIsNone(self.stored("clicked"))
        self.assertEqual(len(self.world.shown(self.tree)["screens"]), 2)

    def test_what_changes_by_itself_is_said_once(self):
        self.start("gallery")
        self.press("fields")
        self.assertEqual(self.one("#live").get_attribute("textContent"), "")
        self.assertEqual(self.one("#live").get_attribute("role"), "status")

    def test_the_first_tab_leads_to_the_content(self):
        self.start("schedule-visit")
        self.one("h1")
        self.driver.execute_script("document.activeElement.blur()")
        self.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
        self.assertEqual(self.focused().get_attribute("class"), "skip")
        self.focused().send_keys(Keys.ENTER)
        self.assertEqual(self.focused().get_attribute("id"), "main")

    def test_what_was_typed_when_a_flow_ended_is_shown_once_more_and_not_in_another_flow(self):
        self.start("account")
        self.expect("Log in")
        self.one("#field-0").send_keys("Anna")
        self.world.control("dismiss", self.tree)
        self.expect_text("#unsent", "Anna")
        self.world.control("start", "account", "--token", "unsent_elsewhere")
        self.addCleanup(self.world.control, "dismiss", "unsent_elsewhere", check=False)
        self.driver.get(f"{self.world.base}flows/unsent_elsewhere")
        self.expect("Log in")
        self.assertNotIn("Anna", self.driver.page_source)

    def watch_drafts(self):
        """Records the drafts that are sent, and holds the first one back until `letGo()` is called."""
        self.driver.execute_script("""
            const send = window.fetch;
            window.sent = [];
            const first = new Promise((go) => { window.letGo = go; });
            window.fetch = (url, options) => {
              if (!String(url).endsWith('/draft')) return send(url, options);
              window.sent.push({ text: options.body.get('field.username'), keepalive: options.keepalive });
              return window.sent.length === 1 ? first.then(() => send(url, options)) : send(url, options);
            };""")

    def test_no_draft_overtakes_another_and_a_long_one_is_sent_as_well(self):
        self.start("account")
        self.expect("Log in")
        self.watch_drafts()
        sent = lambda: self.driver.execute_script("return window.sent")
        self.one("#field-0").send_keys("a")
        self.assertTrue(eventually(lambda: len(sent()) == 1))
        self.one("#field-0").send_keys("b")
        # The second one is due after 400 ms, and waits for the first one.
        self.driver.execute_async_script("setTimeout(arguments[0], 600)")
        self.assertEqual([draft["text"] for draft in sent()], ["a"])
        self.driver.execute_script("window.letGo()")
        self.assertTrue(eventually(lambda: [draft["text"] for draft in sent()] == ["a", "ab"]), sent())
        self.driver.execute_script(
            "const field = document.getElementById('field-0'); field.removeAttribute('maxlength');"
            "field.value = 'x'.repeat(70000); field.dispatchEvent(new InputEvent('input', { bubbles: true }))")
        self.assertTrue(eventually(lambda: len(sent()) == 3))
        self.assertEqual([draft["keepalive"] for draft in sent()], [True, True, False])


class ThemedTests(WalkTestCase):
    """A separate server with a theme."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        world = cls.world
        theme = world.home / "themed"
        theme.mkdir()
        (theme / "logo.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><script>parent.hacked = 1; window.hacked = 1</script>'
            '<circle cx="20" cy="20" r="18" fill="#00695c"/></svg>')
        (theme / "theme.conf").write_text(
            "[Theme]\nName=Harbour Bikes\nLogo=logo.svg\nAccent=#00695c\nAccentDark=#4db6ac\nCorners=slight\n")
        web = world.start(world.binaries / "coordinator-web", "--theme", theme / "theme.conf")
        world.driver.get(web.stdout.readline().strip())
        eventually(lambda: "token" not in world.driver.current_url)
        world.base = world.driver.current_url

    def test_the_theme_is_on_every_page(self):
        self.start("schedule-visit")
        self.assertTrue(self.driver.title.endswith(" – Harbour Bikes"), self.driver.title)
        logo = self.one(".logo")
        self.assertTrue(eventually(lambda: self.driver.execute_script("return arguments[0].naturalWidth", logo) > 0))
        self.assertEqual(self.one(".brand").text, "Harbour Bikes")
        self.assertIsNone(self.driver.execute_script("return window.hacked ?? null"))
        self.check("themed")

    def test_a_logo_that_is_opened_by_itself_runs_nothing(self):
        self.start("schedule-visit")
        self.driver.get(self.one(".logo").get_attribute("src"))
        self.assertEqual(self.driver.execute_script("return document.documentElement.nodeName"), "svg")
        self.assertIsNone(self.driver.execute_script("return window.hacked ?? null"))
        said = [entry["message"] for entry in self.driver.get_log("browser")]
        self.assertTrue(any("Blocked script execution" in message for message in said), said)


class KioskTests(WalkTestCase):
    def kiosk(self, *options):
        web = self.world.start(self.world.binaries / "coordinator-web", *options)
        self.driver.get(web.stdout.readline().strip())
        self.assertTrue(eventually(lambda: "token" not in self.driver.current_url and self.all("h1")))

    def test_the_last_page_counts_down_and_goes_on_to_the_next_run(self):
        self.kiosk("schedule-visit", "--token", "kiosk_end", "--kiosk", "--restart-after", "3s")
        self.assertEqual(self.all("#leave, .onwards"), [])
        for event in ("sick", "moderate", "okay"):
            self.press(event)
        self.expect("Done")
        self.expect_text("#restart", "0:0")
        self.world.picture("kiosk-end")
        self.expect("What is the visit for?")
        self.assertIn("kiosk_end_2", self.driver.current_url)

    def test_a_page_that_nobody_answers_asks_whether_somebody_is_there(self):
        self.kiosk("schedule-visit", "--token", "kiosk_idle", "--kiosk", "--idle-reset", "16s")
        self.press("sick")
        self.assertTrue(eventually(lambda: self.one("#idle").is_displayed()))
        self.assertEqual(self.focused().get_attribute("id"), "alive")
        self.world.picture("kiosk-idle")
        self.assertEqual(self.world.axe(), [])
        self.focused().click()
        self.assertTrue(eventually(lambda: not self.one("#idle").is_displayed()))
        self.assertIn("kiosk_idle_1", self.driver.current_url)
        # Without an answer, the page returns to the first screen for the next user.
        self.assertTrue(eventually(lambda: "kiosk_idle_2" in self.driver.current_url, 40))
        self.expect("What is the visit for?")

    def test_the_next_person_sees_nothing_of_what_the_last_one_typed(self):
        self.kiosk("account", "--token", "kiosk_typed", "--kiosk", "--idle-reset", "2s")
        self.expect("Log in")
        self.one("#field-0").send_keys("Anna")
        self.assertTrue(eventually(lambda: "kiosk_typed_2" in self.driver.current_url, 40))
        self.expect("Log in")
        self.assertEqual(self.one("#field-0").get_attribute("value"), "")
        self.assertNotIn("Anna", self.driver.page_source)
        self.assertIn(self.driver.execute_script("return sessionStorage.getItem('coordinator.unsent')"), (None, "null"))

    def launch(self, script):
        """Starts the launcher of kiosks with a script in place of a browser."""
        text = (pathlib.Path(__file__).parents[2] / "Packaging/libexec/kiosk-browser.in").read_text()
        launcher = self.world.home / "kiosk-browser"
        launcher.write_text(text.replace("@bindir@", str(self.world.binaries)))
        browser = self.world.home / "browser"
        browser.write_text(f"#!/bin/sh\n{script}\n")
        for file in (launcher, browser):
            file.chmod(0o755)
        process = subprocess.Popen(
            [launcher, "schedule-visit", "--kiosk"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=dict(self.world.environment, RUNTIME_DIRECTORY=str(self.world.home), KIOSK_COMPOSITOR="", KIOSK_BROWSER=str(browser)))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        return process

    def test_the_launcher_lets_a_browser_in_without_an_address_on_a_command_line(self):
        launcher = self.launch('echo "$1"; cat "${1#file://}"; stat -c %a "${1#file://}"; readlink /proc/self/fd/0')
        text = launcher.communicate(timeout=60)[0]
        self.assertEqual(launcher.returncode, 0, text)
        path, page, mode, console = text.splitlines()
        self.assertTrue(console.startswith("pipe:"), console)
        self.assertNotIn("token", path)
        self.assertIn("http://127.0.0.1:", page)
        self.assertIn("token=", page)
        self.assertEqual(mode, "600")
        self.assertFalse((self.world.home / "coordinator-kiosk.html").exists())

    def test_a_launcher_that_is_told_to_end_takes_its_browser_and_its_server_with_it(self):
        launcher = self.launch("echo $$; exec sleep 4711")
        browser = int(launcher.stdout.readline())
        children = pathlib.Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split()
        self.assertIn(str(browser), children)
        launcher.terminate()
        self.assertEqual(launcher.wait(20), 143)
        for child in children:
            self.assertTrue(eventually(lambda: not pathlib.Path("/proc", child, "exe").exists()), child)


if __name__ == "__main__":
    main()
