"""The command lines of the kiosks' units: the first console on a real terminal, and a browser that fills a screen:
kiosk_tests.py BINARIES WORK [TEST...]

The bus of the test replaces the bus of the system. The browser has a virtual screen; its compositor is that of the
unit, cage. Without cage, Xwayland or Chromium, the browser is left out.
"""

import grp
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from pages import PageTestCase, main
from terminal import Terminal
from world import World, eventually

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = 65534
GROUP = NOBODY if os.geteuid() == 0 else os.getegid()

# The units run as a separate user, whom this bus admits like the system bus.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/></policy>
</busconfig>
"""


def command_line(unit, world, flow):
    """The command of a unit, as words, and its environment."""
    text = (ROOT / "systemd/system" / f"{unit}.service.in").read_text()
    line = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)[1]
    for name, value in (("@bindir@", str(world.binaries.resolve())), ("@programsdir@", str(world.home)), ("${FLOW}", flow)):
        line = line.replace(name, value)
    return shlex.split(line), dict(re.findall(r"^Environment=(TERM)=(.*)$", text, re.MULTILINE))


def missing():
    """The reason why the browser cannot be shown on a virtual screen; None if there is none."""
    names = [name for name in ("cage", "Xwayland", "chromium", "setpriv") if not shutil.which(name)]
    return f"not installed: {', '.join(names)}" if names else ""


class KioskWorld(World):
    """A world whose bus admits all users, like the bus of the system."""

    def start(self, *command, bus=None):
        if command[0] == "dbus-daemon":
            self.home.chmod(0o755)
            configuration = self.home / "bus.conf"
            configuration.write_text(BUS.format(path=self.home / "bus"))
            command = ("dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address=1")
        return super().start(*command, bus=bus)

    def start_daemon(self):
        """Starts the daemon like the system's daemon, which serves root and the members of a group."""
        self.environment["DBUS_SYSTEM_BUS_ADDRESS"] = self.environment["DBUS_SESSION_BUS_ADDRESS"]
        self.daemon = self.start(
            self.binaries / "GalleryDaemon", "--system", "--group", grp.getgrgid(GROUP).gr_name, "--state-dir", self.home / "state",
            "--log-level", "error")
        assert eventually(lambda: self.control("flows", check=False).returncode == 0), "the daemon does not answer"


