"""A real terminal for the tests: coordinator-tui in tmux."""

import subprocess

from world import eventually


class Terminal:
    """A separate window of tmux, in which a program runs."""

    def __init__(self, world, *command, size=(80, 24), variables=None):
        self.world = world
        self.socket = world.home / f"tmux-{id(self)}"
        environment = [f"{name}={value}" for name, value in (variables or {}).items()]
        line = " ".join(f"'{word}'" for word in ("env", *environment, world.binaries / command[0], *command[1:]))
        # The pane stays open after the program's end, so that the test can read the last output.
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), f"{line}; exec cat")

    def tmux(self, *arguments):
        command = ["tmux", "-S", str(self.socket), *arguments]
        return subprocess.run(command, env=self.world.environment, capture_output=True, text=True, check=True).stdout

    def keys(self, *keys):
        """Presses keys, by tmux's names."""
        self.tmux("send-keys", *keys)

    def types(self, text):
        self.tmux("send-keys", "-l", text)

    def text(self):
        return self.tmux("capture-pane", "-p")

    def shows(self, text):
        return eventually(lambda: text in self.text())

    def close(self):
        self.tmux("kill-server")
