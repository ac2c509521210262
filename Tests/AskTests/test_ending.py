"""A run that has ended never continues, however its script is written; and a script ends its run as it says."""

import os
import signal
import unittest

from fake_engine import PATIENCE, Engine, finish

MENU = "ask menu size 'How large?' small=Small"
# Constructs that hide the exit status of ask, or keep a shell alive.
SCRIPTS = {
    "in a command substitution": f"x=$({MENU}); touch ran-on",
    "in a local variable": f"f() {{ local x=$({MENU}); touch ran-on; }}; f",
    "in a condition": f"if {MENU}; then touch ran-on; else touch ran-on; fi",
    "in a subshell": f"( {MENU}; touch ran-on ); touch ran-on",
    "in a pipeline": f"{MENU} | cat; touch ran-on",
    "at the end of a pipeline": "echo a | ask list size A --items=-; touch ran-on",
    "in a background job": f"{MENU} & wait; touch ran-on",
    "with a trap": f"trap 'touch ran-on' TERM INT HUP; x=$({MENU}); touch ran-on",
    "with ignored signals": f"trap '' TERM INT HUP; x=$({MENU}); touch ran-on",
    "after || true": f"{MENU} || true; touch ran-on",
}
BASH_SCRIPTS = {
    "with job control": f"set -m; x=$({MENU}); touch ran-on",
    "as a job of its own": f"set -m; {MENU}; touch ran-on",
    "in a session of its own": f"setsid --wait {MENU}; touch ran-on",
    "in nested shells": f"bash -c \"x=\\$({MENU}); touch ran-on\"; touch ran-on",
    "in a process substitution": f"while read -r line; do touch ran-on; done < <({MENU}; touch ran-on); touch ran-on",
}


