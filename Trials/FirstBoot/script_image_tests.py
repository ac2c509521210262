"""Boots a Debian with scripts of root: script_image_tests.py IMAGE PACKAGES [TEST...]

A first boot that is a script, with power cuts; and a script of root that a member of the group starts in a browser. Both are
installed as Docs/deploying.md says. Creates or uses an image like image_tests.py. Needs root and systemd-nspawn.
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

import image_tests
from image_tests import CHECKOUT, Machine, eventually

# Each step notes its begin and its end, and takes a while, so that the power can be cut in between.
SET_UP = """#!/bin/sh
# coordinator: title=Set up; user=root; result=name:Name
name=$(ask form name "What is this machine called?" --text name=Name)
ask step name -- sh -c 'echo begun name >>/steps; sleep 1; echo "$1" >/etc/hostname; echo ended name >>/steps' sh "$name"
person=$(ask form person "Who will use it?" --text person=Person)
ask step person -- sh -c 'echo begun person >>/steps; id "$1" || useradd "$1"; sleep 1; echo ended person >>/steps' sh "$person"
ask message ready "It is set up" "$name is yours."
ask finish name="$name"
"""
RENAME = """#!/bin/sh
# coordinator: title=Rename this machine; user=root
name=$(ask form name "What shall it be called?" --text name=Name)
ask step rename -- sh -c '{ echo "$1"; id -un; } >/etc/renamed' sh "$name"
ask message renamed "It is renamed" "Its name is $name."
ask finish
"""
CONSOLE = """[Unit]
ConditionPathExists=
ConditionPathExists=!/var/lib/coordinator-first-boot/%i
Before=console-getty.service
[Service]
TTYPath=/dev/console
"""
# A browser without a screen.
BROWSE = r"""#!/bin/bash
exec 2>&1
set -eux
page() {
  curl --silent --show-error --insecure --location --cookie /tmp/jar --cookie-jar /tmp/jar --output /tmp/page.html "$@"
  local next
  next=$(grep -o 'http-equiv="refresh" content="0; url=[^"]*' /tmp/page.html | sed 's/.*url=//')
  [ -z "$next" ] || page "$origin$next"
}
attribute() { grep -o " $1=\"[^\"]*\"" | head -n 1 | cut -d '"' -f 2; }
# submit MARK [NAME=VALUE...]: sends the form of the page in which the mark is.
submit() {
  local form pair data=()
  form=$(tr '\n' ' ' </tmp/page.html | sed 's/<form/\n<form/g; s/<\/form>/&\n/g' | grep '^<form' | grep -F -- "$1" | head -n 1)
  while read -r pair; do
    data+=(--data-urlencode "$(attribute name <<<"$pair")=$(attribute value <<<"$pair")")
  done < <(grep -o '<input[^>]*type="hidden"[^>]*>' <<<"$form")
  for pair in "${@:2}"; do data+=(--data-urlencode "$pair"); done
  page --header "Origin: $origin" "${data[@]}" "$origin$(attribute action <<<"$form")"
}
# answer TITLE TEXT: fills in the only field of a form, and presses its button.
answer() {
  local button
  grep -qF "$1" /tmp/page.html
  button=$(grep -o '<button[^>]* name="[^"]*" value="[^"]*"' /tmp/page.html | head -n 1)
  submit 'type="text"' "$(grep -o '<input[^>]*type="text"[^>]*>' /tmp/page.html | attribute name)=$2" \
    "$(attribute name <<<"$button")=$(attribute value <<<"$button")"
}
"""
# What a member of the group does in a browser, and a stranger tries.
VISIT = BROWSE + r"""
as() { runuser -u "$1" -- env HOME=/tmp XDG_STATE_HOME="/tmp/$1" "${@:2}"; }
web() {
  mkdir -p "/tmp/$1" && chown "$1" "/tmp/$1"
  as "$1" coordinator-web --system --port "$2" --json >"/tmp/$1.web" 2>"/tmp/$1.errors" &
  for _ in $(seq 100); do grep -q http "/tmp/$1.web" && return; kill -0 $! || return 1; sleep 0.1; done
}
# A stranger may not even call.
! as stranger coordinatorctl --system start rename-machine
! web stranger 7001
# A member whom no rule names neither sees the flow nor starts it.
! as other coordinatorctl --system start rename-machine
as other coordinatorctl --system flows | grep -q pets
! as other coordinatorctl --system flows | grep rename-machine
# A member whom the rule names starts it in a browser, and answers.
web member 7002
origin=http://127.0.0.1:7002
page "$(grep -o 'http://127[^"\\]*' /tmp/member.web | head -n 1)"
submit 'Rename this machine'
answer 'What shall it be called?' kitchen
for _ in $(seq 100); do [ -e /etc/renamed ] && break; sleep 0.1; done
# Where the flow is running, others do not see it either; nor do they call the program that serves it.
tree=$(as member coordinatorctl --system --json list | grep -o 'rename_machine_[0-9a-f]*' | head -n 1)
! as other coordinatorctl --system send "$tree" okay
! as other coordinatorctl --system show "$tree"
! as stranger busctl call org.coordinatord.Scripts.root /org/coordinatord/FlowProvider1 org.freedesktop.DBus.Peer Ping
as member coordinatorctl --system show "$tree" | grep 'It is renamed'
echo passed
"""
# What a person does with a phone that has read the address from the device.
PHONE = BROWSE + r"""
ip link add v0 type veth peer name v1
ip address add 192.0.2.1/24 dev v0
ip link set v0 up
ip link set v1 up
systemctl restart coordinator-first-boot-web@set-up
for _ in $(seq 100); do
  address=$(journalctl --unit coordinator-first-boot-web@set-up --output cat | grep -o 'https://[^ ]*' | tail -n 1) && [ -n "$address" ] && break
  sleep 0.1
