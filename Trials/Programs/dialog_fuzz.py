"""Generates arguments that are mostly wrong. Every question is left with Escape."""

from dialog_cases import TEXTS, WORDS, Maker

BOXES = ["--yesno", "--msgbox", "--infobox", "--inputbox", "--passwordbox", "--menu", "--checklist", "--radiolist"]
MORE_BOXES = ["--form", "--mixedform", "--rangebox", "--pause", "--passwordform"]
WHIPTAIL = ["--title", "--backtitle", "--nocancel", "--noitem", "--notags", "--defaultno", "--default-item", "--separate-output",
            "--output-fd", "--yes-button", "--ok-button", "--ok-label", "--bogus", "--title=x", "--clear=1", "--output-fd=2",
            "--output-fd=x", "-x", "-h", "-v", "--help", "--version", "--", "-", "--fb", "--cancel-button=Back", "--"]
DIALOG = ["--title", "--backtitle", "--no-cancel", "--nocancel", "--no-items", "--item-help", "--defaultno", "--default-item",
          "--separate-output", "--output-fd", "--yes-label", "--bogus", "--no-bogus", "--clear", "--ignore", "--print-version",
          "--version", "--help", "--", "--and-widget", "--and-widget", "--extra-button", "--timeout", "--aspect", "--begin",
          "--default-button", "--stdout", "--stderr", "--noshadow", "--shadow", "--no-title", "--args", "--file", "--separator",
          "--max-input", "--fb", "--colors", "--print-maxsize", "--Title", "--a_b", "--1"]
VALUES = ["0", "10", "60", "7", "-1", "x", "", "2", "0x10", "5x", " 6", "on", "off", "ok", "no", "help", "file", "3"]


class FuzzMaker(Maker):
    """Generates cases for one program, or for both."""

    def __init__(self, random, only=None):
        super().__init__(random)
        self.only = only

    def make(self):
        program = self.only or self.random.choice(["whiptail", "dialog"])
        options = WHIPTAIL if program == "whiptail" else DIALOG
        boxes = BOXES + (MORE_BOXES if program == "dialog" else ["--gauge"])
        words = []
        for _ in range(self.random.randrange(0, 3)):
            words.append(self.random.choice(options))
            if self.chance(0.6):
                words.append(self.random.choice(VALUES + WORDS[:6]))
        for _ in range(self.random.choice([0, 1, 1, 1, 1, 2]) if program == "dialog" else self.random.choice([0, 1, 1, 1, 1, 1, 2])):
            words += [self.random.choice(boxes), self.random.choice(TEXTS)] + ["12", "60"]
            words += [self.random.choice(VALUES[:4] if self.chance(0.7) else VALUES) for _ in range(self.random.randrange(0, 5))]
            if self.chance(0.3):
                words.append(self.random.choice(options))
        if self.chance(0.3) and words:
            del words[self.random.randrange(len(words))]
        return {"program": program, "arguments": words, "acts": [], "keys": [None], "escapes": True, "stdin": ""} \
            if "--gauge" in words else {"program": program, "arguments": words, "acts": [], "keys": [None], "escapes": True,
                                        "files": {"file": "--title 'a' \"b c\" x\\\\y"}}
