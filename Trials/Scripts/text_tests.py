"""Any text of an attacker reaches a script unchanged, and no part of it runs: text_tests.py [--all].

Scripts with every kind of question, in sh, bash, zsh and Python, are answered with hostile text (TestSupport/Hostile),
and write the received text into a file, which must equal the sent text, byte for byte: by the bus, coordinatorctl, a
browser's form, a terminal line by line (a pipe and a separate terminal) and on the full screen, an answers file that
was written by hand or recorded, a child's result, and a link. A way refuses a text that it cannot carry with a reason,
and the script gets nothing. Many of the texts contain commands that create a file; at the end there must be none. Every
run of a script is replayed after each answer, and must get the same text again.

TEXTS is the number of texts that each way carries to each language: 90, or 4,000 with --all. Without --all, the slower
ways carry them to one of the shells and to Python. SEED repeats a run. --seed=N and --texts=N have the same meaning.
"""

import sys
import unittest

from world import ROOT

# texts.py reads its options from this program's arguments.
sys.path[:0] = [str(ROOT / "Trials/Scripts/Text"), str(ROOT / "TestSupport/Hostile")]

from back_tests import BackTests
from child_tests import ChildTests
from lookalike_tests import LookalikeTests
from play import LANGUAGES
from refusal_tests import RefusalTests
from text_case import TextCase
from texts import SEED, TEXTS
from way_tests import WayTests


class TextTests(WayTests, ChildTests, BackTests, RefusalTests, LookalikeTests, TextCase):
    """All tests, in one world."""


if __name__ == "__main__":
    print(f"text_tests.py --seed={SEED} --texts={TEXTS}: {', '.join(LANGUAGES)}", flush=True)
    unittest.main(argv=[one for one in sys.argv if one != "--all"], verbosity=2)
