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
            fractions, texts = [], []
            while "progress" in (message := connection.read()):
                self.assertEqual(message["entry"], 0)
                texts.append(message["progress"].get("text"))
                fractions.append(message["progress"]["fraction"])
            self.assertEqual(message["done"]["output"], "start\rmiddle\nend\n")
            self.assertEqual([part for part in fractions if part < 0.5], [0.05, 0.42])
            self.assertEqual([part for part in fractions if part > 0.5], [0.99, 1])
            self.assertEqual([text for text in texts if text is not None], ["3kB/s"])
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

    def test_the_words_after_a_percentage_are_its_text_but_not_the_rest_of_a_drawn_bar(self):
        lines = ["1% ] [###", "2%  Über 3 Dateien ", "3% 水", "4%", "5% " + "x" * 300]
        with Engine() as engine:
            process = engine.start("ask", "step", "copy", "--progress", "--", "printf", "%s\\n", *lines)
            connection = engine.accept()
            connection.go()
            texts = []
            while "progress" in (message := connection.read()):
                texts.append(message["progress"].get("text"))
            self.assertEqual(texts, [None, "Über 3 Dateien", "水", None, "x" * 200])
            connection.done()
            finish(process)


class StopTests(unittest.TestCase):
    FEATURES = "assignments stoppable"

    def test_a_stopped_command_gets_sigterm_and_reports_how_it_has_ended(self):
        script = "ask step erase --stoppable --progress -- sh -c '%s'; echo \"status $?\""
        for command, end in (
            ("echo 5%; exec sleep 1000", {"type": "exit", "message": "ended by the signal TERM", "status": 143, "output": ""}),
            ("exec 2>/dev/null; trap \"exit 7\" TERM; echo 5%; while :; do sleep 0.05; done", {"type": "exit", "message": "exit status 7", "status": 7, "output": ""}),
            ("exec 2>/dev/null; trap \"exit 0\" TERM; echo 5%; while :; do sleep 0.05; done", {"status": 0, "output": ""}),
        ):  # fmt: skip
            with self.subTest(command=command), Engine(features=self.FEATURES) as engine:
                process = engine.start(script % command)
                connection = engine.accept()
                self.assertTrue(connection.message["stoppable"])
                connection.go()
                self.assertIn("progress", connection.read())
                connection.terminate()
                report = connection.read()
                self.assertEqual(report.get("error") or report["done"], end)
                connection.done(status=end["status"])
                self.assertEqual(finish(process)[0], f"status {end['status']}\n")

    def test_a_command_that_ends_as_it_is_stopped_keeps_its_status(self):
        with Engine(features=self.FEATURES) as engine:
            process = engine.start("ask step erase --stoppable -- sh -c 'exit 7'; echo \"status $?\"")
            connection = engine.accept()
            connection.go()
            self.assertEqual(connection.read()["error"]["status"], 7)
            connection.terminate()
            connection.done(status=7)
            self.assertEqual(finish(process)[0], "status 7\n")

    def test_a_command_that_ignores_sigterm_is_killed_when_it_is_stopped_again(self):
        with Engine(features=self.FEATURES) as engine:
            process = engine.start("ask step erase --stoppable --progress -- sh -c 'trap \"echo 6%\" TERM; echo 5%; while :; do sleep 0.05; done'")
            connection = engine.accept()
            connection.go()
            self.assertEqual(connection.read()["progress"]["fraction"], 0.05)
            connection.terminate()
            self.assertEqual(connection.read()["progress"]["fraction"], 0.06)
            connection.terminate()
            self.assertEqual(connection.read()["error"]["status"], 137)
            connection.done(status=137)
            self.assertEqual(finish(process)[2], 137)

    def test_the_text_of_progress_has_no_secret(self):
        with Engine() as engine:
            process = engine.start("ask step join --stdin s --progress -- sh -c 'echo \"10% $(cat)\"'")
            connection = engine.accept()
            connection.go(secrets=[b"open sesame"])
            self.assertEqual(connection.read()["progress"]["text"], "(secret)")
            connection.read()
            connection.done()
            finish(process)

    def test_a_step_that_cannot_be_stopped_ends_its_run_if_anything_arrives(self):
        with Engine(features=self.FEATURES) as engine:
            process = engine.start("ask step erase -- sleep 1000; echo never")
            connection = engine.accept()
            self.assertNotIn("stoppable", connection.message)
            connection.go()
            connection.terminate()
            self.assertEqual(finish(process)[0], "")

    def test_an_engine_that_stops_nothing_is_not_asked_to(self):
        with Engine() as engine:
            process = engine.start("ask step erase --stoppable -- true")
            connection = engine.accept()
            self.assertNotIn("stoppable", connection.message)
            connection.go()
            connection.read()
            connection.done()
            finish(process)


if __name__ == "__main__":
    unittest.main()
