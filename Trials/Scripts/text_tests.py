"""Whatever a stranger types reaches a script as it is, and nothing of it runs: text_tests.py [--all].

Scripts with every kind of question, in sh, bash, zsh and Python, are answered with hostile text (TestSupport/Hostile), and write
what they got into a file, which has to be what was sent, byte for byte: by the bus, coordinatorctl, a browser's form, a terminal line by
line (a pipe and a terminal of its own) and on the full screen, an answers file that was written by hand or recorded, a child's result,
and a link. What a way cannot carry, it refuses with a reason, and the script gets nothing. Many of the texts contain commands that create
a file; at the end there must be none. Every run of a script is replayed after each answer, and has to get the same again.

TEXTS says how many texts each way carries to each language: 90, or 4,000 with --all. Without --all, the slower ways carry them to one of
the shells and to Python. SEED repeats a run. --seed=N and --texts=N do the same.
"""

import sys
import unittest

from world import ROOT

# texts.py takes its options from this program's arguments.
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
