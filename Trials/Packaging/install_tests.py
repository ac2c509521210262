"""make install installs the right files, and make uninstall removes all of them."""

import hashlib
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from world import ASK, BINARIES, CHECKOUT, INTERNAL, PROGRAMS, SCRIPTS, commands_of_ask, make, run


def tree(root):
    """Returns all files below a directory, with modes and a summary of their contents."""
    return {
        str(path.relative_to(root)): (oct(path.stat().st_mode), path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest())
        for path in sorted(pathlib.Path(root).rglob("*"))
    }


class InstallTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory(prefix="coordinatord-install-")
        cls.built = pathlib.Path(cls.home.name) / "built"
        # Small files in place of stage's copy of a build: the way to copy a program does not depend on its contents.
        for program in [*PROGRAMS, SCRIPTS, ASK.name]:
            for directory, name in (("bin", program), ("bash", program), ("zsh", f"_{program}"), ("fish", f"{program}.fish")):
                # Completions of scripts are written for sh and bash.
                if program == ASK.name and directory in ("zsh", "fish"):
                    continue
                path = cls.built / directory / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{program} as {directory}\n")
                path.chmod(0o755 if directory == "bin" else 0o644)
        (cls.built / "libexec").mkdir()
        for program in INTERNAL:
            (cls.built / "libexec" / program).write_text(program)
        for texts in (CHECKOUT / "Translations").glob("*.po"):
            compiled = cls.built / f"locale/{texts.stem}/LC_MESSAGES/coordinatord.mo"
            compiled.parent.mkdir(parents=True)
            compiled.write_text(f"{texts.stem}\n")
            compiled.chmod(0o644)

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def test_a_build_is_staged_without_what_only_a_debugger_asks_for(self):
        with tempfile.TemporaryDirectory() as directory:
            staged = pathlib.Path(directory, "staged")
            run(CHECKOUT / "Packaging/stage", BINARIES, staged)
            names = sorted(str(path.relative_to(staged)) for path in staged.rglob("*") if path.is_file())
            self.assertEqual(names, sorted(str(path.relative_to(self.built)) for path in self.built.rglob("*") if path.is_file()))
            for program in [staged / "bin" / name for name in [*PROGRAMS, SCRIPTS, ASK.name]] + [staged / "libexec" / name for name in INTERNAL]:
                self.assertIn("no symbols", run("nm", program).stderr)
            for program in [*PROGRAMS, ASK.name]:
                self.assertEqual(run(staged / "bin" / program, "--version").stdout, run(BINARIES / "coordinatord", "--version").stdout)

    def make(self, target, destination, *variables):
        return make("--silent", target, f"DESTDIR={destination}", f"BUILT={self.built}", *variables).stdout

    def test_uninstall_leaves_the_tree_as_it_was(self):
        for prefix in ("/usr/local", "/usr", "/opt/with space"):
            with self.subTest(prefix), tempfile.TemporaryDirectory() as root:
                # A file of another package, in a directory that this package uses as well.
                other = pathlib.Path(root + prefix) / "share/man/man1/other.1"
                other.parent.mkdir(parents=True)
                other.write_text("other")
                before = tree(root)
                self.make("install", root, f"PREFIX={prefix}")
                installed = tree(root)
                self.assertGreater(len(installed), len(before) + 30)
                self.make("install", root, f"PREFIX={prefix}")
                self.assertEqual(tree(root), installed)
                self.make("uninstall", root, f"PREFIX={prefix}")
                self.assertEqual(tree(root), before)

    def test_what_was_not_there_before_stays_if_somebody_uses_it(self):
        with tempfile.TemporaryDirectory() as root:
            self.make("install", root)
            other = pathlib.Path(root, "usr/local/share/fish/vendor_completions.d/other.fish")
            other.write_text("other")
            self.make("uninstall", root)
            self.assertEqual([path for path in pathlib.Path(root).rglob("*") if path.is_file()], [other])

    def test_an_upgrade_removes_what_is_installed_no_more(self):
        with tempfile.TemporaryDirectory() as root:
            self.make("install", root)
            manifest = pathlib.Path(root, "usr/local/share/coordinatord/installed")
            stale = pathlib.Path(root, "usr/local/share/doc/coordinatord/stale.md")
            stale.write_text("stale")
            manifest.write_text(manifest.read_text() + "/usr/local/share/doc/coordinatord/stale.md\n")
            self.make("install", root)
            self.assertFalse(stale.exists())
            self.make("uninstall", root)
            self.assertEqual(tree(root), {})

    def test_everything_is_where_it_is_looked_for(self):
        with tempfile.TemporaryDirectory() as root:
            self.make("install", root, "PREFIX=/usr")
            found = set(tree(root))
            for program in [*PROGRAMS, SCRIPTS]:
                section = 8 if program == "coordinatord" else 1
                expected = {
                    f"usr/bin/{program}", f"usr/share/man/man{section}/{program}.{section}",
                    f"usr/share/bash-completion/completions/{program}", f"usr/share/zsh/vendor-completions/_{program}",
                    f"usr/share/fish/vendor_completions.d/{program}.fish",
                }
                self.assertLessEqual(expected, found)
            self.assertLessEqual({
                "usr/bin/coordinator-ask",
                "usr/share/man/man1/coordinator-ask.1",
                "usr/libexec/coordinatord/commands/ask",
                "usr/lib/systemd/user/coordinator-scripts.service",
                "usr/share/dbus-1/services/org.coordinatord.Scripts.service",
                "usr/share/bash-completion/completions/coordinator-ask",
                "usr/share/man/man5/org.coordinatord.Coordinator1.5",
                "usr/share/man/man5/coordinatord.provider.5",
                "usr/share/man/man5/coordinatord.theme.5",
                "usr/share/doc/coordinatord/examples/wifi.provider.conf",
                "usr/share/doc/coordinatord/examples/theme.conf",
                "usr/share/doc/coordinatord/kiosk.md",
                "usr/lib/systemd/system/coordinator-kiosk-tty1.service",
                "usr/lib/systemd/system/coordinator-kiosk-web.service",
                "usr/libexec/coordinatord/kiosk-browser",
                "usr/share/coordinatord/xdg/coordinatord/coordinatord.conf",
                "usr/share/coordinatord/xdg/coordinatord/providers/programs.conf",
                "usr/share/coordinatord/xdg/coordinatord/providers/program.schema.json",
                "usr/share/dbus-1/interfaces/org.coordinatord.Coordinator1.xml",
                "usr/share/dbus-1/interfaces/org.coordinatord.FlowProvider1.xml",
                "usr/share/dbus-1/system.d/org.coordinatord.Coordinator1.conf",
                "usr/share/applications/org.coordinatord.Coordinator.desktop",
                "usr/share/doc/coordinatord/operations.md",
                "usr/share/locale/de/LC_MESSAGES/coordinatord.mo",
            }, found)
            self.assertFalse([path for path in found if path.endswith(".in")])
            for path, (mode, is_file) in tree(root).items():
                if is_file and not path.startswith(("usr/bin/", "usr/libexec/")):
                    self.assertEqual(mode, "0o100644", path)
                    content = pathlib.Path(root, path).read_bytes()
                    for placeholder in (b"@bindir@", b"@programsdir@", b"@docdir@", b"@datadir@", b"@sysconfdir@", b"@version@", root.encode()):
                        self.assertNotIn(placeholder, content, path)

    def test_ask_is_a_relative_link_where_scripts_are_given_it(self):
        for prefix, variables in (("/usr", []), ("/opt/with space", []), ("/usr", ["libexecdir=/usr/lib"]), ("/usr", ["bindir=/opt/bin"])):
            with self.subTest(prefix=prefix, variables=variables), tempfile.TemporaryDirectory() as root:
                self.make("install", root, f"PREFIX={prefix}", *variables)
                link, = pathlib.Path(root).rglob("coordinatord/commands/ask")
                program, = pathlib.Path(root).rglob("bin/coordinator-ask")
                self.assertFalse(os.path.isabs(os.readlink(link)))
                self.assertTrue(os.path.samefile(link, program))
                # No program in the PATH has the short name.
                self.assertFalse((program.parent / "ask").exists())

    def test_programs_for_programs_are_together_where_coordinatorctl_looks_for_them(self):
        # coordinatorctl resolves its own path first, and searches from there: see KeeperProcess.swift.
        for variables, directory in (([], "libexec"), (["libexecdir=/usr/lib"], "lib")):
            with self.subTest(directory), tempfile.TemporaryDirectory() as root:
                self.make("install", root, "PREFIX=/usr", *variables)
                control = pathlib.Path(root, "usr/bin/coordinatorctl")
                for program in INTERNAL:
                    path = control.parent / ".." / directory / "coordinatord" / program
                    self.assertTrue(os.access(path, os.X_OK), path)
                    # Users do not type the names of these programs.
                    self.assertFalse((control.parent / program).exists())
                    self.assertTrue(pathlib.Path(root, f"usr/share/man/man1/{program}.1").exists())

    def test_gpg_agent_can_name_the_pinentry(self):
        for prefix in ("/usr", "/opt/with space"):
            with self.subTest(prefix), tempfile.TemporaryDirectory() as root:
                self.make("install", root, f"PREFIX={prefix}")
                path = pathlib.Path(f"{root}{prefix}/libexec/coordinatord/pinentry")
                self.assertTrue(os.access(path, os.X_OK))
                self.assertIn(f'"{prefix}/bin/coordinatorctl" pinentry "$@"', path.read_text())
                run("sh", "-n", path)

    def test_scripts_are_served_with_the_daemon_of_a_user_and_by_a_user_of_their_own_on_the_system_bus(self):
        with tempfile.TemporaryDirectory() as root:
            self.make("install", root, "PREFIX=/usr")
            units = pathlib.Path(root, "usr/lib/systemd/user")
            unit = (units / "coordinator-scripts.service").read_text().splitlines()
            for line in (
                "Type=dbus", "BusName=org.coordinatord.Scripts", "ExecStart=/usr/bin/coordinator-scripts --end-when-replaced",
                "KillMode=mixed", "NoNewPrivileges=yes", "OOMPolicy=continue", "LimitCORE=0",
            ):
                self.assertIn(line, unit)
            # It would remove the files of other programs in the same directory.
            self.assertFalse([line for line in unit if line.startswith("RuntimeDirectory")])
            self.assertIn("Wants=coordinator-scripts.service", (units / "coordinatord.service").read_text().splitlines())
            service = pathlib.Path(root, "usr/share/dbus-1/services/org.coordinatord.Scripts.service").read_text().splitlines()
            for line in ("Name=org.coordinatord.Scripts", "Exec=/usr/bin/coordinator-scripts", "SystemdService=coordinator-scripts.service"):
                self.assertIn(line, service)
            units = pathlib.Path(root, "usr/lib/systemd/system")
            service = pathlib.Path(root, "usr/share/dbus-1/system-services/org.coordinatord.Scripts.service").read_text()
            self.assertIn("User=coordinatord-scripts\n", service)
            for name, lines in (
                ("coordinator-scripts.service", (
                    "User=coordinatord-scripts", "ExecStart=/usr/bin/coordinator-scripts --system --end-when-replaced")),
                ("coordinator-scripts@.service", (
                    "User=%i",
                    "ExecStart=/usr/bin/coordinator-scripts --system --name org.coordinatord.Scripts.%i --end-when-replaced")),
            ):
                unit = (units / name).read_text().splitlines()
                for line in (*lines, "KillMode=mixed", "NoNewPrivileges=yes", "ProtectSystem=strict", "LimitCORE=0"):
                    self.assertIn(line, unit)
            # Scripts of root: no user, no name of a daemon, and a sandbox that is documented.
            unit = (units / "coordinator-scripts@root.service").read_text().splitlines()
            for line in ("BusName=org.coordinatord.Scripts.root", "ExecStart=/usr/bin/coordinator-scripts --system --end-when-replaced",
                         "UnsetEnvironment=COORDINATORD_NAME", "KillMode=mixed", "NoNewPrivileges=yes", "LimitCORE=0"):
                self.assertIn(line, unit)
            self.assertFalse([line for line in unit if line.startswith("User=")])
            service = pathlib.Path(root, "usr/share/dbus-1/system-services/org.coordinatord.Scripts.root.service").read_text().splitlines()
            for line in ("Name=org.coordinatord.Scripts.root", "User=root", "SystemdService=coordinator-scripts@root.service"):
                self.assertIn(line, service)
            policy = pathlib.Path(root, "usr/share/dbus-1/system.d/org.coordinatord.Scripts.root.conf").read_text()
            self.assertIn('<deny own="org.coordinatord.Scripts.root"/>', policy)
            users = pathlib.Path(root, "usr/lib/sysusers.d/coordinatord.conf").read_text()
            self.assertIn("m coordinatord-scripts coordinatord\n", users)
            policy = pathlib.Path(root, "usr/share/dbus-1/system.d/org.coordinatord.Scripts.conf").read_text()
            self.assertIn('<policy user="coordinatord-scripts">', policy)

    def test_a_user_can_install_for_themselves(self):
        with tempfile.TemporaryDirectory() as home:
            self.make("install", "", f"PREFIX={home}/.local")
            places = {path.split("/")[0] for path in tree(f"{home}/.local") if "/" in path}
            self.assertLessEqual(places, {"bin", "share", "lib", "libexec"})
            self.assertEqual([path.name for path in pathlib.Path(home).iterdir()], [".local"])
            self.make("uninstall", "", f"PREFIX={home}/.local")
            self.assertEqual(tree(home), {})

    def test_an_upgrade_and_the_end_of_an_installation_say_that_what_runs_goes_on(self):
        with tempfile.TemporaryDirectory() as home:
            prefix = f"PREFIX={home}/.local"
            self.assertEqual(self.make("install", "", prefix), "")
            said = self.make("install", "", prefix)
            self.assertIn("the earlier version", said)
            page = pathlib.Path(re.search(r"in (\S+) says", said)[1])
            self.assertIn("\n## Upgrade\n", page.read_text())
            self.assertIn("systemctl --user stop coordinator-web.socket coordinator-web coordinator-scripts coordinatord", self.make("uninstall", "", prefix))
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual([self.make(target, root) for target in ("install", "install", "uninstall")], ["", "", ""])

    def test_without_a_build_it_says_what_to_do(self):
        with tempfile.TemporaryDirectory() as root:
            done = make("install", f"DESTDIR={root}", "BUILT=/nonexistent", check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("make release", done.stderr)
            self.assertEqual(tree(root), {})

    def test_the_desktop_entry_is_right_and_opens_links(self):
        with tempfile.TemporaryDirectory() as root:
            self.make("install", root)
            entry = pathlib.Path(root, "usr/local/share/applications/org.coordinatord.Coordinator.desktop")
            self.assertEqual(run("desktop-file-validate", entry).stdout, "")
            lines = entry.read_text().splitlines()
            self.assertIn("MimeType=x-scheme-handler/coordinator;", lines)
            self.assertIn("Exec=/usr/local/bin/coordinatorctl open --in terminal %u", lines)


class CompletionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory(prefix="coordinatord-completions-")
        for program in [*PROGRAMS, SCRIPTS]:
            for shell in ("bash", "zsh", "fish"):
                run(CHECKOUT / "Packaging/completion", BINARIES / program, shell, cls.home.name)
        shutil.copy(CHECKOUT / "Packaging/completions" / ASK.name, cls.home.name)

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def bash(self, line):
        words = line.split(" ")
        script = f"""
          . {self.home.name}/{words[0]}
          COMP_WORDS=({" ".join(word or "''" for word in words)}) COMP_CWORD={len(words) - 1} COMP_LINE='{line}' COMP_POINT={len(line)}
          $(complete -p {words[0]} | sed 's/.*-F \\([^ ]*\\).*/\\1/') {words[0]} '{words[-1]}' '{words[-2]}'
          printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        return run("bash", "--norc", "-c", script, cwd=self.home.name).stdout.split()

    def fish(self, line):
        name = line.split(" ")[0]
        script = f"source {self.home.name}/{name}.fish; complete -C '{line}'"
        environment = {"HOME": self.home.name, "PATH": f"{BINARIES}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        output = run("fish", "--no-config", "-c", script, environment=environment, cwd=self.home.name).stdout
        return [found.split("\t")[0] for found in output.splitlines()]

    def test_bash_and_fish_complete_commands_options_and_values(self):
        for shell in (self.bash, self.fish):
            with self.subTest(shell.__name__):
                self.assertEqual(set(shell("coordinatorctl st")), {"start", "status"})
                self.assertIn("--timeout", shell("coordinatorctl run --ti"))
                self.assertEqual(set(shell("coordinatorctl start pets --style ")), {"push", "modal"})
                self.assertEqual(set(shell("coordinatorctl answer --missing ")), {"fail", "default", "ask", "wait"})
                self.assertEqual(set(shell("coordinatorctl exec --mis")), {"--missing"})
                self.assertEqual(set(shell("coordinatorctl exec --missing ")), {"fail", "default", "ask", "wait"})
                self.assertIn("--linear", shell("coordinator-tui --l"))
                self.assertIn("--socket", shell("coordinator-web --s"))
                self.assertIn("--ephemeral", shell("coordinatord --e"))
                self.assertIn("serve", shell("coordinator-scripts se"))
                self.assertIn("--flows", shell("coordinator-scripts serve --f"))
                self.assertIn("full", shell("coordinatord --sync "))

    def test_bash_and_fish_complete_files_where_files_are_taken(self):
        pathlib.Path(self.home.name, "visit.yaml").touch()
        for shell in (self.bash, self.fish):
            with self.subTest(shell.__name__):
                self.assertIn("visit.yaml", shell("coordinatorctl answer vis"))
                self.assertIn("visit.yaml", shell("coordinatorctl exec --answers vis"))

    def test_bash_completes_ask_as_its_help_says(self):
        commands = commands_of_ask()
        self.assertEqual(set(self.bash("coordinator-ask ")), {*commands, "--help", "--version"})
        self.assertEqual(self.bash("coordinator-ask pro"), ["progress"])
        for command, options in commands.items():
            with self.subTest(command):
                found = {word.partition("=")[0] for word in self.bash(f"coordinator-ask {command} name --")}
                self.assertEqual(found, options | {"--help"})
        self.assertIn("true", self.bash("coordinator-ask step brew -- tru"))
        self.assertEqual(self.bash("coordinator-ask menu size --body --"), [])

    def test_zsh_finds_them_and_understands_them(self):
        for program in [*PROGRAMS, SCRIPTS]:
            run("zsh", "-n", f"{self.home.name}/_{program}")
        script = f"fpath=({self.home.name} $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[coordinatorctl] $_comps[coordinator-web]"
        self.assertEqual(run("zsh", "-f", "-c", script).stdout.split(), ["_coordinatorctl", "_coordinator-web"])


if __name__ == "__main__":
    unittest.main()
