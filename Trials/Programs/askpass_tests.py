"""askpass_tests.py DIRECTORY: real ssh, git and sudo ask, and program-trial in that directory answers.

Programs that are not installed are skipped with a sentence.
"""

import base64
import http.server
import os
import signal
import subprocess
import threading

from program_world import ProgramTestCase, main, needs, trial, wait_for


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
        """A key whose every use the agent confirms: the status means yes or no."""
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
        if os.getuid() != 0 or not os.access(trial(), os.X_OK):
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


if __name__ == "__main__":
    main()