class StopTests(unittest.TestCase):
    def assert_ends(self, engine, process):
        self.assertEqual(process.wait(PATIENCE), -signal.SIGKILL)
        engine.wait_for_group(process)
        self.assertFalse((engine.directory / "ran-on").exists())

    def scripts(self):
        for shell, scripts in (("sh", SCRIPTS), ("bash", SCRIPTS | BASH_SCRIPTS)):
            for name, script in scripts.items():
                with self.subTest(f"{shell}, {name}"), Engine() as engine:
                    process = engine.start(script, shell=shell)
                    yield engine, process, engine.accept()

    def test_a_stop_kills_the_script(self):
        for engine, process, connection in self.scripts():
            connection.stop()
            self.assert_ends(engine, process)

    def test_the_end_of_the_connection_is_a_stop(self):
        for engine, process, connection in self.scripts():
            connection.close()
            self.assert_ends(engine, process)

    def test_bash_runs_its_exit_trap_when_the_run_is_stopped(self):
        def stop_and_terminate(connection, process):
            connection.stop()
            os.killpg(process.pid, signal.SIGTERM)

        ends = {"stopped": lambda connection, _: connection.stop(), "stopped and terminated": stop_and_terminate, "closed": lambda connection, _: connection.close()}
        scripts = {
            "alone": f"trap 'echo done >cleaned' EXIT; x=$({MENU}); touch ran-on",
            "beside others": f"trap 'echo done >cleaned' EXIT INT TERM; x=$({MENU}) || true; touch ran-on",
            "with a command": f"trap 'sleep 0.5; echo done >cleaned' EXIT; {MENU}; touch ran-on",
            "above a subshell": f"trap 'echo done >cleaned' EXIT; ( x=$({MENU}); touch ran-on ); touch ran-on",
            "in a pipeline": f"trap 'echo done >cleaned' EXIT; {MENU} | while read -r x; do touch ran-on; done; touch ran-on",
            "during a step": "trap 'echo done >cleaned' EXIT; ask step a -- sleep 1000000; touch ran-on",
        }
        for name, script in scripts.items():
            for how, end in ends.items():
                # At first, the rest of a pipeline looks like a command of the trap.
                if name == "in a pipeline" and how != "stopped and terminated":
                    continue
                # The signal ends the subshell, maybe before ask has found the shell above it.
                if name == "above a subshell" and how == "stopped and terminated":
                    continue
                with self.subTest(f"{name}, {how}"), Engine() as engine:
                    process = engine.start(script, shell="bash")
                    connection = engine.accept()
                    if name == "during a step":
                        connection.go()
                    end(connection, process)
                    self.assertIn(process.wait(PATIENCE), (-signal.SIGTERM, -signal.SIGVTALRM))
                    engine.wait_for_group(process)
                    self.assertEqual((engine.directory / "cleaned").read_text(), "done\n")
                    self.assertFalse((engine.directory / "ran-on").exists())

    def test_an_exit_trap_that_does_not_end_is_killed(self):
        with Engine() as engine:
            process = engine.start(f"trap 'sleep 1000000; touch ran-on' EXIT; x=$({MENU}); touch ran-on", shell="bash")
            engine.accept().stop()
            self.assert_ends(engine, process)

    def test_an_exit_trap_cannot_ask(self):
        with Engine() as engine:
            process = engine.start(f"trap 'ask confirm a A; touch ran-on' EXIT; x=$({MENU}); touch ran-on", shell="bash")
            engine.accept().stop()
            engine.accept().stop()
            process.wait(PATIENCE)
            engine.wait_for_group(process)
            self.assertFalse((engine.directory / "ran-on").exists())

    def test_a_terminated_question_does_not_let_its_script_run_on(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number.name), Engine() as engine:
                process = engine.start(f"trap '' TERM; trap 'touch ran-on' INT HUP; x=$({MENU}); touch ran-on", shell="bash")
                connection = engine.accept()
                # As a supervisor does, which signals the whole group.
                os.killpg(process.pid, number)
                self.assertTrue(connection.is_closed())
                self.assert_ends(engine, process)

    def test_without_an_engine_no_script_runs_on(self):
        with Engine() as engine:
            process = engine.start(f"x=$({MENU}); x=$({MENU}); touch ran-on")
            connection = engine.accept()
            engine.die()
            connection.done("small\n")
            self.assert_ends(engine, process)

    def test_what_the_engine_never_says_is_a_stop(self):
        for said in (b"done 0 999999999999999999999\n", b"done 0 99999999999\n", b"done -1 0\n", b"done 256 0\n", b"done 0\n", b"\n", b"what 0 0\n",
                     b"done 0 0 0\n", b"done\0 0 0\n", b"x" * 100, b"done 0 5\nlar", b"go 1 3\nkey", b"stop 0 0\n", b"done 0 0"):
            with self.subTest(said), Engine() as engine:
                process = engine.start(f"x=$({MENU}); touch ran-on")
                connection = engine.accept()
                connection.send(said)
                connection.close()
                self.assert_ends(engine, process)

    def test_a_step_is_ended_gently_while_its_script_is_killed(self):
        command = "trap \"sleep 0; touch cleaned; exit\" TERM; echo ready >ready; while :; do sleep 1000000 & wait; done"
        for name, end in (("stop", lambda connection, _: connection.stop()), ("closed", lambda connection, _: connection.close()),
                          ("terminated", lambda _, process: os.killpg(process.pid, signal.SIGTERM))):
            with self.subTest(name), Engine() as engine:
                os.mkfifo(engine.directory / "ready")
                process = engine.start(f"trap '' TERM; x=$(ask step copy -- sh -c '{command}'); touch ran-on", shell="bash")
                connection = engine.accept()
                connection.go()
                (engine.directory / "ready").read_text()
                end(connection, process)
                self.assert_ends(engine, process)
                if name != "closed":
                    connection.is_closed()
                while True:
                    try:
                        os.waitpid(-1, 0)
                    except ChildProcessError:
                        break
                self.assertTrue((engine.directory / "cleaned").exists())

    def test_a_background_job_that_asks_stops_the_script_and_other_jobs(self):
        with Engine() as engine:
            process = engine.start(f"{MENU} & {MENU} & sleep 1000000; touch ran-on")
            first, second = engine.accept(), engine.accept()
            first.stop()
            self.assertTrue(second.is_closed())
            self.assert_ends(engine, process)

    def test_wrong_usage_is_a_crash_of_the_script_which_does_not_run_on(self):
        with Engine() as engine:
            process = engine.start("x=$(ask menu size); touch ran-on")
            connection = engine.accept()
            self.assertEqual(set(connection.message), {"run", "crash"})
            self.assertEqual(connection.message["crash"]["type"], "usage")
            self.assertIn("the title is missing; use: ask menu NAME TITLE", connection.message["crash"]["message"])
            connection.close()
            self.assert_ends(engine, process)

    def test_the_engine_can_explain_what_is_wrong_with_a_screen(self):
        with Engine() as engine:
            process = engine.start("ask", "form", "a", "A", "--text", "b", "--pattern", "(")
            engine.accept().send(b"usage 2 12\nbad pattern\n")
            self.assertEqual(finish(process), ("", "bad pattern\n", 2))

    def test_a_message_of_more_than_1_mib_is_refused(self):
        with Engine() as engine:
            for script, reason in (("seq 200000 | ask list a A --items=-", "at most 1 MiB"), ("ask list a A --items=- </dev/zero", "at most 1 MiB"),
                                   ("seq 90000 | ask list a A --items=-", "a message to the engine has at most 1 MiB, and 'a' has more")):
                process = engine.start(script)
                for connection in engine.connections_of(process):
                    self.assertIn(reason, connection.message["crash"]["message"])
                    connection.send(b"done 2 0\n")
                self.assertEqual(finish(process)[2], 2)


