"""programs_tests.py DIRECTORY: real gpg, systemd-ask-password and dpkg ask, and program-trial in that directory answers.

Programs that are not installed are skipped with a sentence.
"""

import contextlib
import os
import pathlib
import pty
import select
import socket
import subprocess

from program_world import ProgramTestCase, main, needs, trial, wait_for


@needs("gpg", "gpg-agent", "gpgconf")
class PinentryTests(ProgramTestCase):
    def setUp(self):
        super().setUp()
        self.home = self.root / "gnupg"
        self.home.mkdir(mode=0o700)
        (self.home / "gpg-agent.conf").write_text(f"pinentry-program {self.script('pinentry')}\n")
        self.addCleanup(self.run_program, "gpgconf", "--homedir", str(self.home), "--kill", "gpg-agent", check=False)

    def gpg(self, *words, **options):
        return self.run_program("gpg", "--homedir", str(self.home), "--no-symkey-cache", "--batch", "--yes", *words, **options)

    def test_a_new_passphrase_is_typed_twice_and_then_opens_the_file(self):
        self.answer({"pinentry": {"event": "okay", "text": "50% pä ss"}, "pinentry-confirm": {"event": "okay"}})
        (self.root / "plain").write_text("text")
        self.gpg("-c", "-o", str(self.root / "closed"), str(self.root / "plain"))
        self.assertEqual(self.gpg("-d", str(self.root / "closed")).stdout, "text")
        asked = [screen for screen in self.screens if screen["kind"] == "form"]
        self.assertEqual([len(screen["fields"]) for screen in asked], [2, 1])
        self.answer({})
        result = self.gpg("-d", str(self.root / "closed"), check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("cancelled", result.stderr.lower())


@needs("systemd-ask-password")
class PasswordAgentTests(ProgramTestCase):
    FOLDER = pathlib.Path("/run/systemd/ask-password")

    def setUp(self):
        super().setUp()
        if os.getuid() != 0 or not self.FOLDER.parent.exists():
            self.skipTest("only root of a system with systemd may ask the agents of the system")

    def ask(self):
        before = set(self.FOLDER.glob("ask.*")) if self.FOLDER.exists() else set()
        asking = subprocess.Popen(["systemd-ask-password", "--no-tty", "--timeout=30", "--id=trial:1", "Pässword for the trial:"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: self.FOLDER.exists() and set(self.FOLDER.glob("ask.*")) - before)
        file = (set(self.FOLDER.glob("ask.*")) - before).pop()
        text = file.read_text()
        datagram = subprocess.run([trial(), self.root, "password", file], capture_output=True, check=True).stdout
        path = next(line.partition("=")[2] for line in text.splitlines() if line.startswith("Socket="))
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(datagram, path)
        output, error = asking.communicate(timeout=30)
        return asking.returncode, output, error

    def test_password(self):
        self.answer({"systemd-password/trial:1": {"event": "okay", "text": "s3crét"}})
        self.assertEqual(self.ask()[:2], (0, "s3crét\n"))
        self.assertEqual(self.screens[0]["body"], "Pässword for the trial:")

    def test_cancelled(self):
        self.assertEqual(self.ask()[:2], (1, ""))


@needs("dpkg", "dpkg-deb")
class ConffileTests(ProgramTestCase):
    """A package in a separate root, whose configuration file was changed."""

    def setUp(self):
        super().setUp()
        for version in "12":
            package = self.root / f"package{version}"
            (package / "DEBIAN").mkdir(parents=True)
            (package / "etc/cf.d").mkdir(parents=True)
            (package / "DEBIAN/control").write_text(
                f"Package: cf\nVersion: {version}\nArchitecture: all\nMaintainer: x <x@y>\nDescription: x\n")
            (package / "DEBIAN/conffiles").write_text("/etc/cf.d/my.conf\n")
            (package / "etc/cf.d/my.conf").write_text(f"version {version}\n")
            self.run_program("dpkg-deb", "-b", str(package), str(self.root / f"cf{version}.deb"))
        for name in ["updates", "info", "triggers"]:
            (self.root / "root/var/lib/dpkg" / name).mkdir(parents=True)
        (self.root / "root/var/lib/dpkg/status").touch()
        self.dpkg = ["dpkg", f"--root={self.root}/root", "--force-not-root", "--force-script-chrootless", "--log=/dev/null", "-i"]
        self.run_program(*self.dpkg, str(self.root / "cf1.deb"))
        self.file = self.root / "root/etc/cf.d/my.conf"
        self.file.write_text("local\n")

    def upgrade(self, *events):
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(LC_ALL="C.UTF-8", DPKG_PAGER="cat", TERM="xterm-256color")
            os.execvp("dpkg", self.dpkg + [str(self.root / "cf2.deb")])
        output, events = b"", list(events)
        with contextlib.suppress(OSError):
            while select.select([terminal], [], [], 30)[0]:
                output += os.read(terminal, 4096)
                if not output.endswith(b" ? ") or not events:
                    continue
                self.answer({"dpkg-conffile//etc/cf.d/my.conf": {"event": events.pop(0)}})
                keys = subprocess.run([trial(), self.root, "conffile"], input=output, capture_output=True, check=True).stdout
                output = b""
                os.write(terminal, keys)
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_keep(self):
        self.assertEqual(self.upgrade("keep"), 0)
        self.assertEqual(self.file.read_text(), "local\n")
        self.assertEqual(self.screens[0]["default"], "keep")

    def test_differences_and_install(self):
        self.assertEqual(self.upgrade("differences", "install"), 0)
        self.assertEqual(self.file.read_text(), "version 2\n")
        self.assertIn("-local\n+version 2", self.screens[1]["body"])


if __name__ == "__main__":
    main()
