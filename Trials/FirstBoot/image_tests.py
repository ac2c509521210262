"""Boots a Debian that sets itself up: image_tests.py IMAGE PACKAGES [TEST...]

Creates an image as described in Docs/deploying.md, from the packages in the directory PACKAGES, in the directory IMAGE,
or uses an existing one. Then boots it in containers, each with a separate layer for its changes. Needs root and
systemd-nspawn.
"""

import crypt
import glob
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
PASSWORD = "canary-correct-horse"
# The differences in a container: it has a console and no tty1, and no network.
ANSWERS = re.sub(r"networks: .*\n.*\n", "networks: skip\n", (CHECKOUT / "Examples/first-boot/first-boot.yaml").read_text())
CREDENTIALS = {"first-boot.answers": ANSWERS, "user.password": PASSWORD}
CONSOLE = """[Unit]
ConditionPathExists=
ConditionPathExists=!/var/lib/first-boot/done
Before=console-getty.service
[Service]
TTYPath=/dev/console
"""
# Reports the states of the units once the machine has booted, and the process that serves the next call.
REPORT = """[Unit]
After=multi-user.target first-boot-done.service
[Service]
ExecStart=/bin/sh -c '(systemctl is-active first-boot first-boot-tty1; coordinatorctl --system flows; coordinatorctl --system status) >/report.new; mv /report.new /report'
[Install]
WantedBy=graphical.target
"""


def recipe():
    """Returns the commands of the document that build an image."""
    text = (CHECKOUT / "Docs/deploying.md").read_text()
    section = text.split("## An image that sets itself up\n")[1].split("\n## ")[0]
    return re.search(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[1]


def eventually(what, limit=120):
    end = time.monotonic() + limit
    while not (value := what()) and time.monotonic() < end:
        time.sleep(0.1)
    return value


class Machine:
    """A machine with a disk that the test switches on and off."""

    def __init__(self, test, image):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="first-boot-image-", dir="/var/tmp"))
        self.disk, self.changes = self.home / "disk", self.home / "changes"
        for directory in (self.disk, self.changes, self.home / "work"):
            directory.mkdir()
        subprocess.run(
            ["mount", "-t", "overlay", "overlay", "-o", f"lowerdir={image},upperdir={self.changes},workdir={self.home}/work", self.disk],
            check=True)
        self.boots = 0
        test.addCleanup(self.scrap)

    def tmux(self, *arguments, check=True):
        command = ["tmux", "-S", str(self.home / f"tmux-{self.boots}"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=check).stdout

    def switch_on(self, credentials={}):
        self.boots += 1
        options = []
        for name, text in credentials.items():
            file = self.home / name
            file.write_text(text)
            options.append(f"--load-credential={name}:{file}")
        line = " ".join([str(HERE / "boot-image"), str(self.disk), *options, f"2>{self.home}/errors", ";", "exec", "cat"])
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "30", line)

    def cut_power(self):
        """Kills all processes at once."""
        leader = self.home / "disk.leader"
        if leader.exists():
            try:
                os.kill(int(leader.read_text()), signal.SIGKILL)
            except ProcessLookupError:
                pass
            leader.unlink()
            time.sleep(1)
        self.tmux("kill-server", check=False)

    def scrap(self):
        self.cut_power()
        subprocess.run(["umount", "--lazy", self.disk], check=False)
        shutil.rmtree(self.home, ignore_errors=True)

    def text(self):
        return self.tmux("capture-pane", "-p")

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def types(self, text):
        self.tmux("send-keys", "-l", text)

    def file(self, name):
        try:
            return (self.disk / name).read_text()
        except OSError:
            return ""

    def is_set_up(self):
        return (self.disk / "var/lib/first-boot/done").exists()

    @property
    def state(self):
        lines = {name: [line.split(":") for line in self.file(f"etc/{name}").splitlines()] for name in ("passwd", "shadow", "group")}
        hashes = [fields[1] for fields in lines["shadow"] if fields[0] == "ada"]
        user = next((fields for fields in lines["passwd"] if fields[0] == "ada"), None)
        home = (self.disk / "home/ada").stat() if user and (self.disk / "home/ada").exists() else None
        return {
            "host name": self.file("etc/hostname").strip(),
            "language": [line for line in self.file("etc/default/locale").splitlines() if line.startswith("LANG=")],
            "keyboard": [line for line in self.file("etc/default/keyboard").splitlines() if line.startswith("XKBLAYOUT=")],
            "time zone": os.readlink(self.disk / "etc/localtime").partition("zoneinfo/")[2],
            "user": user and user[4:], "home": home and home.st_uid == int(user[2]) and (self.disk / "home/ada/.bashrc").exists(),
            "groups": [fields[0] for fields in lines["group"] if "ada" in fields[3].split(",")],
            "password": [crypt.crypt(PASSWORD, one) == one for one in hashes],
        }

    def canaries(self):
        """Returns the data on the disk that contains the password."""
        return [str(path) for path in self.changes.rglob("*")
                if path.is_file() and not path.is_symlink() and PASSWORD.encode() in path.read_bytes()]


