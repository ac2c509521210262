"""The output of a command: it is recorded as far as there is room, and is no reason to repeat a step."""

import os
import unittest

from fake_engine import Engine, finish
from step_case import StepCase


class OutputTests(StepCase):
    def test_what_is_not_text_is_made_text(self):
        report, _ = self.performed(r"ask look a -- printf 'caf\351\000 \303\244 \360\237\230\200 \001'")
        self.assertEqual(report["done"]["output"], "caf� ä 😀 \x01")

    def test_64_kib_are_recorded_and_more_is_cut_with_a_notice(self):
        report, _ = self.performed("ask look a -- head -c 65536 /dev/zero | tr '\\0' x")
        self.assertEqual(report, {"done": {"status": 0, "output": ""}})  # NULs are left out, as in shells
        self.assertEqual(self.error, "")
        report, _ = self.performed("ask step a -- sh -c 'head -c 65536 /dev/zero | tr \"\\0\" x'")
        self.assertEqual(report["done"]["output"], "x" * 65536)
        report, _ = self.performed("ask step a -- sh -c 'head -c 65537 /dev/zero | tr \"\\0\" x'")
        self.assertEqual(report, {"done": {"status": 0, "output": "x" * 65536, "cut": True}})
        self.assertEqual(self.error, "ask: the output of the step 'a' has more than 64 KiB: the first 65536 bytes are kept, of 65537\n")

    def test_what_a_step_prints_is_no_reason_to_repeat_it(self):
        """A step that had charged a customer was repeated, because it printed too much."""
        script = "ask step charge --attempts 3 -- sh -c 'echo charged >>log; seq 30000; wc -l <log >&2; exit %d'"
        for options in ({}, {"features": "assignments result-keys undo-words"}):
            report, _ = self.performed(script % 0, **options)
            self.assertEqual((report["done"]["status"], report["done"]["cut"]), (0, True))
            self.assertTrue(report["done"]["output"].endswith("\n"))
            self.assertEqual(report["done"]["output"].split(), [str(number) for number in range(1, len(report["done"]["output"].split()) + 1)])
            self.assertIn("1\nask: the output of the step 'charge' has more than 64 KiB", self.error)

    def test_a_command_keeps_its_status_whatever_it_prints(self):
        for kind in ("step", "look"):
            report, _ = self.performed(f"ask {kind} a -- sh -c 'seq 30000; echo no disk >&2; exit 4'")
            self.assertEqual((report["error"]["type"], report["error"]["message"], report["error"]["status"], report["error"]["cut"]), ("exit", "no disk", 4, True))

    def test_an_output_is_cut_at_a_line_and_a_line_between_characters(self):
        for command, length in (("printf 'one\ntwo\n'; yes ä | tr -d '\n' | head -c 70000", 8), ("yes ä | tr -d '\n' | head -c 70000", 65536),
                                ("printf x; yes ä | tr -d '\n' | head -c 70000", 65535), ("printf xx; yes € | tr -d '\n' | head -c 70000", 65534),
                                ("printf x; yes 😀 | tr -d '\n' | head -c 70000", 65533)):
            report, _ = self.performed(f"ask step a -- sh -c \"{command}\"")
            self.assertEqual(len(report["done"]["output"].encode()), length, command)
            self.assertNotIn("\ufffd", report["done"]["output"])
        report, _ = self.performed("ask step a -- sh -c 'printf x >&2; yes ä | tr -d \"\\n\" | head -c 1000 >&2; exit 1'")
        self.assertEqual(report["error"]["message"], "x" + "ä" * 199)

    def test_an_output_is_cut_that_has_no_room_in_a_message(self):
        report, _ = self.performed("ask step a -- sh -c 'head -c 65536 /dev/zero | tr \"\\0\" \"\\001\"'")
        self.assertEqual((report["done"]["status"], report["done"]["cut"], set(report["done"]["output"])), (0, True, {"\x01"}))
        self.assertIn(len(report["done"]["output"]), range(20000, 30000))

    def test_a_gigabyte_of_output_is_neither_kept_nor_waited_for_by_a_look(self):
        report, _ = self.performed("ask step a -- head -c 1G /dev/zero")
        self.assertEqual(report, {"done": {"status": 0, "output": "", "cut": True}})
        report, _ = self.performed("ask look a --attempts 3 -- sh -c 'echo began >&2; exec yes'")
        self.assertEqual((report["error"]["type"], report["error"]["status"], report["error"]["cut"]), ("too-long", 137, True))
        self.assertEqual((self.error.count("began"), self.error.count("more than 16 MiB")), (1, 1))

    def test_a_notice_that_nobody_reads_holds_nothing_up(self):
        reading, writing = os.pipe()
        with Engine() as engine, open(reading, "rb"), open(writing, "wb") as full:
            os.set_blocking(writing, False)
            while True:
                try:
                    os.write(writing, bytes(4096))
                except BlockingIOError:
                    break
            os.set_blocking(writing, True)
            process = engine.start(f"ask step a -- seq 30000 2>&{full.fileno()}", files=[full.fileno()])
            step = engine.accept()
            step.go()
            self.assertTrue(step.read()["done"]["cut"])
            step.done()
            self.assertEqual(finish(process)[2], 0)

    def test_a_step_is_recorded_though_nobody_reads_what_is_said_of_it(self):
        """The notice about a cut output ended the process before the step was recorded, so that it was done again."""
        for command in ("seq 30000", "sh -c 'echo said >&2; seq 30000; echo said >&2'"):
            reading, writing = os.pipe()
            os.close(reading)
            with self.subTest(command), Engine() as engine, open(writing, "wb") as lost:
                process = engine.start(f"ask step charge -- {command} 2>&{lost.fileno()}", files=[lost.fileno()])
                step = engine.accept()
                step.go()
                report = step.read()
                self.assertIsNotNone(report, "the process has ended")
                self.assertEqual((report["done"]["status"], report["done"]["cut"]), (0, True))
                step.done()
                self.assertEqual(finish(process)[2], 0)

    def test_a_command_finds_sigpipe_as_the_script_has_it(self):
        command = "ask step a -- sh -c 'kill -PIPE $$; echo ignored'"
        report, _ = self.performed(command)
        self.assertEqual((report["error"]["message"], report["error"]["output"]), ("ended by the signal PIPE", ""))
        report, _ = self.performed(f"trap '' PIPE; {command}")
        self.assertEqual(report, {"done": {"status": 0, "output": "ignored\n"}})


if __name__ == "__main__":
    unittest.main()
