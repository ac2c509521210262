"""keeper_programs_tests.py DIRECTORY: askpass, ssh-keygen, git and dpkg, kept by coordinator-keeper of that directory."""

import pathlib
import shutil
import subprocess
import sys
import unittest

import keeper_tests
from keeper_tests import KeeperTestCase


class OtherProgramTests(KeeperTestCase):
    """askpass, ssh-keygen, git and dpkg."""

    def test_askpass(self):
        keeper = self.world.script('SSH_ASKPASS_PROMPT=confirm $SSH_ASKPASS "Allow use of key?"; echo $?; $GIT_ASKPASS "Password: "; echo $?')
        client = keeper.client()
        question = client.question()
        self.assertEqual([action["id"] for action in question["screen"]["actions"]], ["yes", "no"])
        client.answer(question, "no")
        question = client.question()
        self.assertEqual(question["screen"]["kind"], "form")
        client.answer(question, "okay", secrets={"answer": "s3cret"})
        self.assertEqual(self.finish(keeper, client)[1][-2:], ["s3cret", "0"])

    def test_a_yes_or_no_question_is_answered_on_the_terminal(self):
        keeper = self.world.script("echo After this, 1 MB is used.; printf 'Do you want to continue? [Y/n] '; read answer; "
                                   "echo got $answer")
        client = keeper.client()
        question = client.question()
        self.assertEqual((question["screen"]["name"], question["screen"]["title"]), ("terminal-confirm", "Do you want to continue?"))
        client.answer(question, "no")
        self.assertEqual(self.finish(keeper, client)[1][-1], "got n")

    @unittest.skipUnless(shutil.which("ssh-keygen"), "ssh-keygen is not installed")
    def test_real_ssh_keygen(self):
        key = self.world.root / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "open sesame", "-C", "trial", "-f", key], check=True)
        keeper = self.world.start("ssh-keygen", "-y", "-f", key, options=["--size", "200x24"])
        client = keeper.client()
        question = client.question()
        self.assertEqual(question["screen"]["name"], "ssh-password")
        client.answer(question, "okay", secrets={"answer": "open sesame"})
        ended, lines, _ = self.finish(keeper, client)
        self.assertEqual((ended, lines[-1]), ({"status": 0}, pathlib.Path(f"{key}.pub").read_text().strip()))

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_real_git(self):
        keeper = self.world.script("printf 'protocol=https\\nhost=example.com\\n\\n' | git -c credential.helper= credential fill",
                                   GIT_CONFIG_NOSYSTEM="1", HOME=str(self.world.root))
        client = keeper.client()
        question = client.question()
        self.assertEqual(question["screen"]["name"], "git-username")
        client.answer(question, "okay", {"answer": "ann"})
        question = client.question()
        self.assertEqual(question["screen"]["name"], "git-password")
        client.answer(question, "okay", secrets={"answer": "pä55"})
        self.assertEqual(self.finish(keeper, client)[1][-2:], ["username=ann", "password=pä55"])

    def test_the_question_of_dpkg_is_answered_on_the_terminal(self):
        keeper = self.world.script("""printf '
Configuration file '"'"'/etc/little.conf'"'"'
 ==> Modified (by you or by a script) since installation.
 ==> Package distributor has shipped an updated version.
   What would you like to do about it ?  Your options are:
*** little.conf (Y/I/N/O/D/Z) [default=N] ? '
read answer
echo "got $answer"
""")
        client = keeper.client()
        question = client.question()
        self.assertEqual(question["screen"]["name"], "dpkg-conffile//etc/little.conf")
        client.answer(question, "install")
        self.assertEqual(self.finish(keeper, client)[1][-1], "got Y")


if __name__ == "__main__":
    keeper_tests.BINARIES = sys.argv.pop(1)
    unittest.main()