SET_UP = {
    "host name": "kitchen", "language": ["LANG=de_DE.UTF-8"], "keyboard": ["XKBLAYOUT=de"], "time zone": "Europe/Berlin",
    "user": ["Ada Lovelace", "/home/ada", "/bin/bash"], "home": True, "groups": ["sudo"], "password": [True],
}


class ImageTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.image = pathlib.Path(sys.argv[1]).resolve()
        if not cls.image.exists():
            cls.image.parent.mkdir(parents=True, exist_ok=True)
            for package in glob.glob(f"{sys.argv[2]}/coordinatord*.deb"):
                shutil.copy(package, cls.image.parent)
            subprocess.run(
                ["bash", "-euo", "pipefail", "-c", recipe()], cwd=cls.image.parent, env=dict(os.environ, root=str(cls.image)), check=True,
                stdout=subprocess.DEVNULL)

    def machine(self):
        machine = Machine(self, self.image)
        (machine.disk / "etc/systemd/system/report.service").write_text(REPORT)
        subprocess.run(["systemctl", f"--root={machine.disk}", "--quiet", "enable", "report"], check=True)
        return machine

    def expect_set_up(self, machine):
        self.assertTrue(eventually(machine.is_set_up), f"{machine.text()}\n{machine.file('../errors')}")
        self.assertEqual(machine.state, SET_UP)
        self.assertEqual(machine.canaries(), [])

    def expect_only_once(self, machine):
        """On the next boot, no user is asked, and the name on the bus is that of coordinatord."""
        machine.cut_power()
        (machine.disk / "report").unlink(missing_ok=True)
        machine.switch_on()
        self.assertTrue(eventually(lambda: machine.file("report")), machine.text())
        report = machine.file("report").splitlines()
        self.assertEqual(report[:2], ["inactive", "inactive"])
        self.assertTrue(any(line.startswith("coordinatord ") for line in report), report)
        self.assertTrue(eventually(lambda: "kitchen login:" in machine.text()), machine.text())
        self.assertEqual(machine.state, SET_UP)

    def test_units_are_right(self):
        machine = self.machine()
        units = sorted(path.name for path in (CHECKOUT / "Examples/first-boot/systemd").glob("*.service"))
        done = subprocess.run(["chroot", machine.disk, "systemd-analyze", "verify", *units], capture_output=True, text=True)
        self.assertEqual((done.returncode, [line for line in done.stderr.splitlines() if "first-boot" in line]), (0, []))
        self.assertFalse(list(machine.disk.glob("usr/lib/**/libswift*")))

    def test_by_answers(self):
        machine = self.machine()
        machine.switch_on(CREDENTIALS)
        self.expect_set_up(machine)
        self.expect_only_once(machine)

    def test_by_answers_with_power_cuts(self):
        machine = self.machine()
        for has_come in (lambda: "ada:" in machine.file("etc/passwd"), lambda: machine.file("etc/hostname") == "kitchen\n"):
            machine.switch_on(CREDENTIALS)
            self.assertTrue(eventually(has_come), machine.text())
            machine.cut_power()
        machine.switch_on(CREDENTIALS)
        self.expect_set_up(machine)

    def test_by_terminal(self):
        machine = self.machine()
        dropin = machine.disk / "etc/systemd/system/first-boot-tty1.service.d"
        dropin.mkdir()
        (dropin / "console.conf").write_text(CONSOLE)
        machine.switch_on()
        for title, keys in (
                ("Which language?", ["Down", "Enter"]), ("Which keyboard?", ["Enter"]), ("Where is this machine?", ["Enter"]),
                ("What is this machine called?", ["kitchen", "Tab", "Enter"]), ("Which network?", ["Enter"]),
                ("Who will use this machine?", ["Ada Lovelace", "Tab", "ada", "Tab", PASSWORD, "Tab", PASSWORD, "Tab", "Enter"]),
                ("Check your answers", ["Enter"]), ("This machine is ready", ["Enter"])):
            self.assertTrue(eventually(lambda: title in machine.text()), f"no {title!r}:\n{machine.text()}")
            self.assertNotIn("login:", machine.text())
            time.sleep(0.5)
            for key in keys:
                (machine.keys if key in ("Down", "Enter", "Tab") else machine.types)(key)
        self.expect_set_up(machine)
        self.assertTrue(eventually(lambda: "login:" in machine.text()), machine.text())
        self.expect_only_once(machine)


if __name__ == "__main__":
    if "FIRST_BOOT_PRIVATE" not in os.environ:
        os.environ["FIRST_BOOT_PRIVATE"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])
    tests = sys.argv[3:]
    unittest.main(argv=[sys.argv[0], *tests], verbosity=2)