class EndingTests(unittest.TestCase):
    def message(self, *words):
        with Engine() as engine:
            process = engine.start("ask", *words)
            connection = engine.accept()
            connection.stop()
            self.assertEqual(finish(process), ("", "", -signal.SIGKILL))
            self.assertEqual(engine.count, 0)
            return connection.message

    def test_a_script_ends_its_run(self):
        for words, expected in (
            (["finish"], {"finish": {}}), (["finish", "a=1", "b:=[1, true]", "c=x=y", "d="], {"finish": {"a": "1", "b": [1, True], "c": "x=y", "d": ""}}),
            (["fail", "no-disk", "There is no disk."], {"fail": {"code": "no-disk", "message": "There is no disk."}}), (["cancel"], {"cancel": True}),
            (["again", "page:=2"], {"again": {"page": 2}}),
        ):
            with self.subTest(words):
                self.assertEqual(self.message(*words), {"run": 7, "entry": 0, **expected})

    def test_an_end_says_where_it_is_so_that_what_the_log_has_behind_it_is_dropped(self):
        records = [("look", "a", "-", 0, ""), ("look", "b", "-", 0, ""), ("look", "c", "-", 0, "")]
        for word in ("finish", "again", "cancel", "fail no No"):
            for script, entry in ((f"ask look a -- true; ask {word}", 1), (f"ask look a -- true; ask look d -- true; ask {word}", 2), (f"ask {word}", 0)):
                with self.subTest(script), Engine(records) as engine:
                    process = engine.start(script)
                    for connection in engine.connections_of(process):
                        if "look" in connection.message:
                            connection.done()
                            continue
                        self.assertEqual(connection.message["entry"], entry)
                        self.assertEqual(engine.count, entry, "an end is not an entry")
                        connection.stop()

    def test_the_engine_may_let_a_script_go_on_to_its_traps(self):
        with Engine() as engine:
            process = engine.start("trap 'echo cleaned' EXIT; ask finish a=1; exit")
            engine.accept().done()
            self.assertEqual(finish(process), ("cleaned\n", "", 0))

    def test_other_operations(self):
        for words, expected in (
            (["run", "account", "name=ada", "age:=36"], {"child": "account", "flow": "account", "input": {"name": "ada", "age": 36}, "output": "status"}),
            (["run", "account", "--value", "login"], {"child": "account", "flow": "account", "input": {}, "output": "value", "keys": ["login"]}),
            (["run", "account", "--assignments"], {"child": "account", "flow": "account", "input": {}, "output": "assignments"}),
            (["run", "account", "--assignments=log-in,role"],
             {"child": "account", "flow": "account", "input": {}, "output": "assignments", "keys": ["log-in", "role"]}),
            (["run", "account", "--name", "person", "--json"], {"child": "person", "flow": "account", "input": {}, "output": "json"}),
            (["sleep", "pause", "1.5"], {"timer": "pause", "seconds": 1.5, "output": "status"}), (["now"], {"value": "now", "output": "value"}),
            (["random"], {"value": "random", "output": "value"}), (["uuid"], {"value": "uuid", "output": "value"}),
            (["patched", "sure"], {"patched": "sure", "output": "status"}),
        ):
            with self.subTest(words), Engine() as engine:
                process = engine.start("ask", *words)
                connection = engine.accept()
                connection.done("a='b'\n")
                self.assertEqual(finish(process), ("a='b'\n", "", 0))
                self.assertEqual(connection.message, {"run": 7, "entry": 0, **expected})

    def test_the_language_is_set_by_an_operation_and_printed_as_in_LANGUAGE(self):
        with Engine(features="language") as engine:
            process = engine.start("ask", "language", "pt_BR.UTF-8")
            connection = engine.accept()
            connection.done()
            self.assertEqual(finish(process), ("", "", 0))
            self.assertEqual(connection.message, {"run": 7, "entry": 0, "value": "language-pt-BR", "output": "status"})
        with Engine(features="language") as engine:
            process = engine.start("export TEXTDOMAIN=coffee TEXTDOMAINDIR=/l; ask language --choose=Sprache pt_BR de")
            question = engine.accept()
            self.assertEqual(question.message["languages"], {"directory": "/l", "domain": "coffee", "named": ["pt-BR", "de"]})
            self.assertEqual((question.message["ask"], question.message["screen"]["title"]), ("language", "Sprache"))
            question.done("pt-BR\n")
            setting = engine.accept()
            self.assertEqual((setting.message["value"], setting.message["entry"]), ("language-pt-BR", 1))
            setting.done()
            self.assertEqual(finish(process), ("pt_BR\n", "", 0))

    def test_a_recorded_choice_prints_the_language_that_the_flow_has_now(self):
        choosing = ["ask", "language", "--choose", "en", "fr", "pt_BR"]
        with Engine(features="language") as engine:
            engine.start(*choosing)
            asked = engine.accept().message["digest"]
        choice = [("ask", "language", asked, 0, "en\n"), ("value", "language-en")]
        # An author may have selected a locale in which gettext ignores LANGUAGE.
        for variables, printed in ({"LANGUAGE": "fr"}, "fr"), ({"LANGUAGE": "pt_BR", "LC_ALL": "C"}, "pt_BR"), ({"LANGUAGE": ""}, "en"):
            with self.subTest(variables), Engine(choice, features="language") as engine:
                self.assertEqual(finish(engine.start(*choosing, environment=variables)), (f"{printed}\n", "", 0))
                self.assertTrue(engine.is_quiet())

    def test_an_engine_that_knows_no_languages_is_not_asked(self):
        for words in (["de"], ["--choose"]):
            with self.subTest(words), Engine() as engine:
                process = engine.start("ask", "language", *words)
                connection = engine.accept()
                self.assertIn("restart coordinator-scripts", connection.message["crash"]["message"])
                connection.done(status=3)
                self.assertEqual(finish(process)[::2], ("", 3))

    def test_the_language_is_that_of_gettext(self):
        for variables, language in (
            ("LC_ALL=C LANGUAGE=de", "en"), ("LC_ALL=C.UTF-8 LANGUAGE=de:fr", "de"), ("LC_ALL= LC_MESSAGES= LANG=pt_BR.UTF-8 LANGUAGE=", "pt_BR"),
            ("LC_ALL= LC_MESSAGES= LANG= LANGUAGE=de", "en"), ("LC_ALL=sr_RS@latin LANGUAGE=", "sr_RS@latin"),
        ):
            with self.subTest(variables), Engine() as engine:
                self.assertEqual(finish(engine.start(f"{variables} ask language")), (language + "\n", "", 0))
                self.assertEqual(engine.count, 0)

    def test_a_run_that_was_begun_before_prints_the_result_of_a_child(self):
        with Engine(features="undo-words") as engine:
            process = engine.start("ask", "run", "account")
            connection = engine.accept()
            connection.done()
            self.assertEqual((finish(process)[2], connection.message["output"]), (0, "assignments"))

    def test_an_engine_that_would_print_more_than_was_asked_for_is_not_asked(self):
        for words in (["--value", "mail"], ["--assignments=street"]):
            for features in ("", "undo-words assignments"):
                with self.subTest(words, features=features), Engine(features=features) as engine:
                    process = engine.start("ask", "run", "account", *words)
                    connection = engine.accept()
                    self.assertIn("restart coordinator-scripts", connection.message["crash"]["message"])
                    connection.done(status=3)
                    self.assertEqual(finish(process)[::2], ("", 3))

    def test_input_is_read_from_the_environment(self):
        given = {"a": "x\ny", "n": 1.5, "b": False, "list": ["p q", 2, [3], {"k": None}], "o": {"k": "é"}, "none": None, "empty": ""}
        for words, expected in (
            (["a"], ("x\ny\n", 0)), (["n"], ("1.5\n", 0)), (["b"], ("false\n", 0)), (["list"], ('p q\n2\n[3]\n{"k":null}\n', 0)),
            (["o"], ('{"k":"é"}\n', 0)), (["none"], ("", 1)), (["none", "d"], ("d\n", 0)), (["x"], ("", 1)), (["x", "d"], ("d\n", 0)),
            (["empty", "d"], ("\n", 0)),
        ):
            with self.subTest(words), Engine(input=given) as engine:
                output, error, status = finish(engine.start("ask", "input", *words))
                self.assertEqual(((output, status), error), (expected, ""))
                self.assertEqual(engine.count, 0)

    def test_wrong_words_are_refused(self):
        for words, reason in (
            (["finish", "a"], "KEY=VALUE"), (["finish", "=a"], "KEY=VALUE"), (["finish", "a:={"], "not JSON"), (["finish", "a:="], "not JSON"),
            (["finish", "a b=c"], "'a b'"), (["finish", "--x=y"], "no option"), (["fail", "a"], "a code and a message"), (["fail", "a b", "c"], "'a b'"),
            (["cancel", "x"], "one word too many"), (["finish", "a:="], "the value '' of 'a' is not JSON"), (["run"], "flow is missing"), (["sleep", "a"], "seconds"), (["sleep", "a", "x"], "seconds"),
            (["run", "a", "--json", "--value", "b"], "only one of"), (["run", "a", "--assignments=a,PATH"], "PATH"),
            (["run", "a", "--assignments=a-b,a.b"], "same variable a_b"), (["run", "a", "--assignments="], "the key"),
            (["run", "a", "--assignments", "b,c"], "--assignments=KEY,KEY"), (["input", "--assignment", "a"], "no option '--assignment'"), (["run", "a", "--value", "b c"], "'b c'"),
            (["now", "x"], "too many"), (["patched"], "name is missing"), (["patched", "a", "b"], "too many"),
            (["language", "german"], "not a language"), (["language", "de", "fr"], "too many"), (["language", "--name", "a"], "--choose"),
            (["language", "--choose", "--json"], "no --json"), (["input"], "key is missing"), (["input", "a", "b", "c"], "too many"), (["progress"], "percentage is missing"),
            (["progress", "101"], "0 to 100"), (["progress", "x"], "0 to 100"), (["finish", "a:=" + "[" * 100 + "]" * 100], "not JSON"),
        ):
            with self.subTest(words), Engine() as engine:
                process = engine.start("ask", *words)
                connection = engine.accept()
                self.assertIn(reason, connection.message["crash"]["message"])
                connection.stop()
                self.assertIn(reason, finish(process)[1])

    def test_progress_outside_of_a_step_is_a_mistake(self):
        with Engine() as engine:
            process = engine.start("ask", "progress", "5")
            connection = engine.accept()
            self.assertIn("by the command of a step or look", connection.message["crash"]["message"])
            connection.stop()
            finish(process)


if __name__ == "__main__":
    unittest.main()
