"""The world of the packaging tests: the checkout, the built programs, and a daemon on a separate bus."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("BINARIES", CHECKOUT / ".build/debug"))
PROGRAMS = ["coordinatord", "coordinatorctl", "coordinator-tui", "coordinator-web"]
TOOLS = PROGRAMS[1:]
# Serves scripts; its options belong to its commands, and it has no exit statuses of a tool.
SCRIPTS = "coordinator-scripts"
# Programs that users do not start.
INTERNAL = ["coordinator-keeper", "coordinator-dialog"]
# The only program that is not written in Swift, with a different kind of help.
ASK = BINARIES / "coordinator-ask"


def run(*command, environment=None, check=True, **options):
    """Runs a program to its end. If it fails, its output is the error."""
    done = subprocess.run(
        [str(word) for word in command], env=environment, text=True, capture_output=True, timeout=options.pop("timeout", 120), **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{command} exits with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done


def make(*arguments, check=True):
    """Runs make in the checkout as a user would, without the flags of a make that runs the tests."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return run("make", "-C", CHECKOUT, "--no-print-directory", *arguments, environment=environment, check=check)


def help_of(program):
    """Returns the help of a program about its commands and options."""
    return json.loads(run(BINARIES / program, "--experimental-dump-help").stdout)["command"]


def commands_of_ask():
    """The commands of coordinator-ask, each with the options in its help."""
    listed = run(ASK, "--help").stdout.partition("Commands:\n")[2].partition("\n\n")[0]
    result = {}
    for name in re.findall(r"^  (\w+)", listed, re.MULTILINE):
        entries = re.findall(r"^  (--.*?)(?:  |$)", run(ASK, name, "--help").stdout, re.MULTILINE)
        result[name] = {option for entry in entries for option in re.findall(r"--[a-z][a-z-]*", entry)}
    return result


class World:
    """A separate bus, and a daemon on it; on demand also the server of scripts and programs."""

    def __init__(self, serves_programs=False):
        self.serves_programs = serves_programs

    def __enter__(self):
        self.home = tempfile.TemporaryDirectory(prefix="coordinatord-packaging-")
        self.processes = []
        bus = self.start("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1", stderr=subprocess.DEVNULL)
        self.environment = dict(
            os.environ, DBUS_SESSION_BUS_ADDRESS=bus.stdout.readline().strip(), XDG_STATE_HOME=self.home.name, LC_ALL="C.UTF-8",
            XDG_RUNTIME_DIR=self.home.name, XDG_CONFIG_HOME=self.home.name, PATH=f"{BINARIES}:{os.environ['PATH']}", TERM="dumb")
        self.start(BINARIES / "coordinatord")
        daemon = self.processes[-1]
        while self.run("busctl", "--user", "status", "org.coordinatord.Coordinator1", check=False).returncode != 0:
            assert daemon.poll() is None, "the daemon did not start"
            time.sleep(0.05)
        if self.serves_programs:
            self.start(BINARIES / SCRIPTS)
            while not re.search("^program ", self.run("coordinatorctl", "flows").stdout, re.MULTILINE):
                assert self.processes[-1].poll() is None, "programs are not served"
                time.sleep(0.05)
        return self

    def start(self, *command, **options):
        process = subprocess.Popen(
            [str(word) for word in command], env=getattr(self, "environment", None), stdout=subprocess.PIPE, text=True, **options)
        self.processes.append(process)
        return process

    def run(self, *command, **options):
        return run(*command, environment=self.environment, cwd=self.home.name, **options)

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(10)
            process.stdout.close()
        self.home.cleanup()
