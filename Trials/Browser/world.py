"""The world of the web renderer's tests: a bus, a daemon, the renderer, a browser, and a second actor."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

PHONE, DESKTOP = (390, 844), (1280, 800)


def is_stale(error):
    """Whether an element was gone when it was queried. chromedriver has two errors for this."""
    return isinstance(error, StaleElementReferenceException) or "does not belong to the document" in str(error)


def eventually(what, limit=30):
    """Waits until a condition holds, and returns its value. Elements that disappear meanwhile are searched again."""
    end = time.monotonic() + limit
    while True:
        try:
            value = what()
        except WebDriverException as error:
            if not is_stale(error):
                raise
            value = None
        if value or time.monotonic() > end:
            return value
        time.sleep(0.02)


class World:
    """A separate bus with a daemon on it, and usually the web renderer and a browser."""

    def __init__(self, binaries, work, has_browser=True):
        self.binaries, self.work = pathlib.Path(binaries), pathlib.Path(work)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="coordinator-web-"))
        self.processes = []
        bus = self.start("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1")
        self.environment = dict(
            os.environ, DBUS_SESSION_BUS_ADDRESS=bus.stdout.readline().strip(), XDG_STATE_HOME=str(self.home),
            XDG_CONFIG_HOME=str(self.home), XDG_DATA_HOME=str(self.home), LC_ALL="C.UTF-8")
        # `make mo` writes it; without it, all texts are English.
        (self.home / "locale").symlink_to(pathlib.Path(__file__).resolve().parents[2] / ".build-mo")
        self.start_daemon()
        self.driver = None
        if has_browser:
            self.open()

    def open(self):
        """Starts the web renderer and a browser that it admits."""
        self.web = self.start(self.binaries / "coordinator-web")
        self.entry = self.web.stdout.readline().strip()
        self.base = self.entry.split("?")[0]
        self.driver = self.browser()
        self.driver.get(self.entry)
        assert eventually(lambda: self.driver.current_url == self.base), self.driver.current_url

    def start(self, *command, bus=None):
        environment = dict(getattr(self, "environment", os.environ))
        if bus:
            environment["DBUS_SESSION_BUS_ADDRESS"] = bus
        process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment)
        self.processes.append(process)
        return process

    def start_daemon(self):
        self.daemon = self.start(self.binaries / "GalleryDaemon", "--log-level", "error")
        assert eventually(lambda: self.control("flows", check=False).returncode == 0), "the daemon does not answer"

    def control(self, *arguments, check=True, language="en"):
        """Acts as the second actor, through coordinatorctl."""
        command = [str(self.binaries / "coordinatorctl"), *arguments]
        environment = dict(self.environment, LANGUAGE=language)
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=check)

    def begin(self, view):
        """Returns a flow tree that shows a view, in its language; "" if no flow must be started."""
        if not view.flow:
            return ""
        tree = self.control("start", view.flow, language=view.language).stdout.strip()
        for arguments in view.sent:
            self.control("send", tree, *arguments)
        return tree

    def run(self, program, *arguments):
        """Runs one of the built programs to its end."""
        return subprocess.run(
            [str(self.binaries / program), *arguments], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=120)

    def shown(self, tree):
        """Returns the top screen of the tree, as the second actor sees it."""
        return json.loads(self.control("show", tree, "--json").stdout)

    def browser_options(self):
        return ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]

    def browser(self):
        options = Options()
        for option in self.browser_options():
            options.add_argument(option)
        options.add_argument(f"--user-data-dir={self.home}/chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        log = str(self.work / "chromedriver.log")
        driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver", log_path=log))
        driver.set_page_load_timeout(20)
        driver.set_script_timeout(60)
        return driver

    def look(self, size=DESKTOP, scheme="light"):
        """Sets the size of the window, and whether it is dark."""
        width, height = size
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE})
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [
                {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def speak(self, language):
        """Sets the language that the browser requests."""
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": language}})

    def scripts(self, are_on):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not are_on})

    def picture(self, name):
        directory = self.work / "pictures"
        directory.mkdir(exist_ok=True)
        self.driver.save_screenshot(str(directory / f"{name}.png"))

    def axe(self, *rules):
        """Returns the barriers on the shown page, by all rules or by these; none if the page is accessible."""
        if not self.driver.execute_script("return 'axe' in window"):
            self.driver.execute_script((self.work / "axe.min.js").read_text())
        result = self.driver.execute_async_script(
            "const [rules, done] = arguments; const options = { resultTypes: ['violations'] };"
            "if (rules.length) options.runOnly = { type: 'rule', values: rules };"
            "axe.run(document, options).then(done, (error) => done({ violations: [String(error)] }));", rules)
        return [
            f"{rule['id']}: {rule['help']}: {[node['html'] for node in rule['nodes']][:3]}" if isinstance(rule, dict) else rule
            for rule in result["violations"]]

    def ticks(self, process):
        """Returns the processor time of a process, in hundredths of a second."""
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def close(self):
        try:
            if self.driver:
                self.driver.quit()
        finally:
            for process in reversed(self.processes):
                if process.poll() is None:
                    process.send_signal(signal.SIGTERM)
            for process in self.processes:
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()
            shutil.rmtree(self.home, ignore_errors=True)


def token(name):
    """Returns a token that can name a flow tree."""
    return re.sub(r"\W", "_", name)
