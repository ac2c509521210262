"""Pages of programs that coordinatorctl runs."""

import subprocess

from pages import PageTestCase
from world import eventually


class ProgramPageTestCase(PageTestCase):
    """Tests with an engine that shows programs."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run = cls.world.home / "run"
        run.mkdir(mode=0o700)
        cls.world.environment |= {"XDG_RUNTIME_DIR": str(run), "USER": "pi", "DEBIAN_PRIORITY": "low"}
        cls.world.start(cls.world.binaries / "coordinator-scripts", "serve")
        assert eventually(lambda: "program" in cls.world.control("flows").stdout), "nobody serves the flow of programs"

    def begin(self, *command, **variables):
        """Starts a program, whose output and errors are combined."""
        process = subprocess.Popen(
            [str(word) for word in command], env=self.world.environment | variables, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

        def end():
            process.kill()
            process.communicate()
        self.addCleanup(end)
        return process

    def open(self):
        """Opens the only running flow, once it shows a question."""
        def asking():
            shown = self.world.control("show", check=False).stdout
            return "[okay]" in shown or "[yes]" in shown
        self.assertTrue(eventually(asking), self.world.control("show", check=False))
        self.driver.get(self.world.base)
        self.one("a[href*='/flows/program_']").click()

    def fill(self, *values):
        """Fills in the form, and sends it by keyboard, because programs ask the next question at once."""
        for number, value in enumerate(values):
            self.one(f"#field-{number}").send_keys(value)
        self.press_by_key("okay")
