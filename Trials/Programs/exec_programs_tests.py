"""exec_programs_tests.py DIRECTORY: ssh, git, sudo and dpkg under `coordinatorctl exec`. Programs that are not installed are skipped with a sentence."""

import base64
import getpass
import http.server
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

from exec_world import BINARIES, PATIENCE, ExecTestCase, TerminalTestCase, has_ended, main, needs
from program_world import wait_for


class AskpassTests(ExecTestCase):
    def run_silently(self, *command):
        subprocess.run([str(word) for word in command], check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)

    def test_a_program_that_calls_its_askpass(self):
        run = self.world.exec("sh", "-c", '"$SSH_ASKPASS" "Enter passphrase for key \'/k\': " >$OUT/answer; echo $? >$OUT/status')
        screen = run.asks("askpass-password")
        self.assertTrue(screen["schema"]["properties"]["answer"]["writeOnly"])
        run.send("okay", answer="pä ss\"\\")
        self.finishes(run)
        self.assertEqual((self.read("answer"), self.read("status")), ("pä ss\"\\\n", "0\n"))

    def test_a_pinentry_that_an_agent_starts(self):
        """gpg-agent is no child of the program, but has its PINENTRY_USER_DATA: the flow of the program asks."""
        os.mkfifo(self.world.home / "rest")
        run = self.world.exec("sh", "-c", "{ printf 'SETPROMPT PIN\\nGETPIN\\n'; cat $OUT/rest; } | env -u COORDINATOR_PROGRAM coordinatorctl pinentry >$OUT/answer")
        screen = run.asks()
        self.assertEqual(len(self.world.manager("ListActive")), 1)
        run.send("okay", **{screen["fields"][0]: "open-sesame"})
        # An agent says BYE to a question that it has given up.
        wait_for(lambda: "D open-sesame\nOK" in self.read("answer"), PATIENCE)
        (self.world.home / "rest").write_text("BYE\n")
        self.finishes(run)

    def test_cancelled(self):
        run = self.world.exec("sh", "-c", '"$SSH_ASKPASS" "Password: " >$OUT/answer; exit $?')
        run.asks()
        run.send("cancel")
        self.assertNotEqual(run.wait(), 0)
        self.assertEqual(self.read("answer"), "")

    @needs("ssh-keygen")
    def test_passphrase_of_a_key(self):
        key = self.world.home / "key"
        self.run_silently("ssh-keygen", "-q", "-t", "ed25519", "-N", "pässphrase", "-f", key)
        run = self.world.exec("sh", "-c", f"exec ssh-keygen -y -f {key} >$OUT/public")
        run.asks("ssh-password")
        run.send("okay", answer="pässphrase")
        self.finishes(run)
        self.assertEqual(self.read("public").split()[:2], key.with_suffix(".pub").read_text().split()[:2])

    @needs("git")
    def test_git(self):
        """git asks for a user name and a password; the server receives both."""
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
        run = self.world.exec("git", "ls-remote", f"http://127.0.0.1:{server.server_address[1]}/x", GIT_CONFIG_NOSYSTEM="1")
        run.asks("git-username")
        run.send("okay", answer="adä")
        self.assertTrue(run.asks("git-password")["schema"]["properties"]["answer"]["writeOnly"])
        run.send("okay", answer="pä ss")
        self.assertEqual(run.wait(), 128, run.said)
        self.assertIn(expected, seen)

    @needs("ssh", "ssh-keygen")
    @unittest.skipIf(os.geteuid() != 0, "only root can run sshd like this")
    def test_ssh(self):
        """ssh asks whether to trust the host, and for the passphrase of a key, and then runs a command there."""
        if not pathlib.Path("/usr/sbin/sshd").exists():
            self.skipTest("openssh-server is not installed")
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        home = self.world.home
        for name, phrase in (("host", ""), ("key", "open sesame")):
            self.run_silently("ssh-keygen", "-q", "-t", "ed25519", "-N", phrase, "-f", home / name)
        keys = home / "authorized_keys"
        keys.write_text((home / "key.pub").read_text())
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        (home / "sshd_config").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {home}/host\nAuthorizedKeysFile {keys}\nStrictModes no\nUsePAM no\n"
            f"PermitRootLogin yes\nPasswordAuthentication no\nPidFile none\n")
        server = self.world.start("/usr/sbin/sshd", "-D", "-e", "-f", home / "sshd_config")
        self.world.until(lambda: "Server listening" in self.world.written() or server.poll() is not None, "sshd")
        if server.poll() is not None:
            self.skipTest(f"sshd does not run here: {self.world.written()[-300:]}")
        run = self.world.exec("sh", "-c", f"exec ssh -F none -o UserKnownHostsFile={home}/known -o IdentitiesOnly=yes -i {home}/key -p {port} "
                              f"{getpass.getuser()}@127.0.0.1 'echo there; exit 5' >$OUT/answer")
        trust = run.asks()
        self.assertIn("authenticity", str(trust))
        action = next((one["id"] for one in trust["actions"] if one["id"] == "yes"), "okay")
        run.send(action, **({"answer": "yes"} if trust["kind"] == "form" else {}))
        screen = run.asks_next(trust)
        self.assertIn("passphrase", str(screen))
        run.send("okay", answer="open sesame")
        self.finishes(run, 5)
        self.assertEqual(self.read("answer"), "there\n")


