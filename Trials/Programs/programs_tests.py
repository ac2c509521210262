"""programs_tests.py DIRECTORY: real ssh, git, gpg, systemd-ask-password and dpkg ask, and program-trial in that directory answers.

What is not installed is skipped with a sentence.
"""

import base64
import contextlib
import http.server
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

TRIAL = None


def needs(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    return unittest.skipIf(missing, f"{', '.join(missing)} is not installed")


class ProgramTestCase(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="program-trial."))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        (self.root / "screens").touch()
        self.answer({})

    def answer(self, answers):
        (self.root / "answers.json").write_text(json.dumps(answers))

    @property
    def screens(self):
        return [json.loads(line) for line in (self.root / "screens").read_text().splitlines()]

    def names(self):
        return [screen["name"] for screen in self.screens]

    def script(self, *words):
        path = self.root / words[0]
        path.write_text(f"#!/bin/sh\nexec {TRIAL} {self.root} {' '.join(words)}\n")
        path.chmod(0o755)
        return str(path)

    def askpass(self, program):
        path = self.root / f"askpass-{program}"
        path.write_text(f'#!/bin/sh\nexec {TRIAL} {self.root} askpass {program} "$1"\n')
        path.chmod(0o755)
        return str(path)

    def run_program(self, *command, check=True, **environment):
        return subprocess.run(command, env=os.environ | {"LC_ALL": "C.UTF-8", "HOME": str(self.root)} | environment, check=check,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, start_new_session=True, cwd=self.root)


@needs("ssh-keygen")
class SSHTests(ProgramTestCase):
    def setUp(self):
        super().setUp()
        self.key = self.root / "key"
        self.run_program("ssh-keygen", "-q", "-t", "ed25519", "-N", "pässphrase", "-f", str(self.key))
        self.asking = {"SSH_ASKPASS": self.askpass("ssh-keygen"), "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":none"}

    def test_passphrase(self):
        self.answer({"ssh-password": {"event": "okay", "text": "pässphrase"}})
        result = self.run_program("ssh-keygen", "-y", "-f", str(self.key), **self.asking)
        self.assertEqual(result.stdout.split()[:2], self.key.with_suffix(".pub").read_text().split()[:2])
        self.assertIn("passphrase", self.screens[0]["schema"]["properties"]["answer"]["title"])

    def test_cancelled(self):
        self.assertNotEqual(self.run_program("ssh-keygen", "-y", "-f", str(self.key), check=False, **self.asking).returncode, 0)
        self.assertEqual(self.names(), ["ssh-password"])

    @needs("ssh-agent", "ssh-add")
    def test_permission(self):
        """A key that the agent confirms each use of: the status says yes or no."""
        self.answer({"ssh-password": {"event": "okay", "text": "pässphrase"}, "ssh-confirm": {"event": "yes"}})
        path = str(self.root / "agent")
        agent = subprocess.Popen(["ssh-agent", "-D", "-a", path], env=os.environ | self.asking, stdout=subprocess.DEVNULL)
        self.addCleanup(agent.wait)
        self.addCleanup(agent.send_signal, signal.SIGTERM)
        wait_for(lambda: os.path.exists(path))
        self.run_program("ssh-add", "-q", "-c", str(self.key), SSH_AUTH_SOCK=path, **self.asking)
        (self.root / "text").write_text("text")
        sign = ["ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", str(self.key.with_suffix(".pub")), str(self.root / "text")]
        self.run_program(*sign, SSH_AUTH_SOCK=path)
        (self.root / "text.sig").unlink()
        self.answer({"ssh-confirm": {"event": "no"}})
        self.assertNotEqual(self.run_program(*sign, SSH_AUTH_SOCK=path, check=False).returncode, 0)
        self.assertEqual(self.names(), ["ssh-password", "ssh-confirm", "ssh-confirm"])
        self.assertEqual(self.screens[1]["kind"], "menu")


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)


@needs("git")
class GitTests(ProgramTestCase):
    def test_user_and_password(self):
        expected = "Basic " + base64.b64encode("adä:pä ss".encode()).decode()
        seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                header = self.headers.get("Authorization")
                seen.append(header)
                self.send_response(404 if header == expected else 401)
                self.send_header("WWW-Authenticate", 'Basic realm="x"')
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.answer({"git-username": {"event": "okay", "text": "adä"}, "git-password": {"event": "okay", "text": "pä ss"}})
        self.run_program("git", "ls-remote", f"http://127.0.0.1:{server.server_address[1]}/x", check=False,
                         GIT_ASKPASS=self.askpass("git"), no_proxy="*", GIT_CONFIG_NOSYSTEM="1", GIT_TERMINAL_PROMPT="0")
        self.assertEqual(self.names(), ["git-username", "git-password"])
        self.assertIn(expected, seen)


@needs("sudo", "setpriv")
class SudoTests(ProgramTestCase):
    def test_password(self):
        """A user without rights: sudo asks, and then refuses."""
        if os.getuid() != 0 or not os.access(TRIAL, os.X_OK):
            self.skipTest("only root can become a user who has no rights")
        self.root.chmod(0o777)
        (self.root / "screens").chmod(0o666)
        self.answer({"sudo-password": {"event": "okay", "text": "wrong"}})
        result = self.run_program("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sudo", "-A", "true", check=False,
                                  SUDO_ASKPASS=self.askpass("sudo"))
        self.assertNotEqual(result.returncode, 0)
        if not self.screens:
            self.skipTest("sudo asks nothing here: " + result.stderr.strip())
        self.assertIn("password for nobody", self.screens[0]["schema"]["properties"]["answer"]["title"])
        self.assertEqual(set(self.names()), {"sudo-password"})


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
        datagram = subprocess.run([TRIAL, self.root, "password", file], capture_output=True, check=True).stdout
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
    """A package in a root of its own, whose configuration file was changed."""

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
                keys = subprocess.run([TRIAL, self.root, "conffile"], input=output, capture_output=True, check=True).stdout
                output = b""
                os.write(terminal, keys)
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_keep(self):
        self.assertEqual(self.upgrade("keep"), 0)
        self.assertEqual(self.file.read_text(), "local\n")
        self.assertEqual(self.screens[0]["actions"][0]["role"], "primary")

    def test_differences_and_install(self):
        self.assertEqual(self.upgrade("differences", "install"), 0)
        self.assertEqual(self.file.read_text(), "version 2\n")
        self.assertIn("-local\n+version 2", self.screens[1]["body"])


def main():
    global TRIAL
    TRIAL = (pathlib.Path(sys.argv[1]) / "program-trial").resolve()
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)


if __name__ == "__main__":
    main()