class KioskTests(PageTestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = KioskWorld(*cls.arguments, has_browser=False)

    def setUp(self):
        self.driver = None
        self.addCleanup(self.end_flows)

    def end_flows(self):
        for tree in self.trees():
            self.world.control("dismiss", tree, check=False)

    def trees(self):
        return re.findall(r"^\w+_\d+", self.world.control("list").stdout, re.MULTILINE)

    def test_the_first_console_shows_the_flow_again_and_has_no_way_out(self):
        words, variables = command_line("coordinator-kiosk-tty1", self.world, "schedule-visit")
        self.assertEqual(variables, {"TERM": "linux"})
        name = pathlib.Path(words[0]).name
        terminal = Terminal(self.world, name, *words[1:], variables=variables)
        self.addCleanup(terminal.close)
        self.assertTrue(terminal.shows("What is the visit for?"), terminal.text())
        first = self.trees()
        terminal.keys("q")
        # A key that is pressed while the flow is being redrawn is lost, so that it cannot choose a row that the user has not
        # seen.
        def moves():
            terminal.keys("Down")
            return eventually(lambda: "» 2 My pet is sick" in terminal.text(), 1)
        self.assertTrue(eventually(moves), terminal.text())
        # Ctrl-C does nothing, and q shows the flow again.
        terminal.keys("C-c")
        terminal.keys("q")
        self.assertTrue(terminal.shows("» 1 A check-up"), terminal.text())
        terminal.keys("2")
        self.assertTrue(terminal.shows("How much does it hurt?"), terminal.text())
        self.assertEqual(self.trees(), first)
        terminal.keys("4")
        self.assertTrue(terminal.shows("[ Okay ]"), terminal.text())
        terminal.keys("Enter")
        self.assertTrue(terminal.shows("This starts again in 0:"), terminal.text())
        self.assertIn("What the visit is for: My pet is sick", terminal.text())
        terminal.keys("Enter")
        self.assertTrue(terminal.shows("» 1 A check-up"), terminal.text())
        self.assertNotEqual(self.trees(), first)
        self.assertNotIn("My pet is sick\n", terminal.text().split("What is the visit for?")[0])

    def test_the_first_console_shows_the_flow_that_went_on_after_its_program_was_killed(self):
        words, variables = command_line("coordinator-kiosk-tty1", self.world, "schedule-visit")
        for _ in range(2):
            terminal = Terminal(self.world, pathlib.Path(words[0]).name, *words[1:], variables=variables)
            self.assertTrue(terminal.shows("What is the visit for?"), terminal.text())
            pane = int(terminal.tmux("display-message", "-p", "#{pane_pid}"))
            child = next(iter(pathlib.Path(f"/proc/{pane}/task/{pane}/children").read_text().split()), pane)
            os.kill(int(child), signal.SIGKILL)
            terminal.close()

    def test_however_often_a_kiosk_is_killed_it_has_one_flow_tree(self):
        words = (self.world.binaries / "coordinator-web", "schedule-visit", "--kiosk")
        found = set()
        for number in range(20):
            with subprocess.Popen(
                    words, env=self.world.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as kiosk:
                kiosk.stdout.readline()
                found.add(tuple(self.trees()))
                if number == 10:
                    self.world.control("send", self.trees()[0], "sick")
                kiosk.send_signal(signal.SIGKILL if number % 2 else signal.SIGTERM)
        self.assertEqual(found, {("kiosk_schedule_visit_web_1",)})
        self.assertIn("How much does it hurt?", self.world.control("show", self.trees()[0]).stdout)
        # A terminal is another kiosk; the same one with another flow ends the tree of the former.
        for flow, left in (("schedule-visit", {"visits_1", "kiosk_schedule_visit_web_1"}), ("pets", {"visits_2", "kiosk_schedule_visit_web_1"})):
            subprocess.run(
                (self.world.binaries / "coordinator-tui", flow, "--kiosk", "--linear", "--token", "visits"), env=self.world.environment,
                stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)
            self.assertEqual({line.split()[0] for line in self.world.control("list").stdout.splitlines()[1:]}, left)
        self.world.control("dismiss", "visits_2")

    def test_no_key_of_a_terminal_leads_out_of_a_kiosk(self):
        for shell in ("sh -c", "bash --norc -i -c"):
            for mode in ((), ("--linear",)):
                with self.subTest(shell=shell, mode=mode):
                    command = " ".join((str(self.world.binaries / "coordinator-tui"), "schedule-visit", "--kiosk", *mode))
                    terminal = Terminal(self.world, "/usr/bin/env", *shell.split(), f"{command}; echo left", variables={"TERM": "linux"})
                    try:
                        self.assertTrue(terminal.shows("What is the visit for?"), terminal.text())
                        for key in ("C-c", "C-z", "C-\\", "C-d", "C-s", "C-v", "C-q", "C-c"):
                            terminal.keys(key)
                        self.assertTrue(eventually(lambda: self.goes_on(terminal)), terminal.text())
                        self.assertNotIn("left", terminal.text())
                        process = self.kiosk_below(terminal)
                        os.kill(process, signal.SIGTERM)
                        self.assertTrue(terminal.shows("left"), terminal.text())
                        # The driver of the terminal handles its keys as before: Ctrl-C ends the cat in the pane, and tmux with it.
                        terminal.keys("C-c")
                        self.assertTrue(eventually(lambda: self.is_gone(terminal)), "Ctrl-C has no effect")
                    finally:
                        if not self.is_gone(terminal):
                            terminal.close()
                        self.end_flows()

    def is_gone(self, terminal):
        return subprocess.run(["tmux", "-S", str(terminal.socket), "has-session"], capture_output=True).returncode != 0

    def goes_on(self, terminal):
        """Answers the first question by its number, and returns whether the second one is shown."""
        terminal.keys("2", "Enter")
        return eventually(lambda: "How much does it hurt?" in terminal.text(), 1)

    def kiosk_below(self, terminal):
        """The process of the kiosk in a terminal."""
        found = [int(terminal.tmux("display-message", "-p", "#{pane_pid}"))]
        for process in found:
            if b"--kiosk\0" in pathlib.Path(f"/proc/{process}/cmdline").read_bytes() and b"-c\0" not in pathlib.Path(f"/proc/{process}/cmdline").read_bytes():
                return process
            found += [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
        self.fail("there is no kiosk")

    def test_a_kiosk_whose_input_has_ended_leaves_the_flow_and_does_not_show_it_for_ever(self):
        words = (self.world.binaries / "coordinator-tui", "schedule-visit", "--kiosk", "--linear")
        done = subprocess.run(
            words, env=self.world.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout.count("What is the visit for?")), (0, 1), done.stderr)
        self.assertEqual(len(self.trees()), 1)

    @unittest.skipIf(missing(), missing())
    def test_a_browser_fills_the_screen_and_is_let_in_without_an_address_on_a_command_line(self):
        words, _ = command_line("coordinator-kiosk-web", self.world, "schedule-visit")
        text = (ROOT / "Packaging/libexec/kiosk-browser.in").read_text()
        launcher = self.world.home / "kiosk-browser"
        launcher.write_text(text.replace("@bindir@", str(self.world.binaries.resolve())))
        launcher.chmod(0o755)
        home = self.world.home / "nobody"
        home.mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(home, NOBODY, NOBODY)
            # systemd-tmpfiles creates it at boot, for Xwayland.
            sockets = pathlib.Path("/tmp/.X11-unix")
            if not sockets.exists():
                sockets.mkdir()
                sockets.chmod(0o1777)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        # The launcher's browser, with a debugging port, and without a sandbox, because the screen has no name for one.
        browser = re.search(r"\$\{KIOSK_BROWSER:-(.*?)\}", text)[1]
        browser += f" --no-sandbox --remote-debugging-port={port} --user-data-dir={home}/chromium"
        environment = dict(
            self.world.environment, HOME=str(home), RUNTIME_DIRECTORY=str(home), XDG_RUNTIME_DIR=str(home),
            WLR_BACKENDS="headless", WLR_RENDERER="pixman", WLR_LIBINPUT_NO_DEVICES="1", KIOSK_BROWSER=browser,
            XDG_STATE_HOME=str(home), XDG_CONFIG_HOME=str(home))
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            environment.pop(name, None)
        user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else []
        with (self.world.work / "kiosk.log").open("w") as log:
            kiosk = subprocess.Popen(
                [*user, *words], env=environment, cwd=home, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)
        self.addCleanup(self.end, kiosk)
        self.driver = self.attached(port)
        self.assertTrue(eventually(lambda: self.title() == "What is the visit for?", 60), self.driver.page_source)
        sizes = self.driver.execute_script("return [outerWidth, outerHeight, screen.width, screen.height]")
        self.assertEqual(sizes[:2], sizes[2:])
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "#leave, .onwards, #phone"), [])
        self.assertEqual([line for line in self.command_lines() if "token=" in line or "127.0.0.1:" in line], [])
        first = self.trees()
        self.world.picture("kiosk-screen")
        for event in ("sick", "moderate", "okay"):
            self.press(event)
        self.expect("Done")
        self.assertTrue(eventually(lambda: self.title() == "What is the visit for?", 60), self.driver.page_source)
        self.assertNotEqual(self.trees(), first)

    def attached(self, port):
        """Returns a driver of the browser that the kiosk has started."""
        def is_open():
            with socket.socket() as there:
                return there.connect_ex(("127.0.0.1", port)) == 0
        self.assertTrue(eventually(is_open, 60), (self.world.work / "kiosk.log").read_text())
        options = Options()
        options.add_experimental_option("debuggerAddress", f"127.0.0.1:{port}")
        driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.addCleanup(driver.quit)
        self.world.driver = driver

        def is_at_page():
            for handle in driver.window_handles:
                driver.switch_to.window(handle)
                if "/flows/" in driver.current_url:
                    return True
            return False
        self.assertTrue(eventually(is_at_page, 60), (self.world.work / "kiosk.log").read_text())
        return driver

    def command_lines(self):
        lines = []
        for process in pathlib.Path("/proc").iterdir():
            try:
                lines.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except (OSError, UnicodeDecodeError):
                continue
        # Excludes this test's own chromedriver and the processes of other tests.
        return [line for line in lines if str(self.world.home) in line and "chromedriver" not in line]

    def end(self, kiosk):
        self.world.driver = None
        if kiosk.poll() is None:
            os.killpg(kiosk.pid, signal.SIGTERM)
        try:
            kiosk.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(kiosk.pid, signal.SIGKILL)
            kiosk.wait(5)


if __name__ == "__main__":
    main()