@unittest.skipUnless("SUDO_PASSWORD" in os.environ, "run by test_as_a_user_without_rights")
class SudoTests(TerminalTestCase):
    """Runs as a user with a known password, who may call id as root."""

    def test_password(self):
        run = self.world.exec("sh", "-c", "exec sudo -A -k /usr/bin/id -u >$OUT/answer")
        screen = run.asks("sudo-password")
        self.assertIn(getpass.getuser(), str(screen["schema"]))
        self.assertNotIn("runs as root", str(screen))
        run.send("okay", answer="wrong")
        again = run.asks_next(screen)
        self.assertEqual(again["name"], "sudo-password")
        run.send("okay", answer=os.environ["SUDO_PASSWORD"])
        self.finishes(run)
        self.assertEqual(self.read("answer"), "0\n")

    def test_exec_under_sudo_is_shown_to_the_user(self):
        """The bus admits only its user; the program runs as root, and prints it."""
        run = self.world.exec("whiptail", "--inputbox", "Question", "0", "0", before=["sudo", "-n"], command=(
            "exec", "--address", self.world.address))
        screen = run.asks("inputbox-question")
        self.assertIn("runs as root", str(screen))
        run.send("ok", value="answer")
        self.finishes(run)
        run = self.world.exec("sh", "-c", "id -u -r; id -u; exit 3", before=["sudo", "-n"], command=("exec", "--address", self.world.address))
        self.finishes(run, 3)

    def test_exec_under_sudo_in_a_terminal(self):
        self.start("whiptail --menu Pick 0 0 0 a Alpha b Beta 2>/dev/null; echo last words; exit 4", before=["sudo", "-n"], options=[
            "--address", self.world.address])
        self.shows("Alpha")
        self.shows("runs as root")
        os.write(self.terminal, b"\r")
        self.ends(4)
        self.assertIn(b"last words", self.shown)

    def test_dismiss_reaches_what_sudo_has_started(self):
        run = self.world.exec("sudo", "-A", "-k", "/usr/bin/sleep", "600")
        run.asks("sudo-password")
        run.send("okay", answer=os.environ["SUDO_PASSWORD"])
        find = ["pgrep", "-u", "root", "-P", str(run.keeper), "-x", "sudo"]
        sudo = int(self.world.until(lambda: subprocess.run(find, capture_output=True, text=True).stdout, "sudo"))
        child = ["pgrep", "-P", str(sudo)]
        self.world.until(lambda: subprocess.run(child, capture_output=True, text=True).stdout, "what sudo has started")
        run.dismiss()
        self.assertTrue(has_ended(sudo), "sudo lives on")
        self.assertNotEqual(run.wait(), 0)


@needs("sudo", "setpriv", "useradd", "userdel", "chpasswd", "pgrep")
@unittest.skipIf("PRIVATE_ROOT" not in os.environ, "only root can have a copy of /etc, in which a user is made")
class UserTests(unittest.TestCase):
    def test_as_a_user_without_rights(self):
        """sudo asks a user with a password for it, in a world that belongs to the user."""
        user, password = f"exectrial{os.getpid()}", "pass wörd"
        made = subprocess.run(["useradd", "--no-create-home", user], capture_output=True, text=True)
        if made.returncode:
            self.skipTest(f"no user can be made here: {made.stderr.strip()}")
        self.addCleanup(subprocess.run, ["userdel", user], capture_output=True)
        subprocess.run(["chpasswd"], input=f"{user}:{password}\n", text=True, check=True, capture_output=True)
        rules = pathlib.Path(f"/etc/sudoers.d/{user}")
        rules.write_text(f"{user} ALL=(root) /usr/bin/id, /usr/bin/sleep, NOPASSWD: {BINARIES}/coordinatorctl\n")
        rules.chmod(0o440)
        self.addCleanup(rules.unlink)
        place = tempfile.mkdtemp(prefix="exec-user.", dir="/tmp")
        self.addCleanup(shutil.rmtree, place, ignore_errors=True)
        os.chmod(place, 0o777)
        command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        if subprocess.run([*command, "test", "-x", BINARIES / "coordinatord"]).returncode:
            self.skipTest(f"other users cannot reach {BINARIES}")
        done = subprocess.run(
            [*command, "/usr/bin/python3", "-B", __file__, BINARIES, "SudoTests"], capture_output=True, text=True, timeout=3 * PATIENCE,
            env=os.environ | {"SUDO_PASSWORD": password, "TMPDIR": place, "HOME": place, "USER": user, "LOGNAME": user}, cwd=place)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Ran 4 tests", done.stderr)