done
origin=$(grep -o '^https://[^/]*' <<<"$address")
page "$address"
answer 'What is this machine called?' kitchen
home=$origin$(grep -o 'action="[^"]*/flows/[^/"]*' /tmp/page.html | head -n 1 | cut -d '"' -f 2)
for _ in $(seq 100); do page "$home"; grep -q 'Who will use it?' /tmp/page.html && break; sleep 0.1; done
answer 'Who will use it?' ada
for _ in $(seq 100); do page "$home"; grep -q 'It is set up' /tmp/page.html && break; sleep 0.1; done
button=$(grep -o '<button[^>]* name="[^"]*" value="[^"]*"' /tmp/page.html | head -n 1)
submit "$button" "$(attribute name <<<"$button")=$(attribute value <<<"$button")"
for _ in $(seq 300); do systemctl is-active coordinator-first-boot-web@set-up || break; sleep 0.1; done
! systemctl is-active coordinator-first-boot-web@set-up
! systemctl is-failed coordinator-first-boot-web@set-up
echo passed
"""
VISITING = """[Unit]
After=multi-user.target
[Service]
ExecStart=/bin/sh -c '/visit >/visit.log; mv /visit.log /visited'
[Install]
WantedBy=graphical.target
"""


def recipe(heading):
    """Returns the commands of a section of the document."""
    text = (CHECKOUT / "Docs/deploying.md").read_text()
    section = text.split(f"{heading}\n")[1].split("\n## ")[0].split("\n### ")[0]
    return re.search(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[1]


class ScriptImageTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        image_tests.ImageTests.setUpClass.__func__(cls)

    def machine(self, heading, file, script):
        machine = Machine(self, self.image)
        # The image has the other first boot as well, which takes the daemon's name.
        subprocess.run(["chroot", machine.disk, "dpkg", "--purge", "coordinatord-first-boot"], check=False, capture_output=True)
        (machine.home / file).write_text(script)
        subprocess.run(
            ["bash", "-euo", "pipefail", "-c", recipe(heading)], cwd=machine.home, env=dict(os.environ, root=str(machine.disk)), check=True)
        return machine

    def unit(self, machine, name, text):
        (machine.disk / "etc/systemd/system" / name).write_text(text)
        subprocess.run(["systemctl", f"--root={machine.disk}", "--quiet", "enable", name], check=True)

    def first_boot(self):
        machine = self.machine("### With a script", "set-up.sh", SET_UP)
        dropin = machine.disk / "etc/systemd/system/coordinator-first-boot-tty1@.service.d"
        dropin.mkdir()
        (dropin / "console.conf").write_text(CONSOLE)
        return machine

    def shows(self, machine, title):
        self.assertTrue(eventually(lambda: title in machine.text()), f"no {title!r}:\n{machine.text()}\n{machine.file('../errors')}")
        self.assertNotIn("login:", machine.text())

    def answers(self, machine, title, text):
        self.shows(machine, title)
        machine.types(text)
        machine.keys("Tab")
        machine.keys("Enter")

    def is_done(self, machine):
        return (machine.disk / "var/lib/coordinator-first-boot/set-up").exists()

    def expect_over(self, machine):
        """The boot goes on, now and next time, and each step has ended once."""
        self.assertTrue(eventually(lambda: self.is_done(machine)), machine.text())
        self.assertTrue(eventually(lambda: "login:" in machine.text()), machine.text())
        machine.cut_power()
        steps = machine.file("steps").splitlines()
        machine.switch_on()
        self.assertTrue(eventually(lambda: "kitchen login:" in machine.text()), machine.text())
        self.assertEqual(machine.file("steps").splitlines(), steps)
        self.assertEqual([line for line in steps if line.startswith("ended")], ["ended name", "ended person"])
        self.assertEqual(machine.file("etc/hostname"), "kitchen\n")
        self.assertEqual([line.split(":")[0] for line in machine.file("etc/passwd").splitlines()].count("ada"), 1)

    def test_on_the_first_console(self):
        machine = self.first_boot()
        machine.switch_on()
        self.answers(machine, "What is this machine called?", "kitchen")
        # Who leaves it sees it again.
        self.shows(machine, "Who will use it?")
        machine.keys("C-c")
        self.answers(machine, "Who will use it?", "ada")
        self.shows(machine, "It is set up")
        machine.keys("Enter")
        self.expect_over(machine)

    def test_with_power_cuts_at_each_question_in_each_step_and_at_the_end(self):
        machine = self.first_boot()

        def cut():
            machine.cut_power()
            machine.switch_on()

        machine.switch_on()
        self.shows(machine, "What is this machine called?")
        cut()
        self.answers(machine, "What is this machine called?", "kitchen")
        self.assertTrue(eventually(lambda: "begun name" in machine.file("steps")), machine.text())
        cut()
        self.shows(machine, "Who will use it?")
        cut()
        self.answers(machine, "Who will use it?", "ada")
        self.assertTrue(eventually(lambda: "begun person" in machine.file("steps")), machine.text())
        cut()
        self.shows(machine, "It is set up")
        cut()
        self.shows(machine, "It is set up")
        machine.keys("Enter")
        self.assertTrue(eventually(lambda: "It is set up" not in machine.text()), machine.text())
        cut()
        self.assertTrue(eventually(lambda: self.is_done(machine)), machine.text())
        self.expect_over(machine)

    def test_on_a_phone(self):
        machine = self.first_boot()
        for command, part in (("disable", "tty1"), ("enable", "web")):
            unit = f"coordinator-first-boot-{part}@set-up"
            subprocess.run(["systemctl", f"--root={machine.disk}", "--quiet", command, unit], check=True)
        self.visit(machine, PHONE)
        self.assertEqual([line for line in machine.file("steps").splitlines() if line.startswith("ended")], ["ended name", "ended person"])
        self.assertTrue(self.is_done(machine))

    def visit(self, machine, script):
        """Boots, and runs a script until it has passed."""
        (machine.disk / "visit").write_text(script)
        (machine.disk / "visit").chmod(0o755)
        self.unit(machine, "visiting.service", VISITING)
        machine.switch_on()
        self.assertTrue(eventually(lambda: machine.file("visited")), machine.file("visit.log")[-3000:] or machine.text())
        self.assertTrue(machine.file("visited").endswith("passed\n"), machine.file("visited")[-3000:])

    def test_units_are_right(self):
        machine = self.first_boot()
        units = ["coordinator-scripts@root.service"]
        units += [f"coordinator-first-boot{part}@set-up.service" for part in ("", "-tty1", "-web")]
        done = subprocess.run(["chroot", machine.disk, "systemd-analyze", "verify", *units], capture_output=True, text=True)
        lines = [line for line in done.stderr.splitlines() if "coordinator" in line]
        # The image has no manual pages to show.
        self.assertEqual([line for line in lines if "Command 'man " not in line], [])

    def test_a_member_of_the_group_starts_a_script_of_root_in_a_browser_and_a_stranger_does_not(self):
        machine = self.machine("### Scripts that need root", "rename-machine.sh", RENAME)
        for command in ("groupadd --force netdev", "useradd member -G coordinatord,netdev", "useradd other -G coordinatord", "useradd stranger"):
            subprocess.run(["chroot", machine.disk, *command.split()], check=True)
        self.visit(machine, VISIT)
        self.assertEqual(machine.file("etc/renamed"), "kitchen\nroot\n")


if __name__ == "__main__":
    if "FIRST_BOOT_PRIVATE" not in os.environ:
        os.environ["FIRST_BOOT_PRIVATE"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])
    tests = sys.argv[3:]
    unittest.main(argv=[sys.argv[0], *tests], verbosity=2)
