"""The progress of a step: percentages that its command prints, and explicit reports."""

import unittest

from fake_engine import Engine, finish


class ProgressTests(unittest.TestCase):
    def test_percentages_become_progress_and_are_not_recorded(self):
        script = r"printf 'start\r 5%%\r 5%% again\r 1,234 42.5%% 3kB/s\nmiddle\n'; printf '99 %%\r100%%\n200%%\n' >&2; echo end"
        with Engine() as engine:
            process = engine.start(f"ask step copy --progress -- sh -c '{script.replace(chr(39), chr(34))}'")
            connection = engine.accept()
            connection.go()
            fractions = []
            while "progress" in (message := connection.read()):
                self.assertEqual(message["entry"], 0)
                fractions.append(message["progress"]["fraction"])
            self.assertEqual(message["done"]["output"], "start\rmiddle\nend\n")
            self.assertEqual([part for part in fractions if part < 0.5], [0.05, 0.42])
            self.assertEqual([part for part in fractions if part > 0.5], [0.99, 1])
            connection.done()
            self.assertEqual(finish(process), ("", "200%\n", 0))

    def test_a_command_reports_its_progress_itself(self):
        with Engine() as engine:
            process = engine.start("ask look b -- true; ask step copy -- sh -c 'ask progress 40% \"Copying files\"; echo done'")
            engine.accept().done()
            step = engine.accept()
            step.go()
            progress = engine.accept()
            self.assertEqual(progress.message, {"run": 7, "entry": 1, "progress": {"fraction": 0.4, "text": "Copying files"}})
            self.assertTrue(progress.is_closed())
            self.assertEqual(step.read()["done"], {"status": 0, "output": "done\n"})
            step.done("done\n")
            self.assertEqual(finish(process), ("done\n", "", 0))


if __name__ == "__main__":
    unittest.main()
