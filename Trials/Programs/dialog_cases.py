"""Generates calls of whiptail and dialog, with the user's actions in them and the keys for these actions."""

from real_dialog import WAIT

DOWN, UP, TAB, BACKTAB, ENTER, ESCAPE, KILL = "\x1b[B", "\x1b[A", "\t", "\x1b[Z", "\r", "\x1b", "\x15"

WORDS = [
    "1", "2", "10", "a", "b", "eth0", "Wi-Fi network", "a b", "it's", 'say "hi"', "back\\slash", "$HOME", "x;y", "[z]", "tab\there",
    "caf\u00c3\u00a9", "*", "`id`", "#5", "50%", "~", "a|b", "UPPER", "no_", "true", "q?", "(p)", "{c}", "&", "<t>", "semi;colon",
    "\u00e6\u00b0\u00b4", "x=y", "two  blanks", "%s%n",
]
LABELS = ["Yes", "No", "Back", "Finish", "Exit-Script", "Go on", "<Back>", "Next", "Cancel it", "previous"]
TEXTS = [
    "Choose", "Two lines\\nof text", "A longer text that says what to do and what comes of it.", "\\Zb\\Z1Careful\\Zn now", "50% done",
    "caf\u00c3\u00a9", "a   b", "line\nfeed", "What is it?\\n\\nSay.",
]


class Maker:
    """Generates cases."""

    def __init__(self, random):
        self.random = random

    def chance(self, share):
        return self.random.random() < share

    def text(self):
        return self.random.choice(TEXTS)

    def size(self, count):
        return ["0"] * count if self.chance(0.2) else ["18", "70", "6"][:count]

    def word(self):
        return self.random.choice(WORDS)

    def typed(self):
        return "".join(self.random.choice("abcXYZ 0189.,-_/$'\"\\%") for _ in range(self.random.randrange(1, 12))).strip() or "x"

    def tags(self):
        count = self.random.randrange(1, 6)
        return [self.word() for _ in range(count)] if self.chance(0.2) else self.random.sample(WORDS, count)

    def case(self, program, arguments, acts, keys, **more):
        return {"program": program, "arguments": arguments, "acts": acts, "keys": [WAIT] + keys, **more}

    def toggles(self, states, wanted, first=0):
        """Returns the keys that go through a list and make the wanted changes."""
        keys = []
        for index in range(len(states)):
            if states[index] != (index in wanted):
                keys.append(" ")
            if index + 1 < len(states):
                keys.append(DOWN)
        return keys


def act(event, items=None, fields=None):
    result = {"event": event}
    if items is not None:
        result["items"] = items
    if fields is not None:
        result["fields"] = fields
    return result


def says_back(label):
    return label.strip("<>").lower() in ("back", "previous")
