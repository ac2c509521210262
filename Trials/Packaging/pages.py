"""The source of manual pages: sections, and their lists."""

import dataclasses
import re

from world import CHECKOUT

MAN = CHECKOUT / "Packaging/man"
PAGES = sorted(MAN.glob("*.[158]"))


def plain(text):
    """Returns the text of a line of troff, without regard to spaces."""
    text = re.sub(r"\\f.|\\%|\\&", "", text)
    return text.replace("\\-", "-").replace("\\(aq", "'").replace('"', "").strip()


@dataclasses.dataclass
class Entry:
    """The subject and the text of a tagged paragraph."""

    tag: str
    text: str

    @property
    def options(self):
        return set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", self.tag))

    @property
    def takes_value(self):
        return bool(re.sub(r"(?<![\w-])--?[A-Za-z][\w-]*|,", "", self.tag).strip())


class Page:
    def __init__(self, path):
        self.source = path.read_text()
        self.headings, self.entries = {}, {}
        section = sub = None
        lines = iter(self.source.splitlines())
        for line in lines:
            if line.startswith(".SH "):
                section, sub = plain(line[4:]), None
            elif line.startswith(".SS "):
                sub = plain(line[4:])
                self.headings.setdefault(section, []).append(sub.split()[0])
            elif line == ".TP":
                tag = re.sub(r"^\.(?:B|I|BI|IB|BR|IR) ", "", next(lines))
                self.entries.setdefault((section, sub and sub.split()[0]), []).append(Entry(plain(tag), ""))
            elif (section, sub and sub.split()[0]) in self.entries:
                entry = self.entries[section, sub and sub.split()[0]][-1]
                entry.text = f"{entry.text} {plain(line)}".strip()

    def listed(self, section, sub=None):
        """Returns the entries of a section, or of one of its parts, if it is named."""
        return [entry for key, entries in self.entries.items() if key[0] == section and sub in (None, key[1]) for entry in entries]
