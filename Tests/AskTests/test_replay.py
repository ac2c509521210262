"""Recorded answers come from the replay file, and cost the engine nothing."""

import os
import random
import unittest

from fake_engine import LIVE, Engine, digest, finish, record

SIZES = {"actions": [{"id": "small", "role": "normal", "title": "Small"}, {"id": "large", "role": "normal", "title": "Large"}],
         "kind": "menu", "title": "How large?"}
MENU = "ask menu size 'How large?' small=Small large=Large"
RECORDED = ("ask", "size", digest(SIZES), 0, "large\n")


class ReplayTests(unittest.TestCase):
    def test_a_run_whose_entries_are_all_recorded_asks_nobody(self):
        records = [RECORDED, ("look", "scan", "-", 0, "home\nwork\n"), ("step", "brew", "-", 4, "half\n"), ("value", "now", "-", 0, "1.5\n"),
                   ("child", "person", "-", 1, ""), ("timer", "pause", "-", 0, ""), ("patch", "sure", "-", 0, ""), RECORDED]
        script = f"""
          {MENU}; ask look scan -- false; ask step brew -- false; echo $?; ask now; ask run account --name person; echo $?
          ask sleep pause 1000000; ask patched sure; echo $?; {MENU}
        """
        with Engine(records) as engine:
            process = engine.start(script)
            self.assertEqual(finish(process), ("large\nhome\nwork\nhalf\n4\n1.5\n1\n0\nlarge\n", "", 0))
            self.assertTrue(engine.is_quiet())
            self.assertEqual(engine.count, 8)
            self.assertEqual(engine.position, os.fstat(engine.log).st_size)

    def test_at_the_end_of_the_file_the_run_is_live(self):
        with Engine([RECORDED]) as engine:
            process = engine.start(f"{MENU}; {MENU}; {MENU}")
            for entry in (1, 2):
                connection = engine.accept()
                self.assertEqual((connection.message["entry"], engine.position, engine.count), (entry, LIVE, entry + 1))
                connection.done("small\n")
            self.assertEqual(finish(process)[0], "large\nsmall\nsmall\n")

    def test_everything_after_a_misfit_is_for_the_engine(self):
        for name, misfit in (("kind", ("look", "size", "-", 0, "")), ("name", ("ask", "sizes", digest(SIZES), 0, "")),
                             ("digest", ("ask", "size", "0" * 16, 0, ""))):
            with self.subTest(name), Engine([RECORDED, misfit, RECORDED]) as engine:
                process = engine.start(f"{MENU}; {MENU}; {MENU}")
                for entry in (1, 2):
                    connection = engine.accept()
                    self.assertEqual((connection.message["entry"], connection.message["digest"]), (entry, digest(SIZES)))
                    connection.done("small\n")
                self.assertEqual(finish(process)[0], "large\nsmall\nsmall\n")

    def test_a_pipeline_takes_its_entries_in_order(self):
        rows = {"actions": [], "items": [{"id": name, "title": name} for name in ("home", "work")], "kind": "list", "title": "Which?"}
        records = [("look", "scan", "-", 0, "home\nwork\n"), ("ask", "network", digest(rows), 0, "work\n")]
        script = "ask look scan -- false | ask list network Which? --items=-"
        with Engine(records) as engine:
            self.assertEqual(finish(engine.start(script)), ("work\n", "", 0))
        with Engine() as engine:
            process = engine.start(script)
            look = engine.accept()
            self.assertEqual((look.message["look"], look.message["entry"]), ("scan", 0))
            # The list has no entry yet, because its rows are not known yet.
            self.assertEqual(engine.count, 1)
            look.done("home\nwork\n")
            question = engine.accept()
            self.assertEqual((question.message["entry"], question.message["screen"]), (1, rows))
            question.done("home\n")
            self.assertEqual(finish(process)[0], "home\n")

    def test_concurrent_jobs_each_get_an_entry_of_their_own(self):
        count = 24
        records = [("look", "a", "-", 0, f"{number}\n") for number in range(count)]
        with Engine(records) as engine:
            jobs = " ".join("ask look a -- false &" for _ in range(2 * count))
            process = engine.start(f"{jobs} wait")
            entries = set()
            for _ in range(count):
                connection = engine.accept()
                entries.add(connection.message["entry"])
                connection.done("live\n")
            output, error, status = finish(process)
            self.assertEqual((error, status), ("", 0))
            self.assertEqual(entries, set(range(count, 2 * count)))
            self.assertEqual(sorted(output.split()), sorted([str(number) for number in range(count)] + count * ["live"]))
            self.assertEqual(engine.count, 2 * count)

    def test_a_patch_that_does_not_fit_takes_no_entry(self):
        with Engine([RECORDED]) as engine:
            process = engine.start(f"ask patched sure; echo $?; {MENU}; ask patched more; echo $?; {MENU}")
            connection = engine.accept()
            self.assertEqual((connection.message["patched"], connection.message["entry"]), ("sure", 0))
            connection.done(status=1)
            connection = engine.accept()
            self.assertEqual((connection.message["patched"], connection.message["entry"], engine.count), ("more", 1, 1))
            connection.done(status=0)
            connection = engine.accept()
            self.assertEqual((connection.message["entry"], engine.position), (2, LIVE))
            connection.done("small\n")
            self.assertEqual(finish(process)[0], "1\nlarge\n0\nsmall\n")
            self.assertEqual(engine.count, 3)

    def test_long_outputs_are_replayed_whole(self):
        output = "".join(f"line {number}\n" for number in range(9000))
        for length in (0, 1, 4000, 4060, 4096, len(output)):
            with Engine([("look", "a", "-", 0, output[:length]), ("look", "a", "-", 7, "end")]) as engine:
                self.assertEqual(finish(engine.start("ask look a -- false; ask look a -- false")), (output[:length] + "end", "", 7))

    def test_records_that_cannot_be_read_are_for_the_engine(self):
        good = record(*RECORDED)
        head = f"ask size {digest(SIZES)}"
        for broken in (
            f"{head} 0 18446744073709551615\n".encode(), f"{head} 0 18446744073709551616\nlarge\n".encode(), f"{head} 0 -1\nx\n".encode(),
            f"{head} 256 0\n\n".encode(), f"{head} 0 6\nlarge".encode(), f"{head} 0 4294967301\nlarge\n".encode(), f"{head} 0\nlarge\n".encode(),
            good[:-1], good[:20], b"", b"\n", b" " * 5000, b"a" * 5000 + b"\n", head.encode() + b" 0 5\0\nlarge\n", f"{head}  0 6\nlarge\n\n".encode(),
        ):
            with self.subTest(broken[:60]), Engine() as engine:
                engine.write_log(broken)
                process = engine.start(MENU)
                connection = engine.accept()
                self.assertEqual(connection.message["entry"], 0)
                connection.done("small\n")
                self.assertEqual(finish(process), ("small\n", "", 0))

    def test_no_position_and_no_random_record_crashes_it(self):
        seed = int(os.environ.get("SEED", random.randrange(2**32)))
        numbers = random.Random(seed)
        good = record(*RECORDED)
        for _ in range(30):
            broken = bytearray(good)
            for _ in range(numbers.randrange(1, 4)):
                broken[numbers.randrange(len(broken))] = numbers.randrange(256)
            position = numbers.choice([0, 31, 32, 33, len(broken) + 32, 2**40, 2**63, LIVE - 1, numbers.randrange(2**64)])
            with Engine() as engine:
                engine.write_log(bytes(broken), position=numbers.choice([32, 32, position]), count=numbers.choice([0, 2**32 - 1]))
                process = engine.start(f"{MENU} >output; echo $? >status")
                for connection in engine.connections_of(process):
                    connection.done("small\n")
                # The status of the record may be one of the bytes that have changed; a crash has one from 128 on.
                self.assertLess(int((engine.directory / "status").read_text()), 128, f"SEED={seed} {bytes(broken)} at {position}")

    def test_without_a_replay_file_the_script_is_told_and_does_not_run_on(self):
        for log, reason in (("", "COORDINATOR_LOG"), ("9", "descriptor 9"), ("0", "descriptor 0"), ("99999999999999999999", "COORDINATOR_LOG")):
            with self.subTest(log), Engine() as engine:
                process = engine.start(f"x=$({MENU}); echo ran on", environment={"COORDINATOR_LOG": log})
                connection = engine.accept()
                self.assertIn(reason, connection.message["crash"]["message"])
                self.assertEqual((connection.message["crash"]["type"], connection.message["run"]), ("environment", 7))
                connection.stop()
                output, error, status = finish(process)
                self.assertEqual((output, status), ("", -9))
                self.assertIn(reason, error)


if __name__ == "__main__":
    unittest.main()