@needs("dpkg", "dpkg-deb")
class DpkgTests(ExecTestCase):
    """A package in a separate root, whose configuration file was changed."""

    def setUp(self):
        super().setUp()
        home = self.world.home
        for version in "12":
            package = home / f"package{version}"
            (package / "DEBIAN").mkdir(parents=True)
            (package / "etc/cf.d").mkdir(parents=True)
            (package / "DEBIAN/control").write_text(
                f"Package: cf\nVersion: {version}\nArchitecture: all\nMaintainer: x <x@y>\nDescription: x\n")
            (package / "DEBIAN/conffiles").write_text("/etc/cf.d/my.conf\n")
            (package / "etc/cf.d/my.conf").write_text(f"version {version}\n")
            self.call("dpkg-deb", "-b", package, home / f"cf{version}.deb")
        for name in ["updates", "info", "triggers"]:
            (home / "root/var/lib/dpkg" / name).mkdir(parents=True)
        (home / "root/var/lib/dpkg/status").touch()
        self.dpkg = ["dpkg", f"--root={home}/root", "--force-not-root", "--force-script-chrootless", "--log=/dev/null", "-i"]
        self.call(*self.dpkg, home / "cf1.deb")
        self.file = home / "root/etc/cf.d/my.conf"
        self.file.write_text("local\n")

    def call(self, *command):
        subprocess.run([str(word) for word in command], check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)

    def upgrade(self):
        run = self.world.exec(*self.dpkg, self.world.home / "cf2.deb")
        screen = run.asks("dpkg-conffile//etc/cf.d/my.conf")
        self.assertIn("my.conf", screen["body"] + screen["title"])
        return run, screen

    def test_keep(self):
        run, screen = self.upgrade()
        run.send("keep")
        self.finishes(run)
        self.assertEqual(self.file.read_text(), "local\n")

    def test_differences_and_install(self):
        run, screen = self.upgrade()
        run.send("differences")
        again = run.asks_next(screen)
        self.assertIn("-local\n+version 2", str(again["body"]))
        run.send("install")
        self.finishes(run)
        self.assertEqual(self.file.read_text(), "version 2\n")

    def test_the_daemon_and_the_engine_are_killed(self):
        run, _ = self.upgrade()
        for kill in (self.world.restart_daemon, self.world.restart_engine):
            kill()
            run.asks("dpkg-conffile//etc/cf.d/my.conf")
        run.send("install")
        self.finishes(run)
        self.assertEqual(self.file.read_text(), "version 2\n")

    def test_a_file_of_answers(self):
        answers = self.world.home / "answers.yaml"
        answers.write_text("answers:\n  program:\n    dpkg-conffile//etc/cf.d/my.conf: install\n")
        run = self.world.exec(*self.dpkg, self.world.home / "cf2.deb", options=["--answers", answers])
        self.assertEqual(run.wait(), 0, run.said)
        self.assertEqual(self.file.read_text(), "version 2\n")


def runs_in_copy():
    """Runs the trial again with copies of /etc, so that its changes to users and sudo do not affect the machine.
    Returns its status, or None if this process does not belong to root, or is the copy."""
    if os.geteuid() != 0 or "PRIVATE_ROOT" in os.environ or subprocess.run(["unshare", "--mount", "true"]).returncode:
        return None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        command = [pathlib.Path(__file__).with_name("private-root"), directory, sys.executable, "-B", *sys.argv]
        return subprocess.run(command, env=os.environ | {"PRIVATE_ROOT": directory}).returncode


if __name__ == "__main__":
    status = runs_in_copy()
    if status is not None:
        sys.exit(status)
    main()
