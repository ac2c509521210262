"""How a step is undone: by the words of a command, which no shell reads, and no typed word is one of them."""

import subprocess
import unittest

from fake_engine import Engine, finish
from step_case import StepCase


class UndoTests(StepCase):
    def test_no_typed_word_ends_the_words_of_undo(self):
        report, message = self.performed("ask step --undo=4 rm -f -- '; id' a --once -- printf '%s' -- b")
        self.assertEqual(message, {"run": 7, "entry": 0, "step": "a", "undo": ["rm", "-f", "--", "; id"], "once": True})
        self.assertEqual(report, {"done": {"status": 0, "output": "--b"}})
        for script in ("ask step a --undo rm -f -- -- true", "ask step a --undo rm -f -- reboot -- true", "ask step a --undo rm -f x -- printf -- y"):
            with self.subTest(script), Engine() as engine:
                process = engine.start(script)
                self.assertIn("such as --undo=4 rm -f -- FILE -- COMMAND", engine.accept().message["crash"]["message"])
                engine.connections[0].done(status=2)
                self.assertEqual(finish(process)[::2], ("", 2))

    def test_an_engine_that_knows_no_words_gets_them_quoted(self):
        script = """ask step a --undo printf '%s|' "it's" 'a b' '$(id)' '' -- true"""
        _, message = self.performed(script, features="assignments")
        self.assertEqual(message["undo"], """'printf' '%s|' 'it'\\''s' 'a b' '$(id)' ''""")
        self.assertEqual(subprocess.check_output(["sh", "-c", message["undo"]]), b"it's|a b|$(id)||")

    def test_no_option_is_swallowed_by_undo_and_none_is_injected(self):
        for script, reason in (
            ("ask step a --undo sync --stdin pin --once -- true", "give it as the last option"), ("ask step a --undo sync --once -- true", "last option"),
            ("ask step a --undo sync --busy=x -- true", "last option"), ("ask step a --undo=1 sync --undo=1 sync -- true", "one --undo is enough"),
            ("ask step a --undo -x -- true", "is a program"),
        ):
            with self.subTest(script), Engine() as engine:
                process = engine.start(script)
                self.assertIn(reason, engine.accept().message["crash"]["message"])
                engine.connections[0].done(status=2)
                self.assertEqual(finish(process)[::2], ("", 2))
        for script, expected in (
            ("ask step a --once --undo=2 /opt/x/undo --stdin -- true", ["/opt/x/undo", "--stdin"]), ("ask step a --once --undo=1 '/opt/my x/undo' -- true", ["/opt/my x/undo"]),
            ("ask step a --once --undo rm x --once --undo=y -- true", ["rm", "x", "--once", "--undo=y"]),
            ("ask step a --once --busy '--undo=z' --undo rm x -- true", ["rm", "x"]),
        ):
            for features in ("assignments undo-words", "undo-words"):
                with self.subTest(script, features=features):
                    self.assertEqual(self.performed(script, features=features)[1]["undo"], expected)

    def test_in_a_run_that_was_begun_before_no_typed_word_becomes_a_command_of_the_shell(self):
        # A script that was corrected while its flow was open: the words after the first one are a user's input.
        for typed in ("--undo=touch ran", "--undo", "--once", "--", "touch ran;", "--stdin", "--busy", "-- touch"):
            with self.subTest(typed), Engine(features="undo-words") as engine:
                process = engine.start(f"ask step a --undo rm -f '{typed}' '{typed}' -- true")
                connection = engine.accept()
                if "crash" in connection.message:
                    self.assertEqual(typed, "--")
                else:
                    self.assertEqual(connection.message["undo"], ["rm", "-f", typed, typed])
                    self.assertNotIn("once", connection.message)
                connection.stop()
                finish(process)

    def test_a_run_that_was_begun_before_gives_undo_a_command_of_the_shell(self):
        for script, undo in (
            ("ask step a --undo 'rm x' -- true", "rm x"), ("ask step a --undo sync --once -- true", "sync"), ("ask step --undo='rm x' a -- true", "rm x"),
            ("ask step --undo 'rm x' a -- true", "rm x"), ("ask step a --undo rm x -- true", ["rm", "x"]), ("ask step a --undo sync -- true", ["sync"]),
            ("ask step a --busy B --undo '>x' --busy B -- printf -- y", ">x"),
        ):
            with self.subTest(script):
                self.assertEqual(self.performed(script, features="undo-words")[1]["undo"], undo)


if __name__ == "__main__":
    unittest.main()
