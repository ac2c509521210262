"""Programs that ask for passwords, answered in the browser: password_programs_tests.py BINARIES WORK [TEST...]

Programs that are not installed are skipped with a sentence.
"""

import base64
import functools
import http.server
import os
import shutil
import subprocess
import threading
import unittest

from pages import main
from program_pages import ProgramPageTestCase
from world import eventually


def needs(*programs):
    """Skips a test if a program is not installed."""
    def decorate(test):
        @functools.wraps(test)
        def wrapped(self):
            for program in programs:
                if not shutil.which(program):
                    self.skipTest(f"{program} is not installed")
            test(self)
        return wrapped
    return decorate


class PasswordProgramTests(ProgramPageTestCase):
    def directory(self, name):
        path = self.world.home / name
        path.mkdir(mode=0o700)
        return path

    def run_program(self, *command, **variables):
        return self.begin(self.world.binaries / "coordinatorctl", "exec", "--", *command, **variables)

    def ended(self, process, status=0):
        output, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, status, output)
        return output

    @needs("git")
    def test_git_asks_for_a_user_and_a_password(self):
        expected = "Basic " + base64.b64encode("ada:p w".encode()).decode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                is_allowed = self.headers.get("Authorization") == expected
                body = b"001e# service=git-upload-pack\n0000" + b"0000" if is_allowed else b""
                self.send_response(200 if is_allowed else 401)
                if not is_allowed:
                    self.send_header("WWW-Authenticate", 'Basic realm="trial"')
                self.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        address = f"http://127.0.0.1:{server.server_address[1]}/x"
        process = self.run_program("git", "-c", "credential.helper=", "ls-remote", address, no_proxy="127.0.0.1")
        self.open()
        self.assertIn("127.0.0.1", self.one("main").text)
        self.fill("ada")
        self.assertTrue(eventually(lambda: self.all("input[type=password]")))
        self.fill("p w")
        self.ended(process)

    @needs("sshd", "ssh", "ssh-keygen")
    def test_ssh_asks_for_a_host_key_and_a_passphrase(self):
        home = self.directory("ssh")
        for name, phrase in (("host", ""), ("key", "secret")):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", phrase, "-f", home / name], check=True)
        (home / "known").write_text((home / "key.pub").read_text())
        (home / "config").write_text(
            f"HostKey {home}/host\nAuthorizedKeysFile {home}/known\nStrictModes no\nPidFile none\nUsePAM no\n"
            "PasswordAuthentication no\nPermitRootLogin yes\n")
        os.makedirs("/run/sshd", exist_ok=True)
        # Uses the server's standard streams, without a port and without a permanent server.
        server = f"{shutil.which('sshd')} -i -f {home}/config"
        process = self.run_program(
            "ssh", "-F", "none", "-i", home / "key", "-o", "IdentitiesOnly=yes", "-o", f"ProxyCommand={server}", "-o",
            f"UserKnownHostsFile={home}/hosts", "-o", "StrictHostKeyChecking=ask", "trial", "echo", "let in")
        self.open()
        self.assertIn("fingerprint", self.one("main").text)
        self.press("yes")
        self.assertTrue(eventually(lambda: self.all("input[type=password]")))
        self.fill("secret")
        self.assertIn("let in", self.ended(process))

    @needs("gpg", "gpgconf")
    def test_gpg_asks_through_the_pinentry(self):
        home = self.directory("gpg")
        pinentry = self.world.home / "pinentry"
        pinentry.write_text(f"#!/bin/sh\nexec {self.world.binaries.resolve()}/coordinatorctl pinentry \"$@\"\n")
        pinentry.chmod(0o755)
        (home / "gpg-agent.conf").write_text(f"pinentry-program {pinentry}\n")
        self.addCleanup(subprocess.run, ["gpgconf", "--kill", "gpg-agent"], env=self.world.environment | {"GNUPGHOME": str(home)})
        plain, sealed = home / "plain", home / "sealed"
        plain.write_text("a text")
        process = self.begin("gpg", "--batch", "-c", "-o", sealed, plain, GNUPGHOME=str(home))
        self.open()
        self.fill("correct horse 1", "another 1")
        self.assertTrue(eventually(lambda: "does not match" in self.one("main").text))
        self.fill("correct horse 1", "correct horse 1")
        self.ended(process)
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], env=self.world.environment | {"GNUPGHOME": str(home)}, check=True)
        process = self.begin("gpg", "--batch", "-d", sealed, GNUPGHOME=str(home))
        self.open()
        self.fill("correct horse 1")
        self.assertIn("a text", self.ended(process))

    @needs("systemd-ask-password")
    @unittest.skipIf(os.geteuid() != 0, "only root may ask for passwords of the system")
    def test_systemd_asks_its_agent(self):
        self.begin(self.world.binaries / "coordinatorctl", "password-agent")
        process = self.begin("systemd-ask-password", "--no-tty", "--timeout=60", "The key of the disk?")
        self.open()
        self.assertIn("The key of the disk?", self.one("main").text)
        self.fill("k\u00e9y")
        self.assertEqual(self.ended(process).strip(), "k\u00e9y")


if __name__ == "__main__":
    main()
