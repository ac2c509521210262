"""The ways through an answers file: a hand-written one, and a recorded one."""

import json
import re

from terminal import Pipe
from ways import Way


class File(Way):
    """A hand-written answers file, with all styles of YAML."""

    longest = 20_000

    # The characters that libyaml accepts unescaped, except line ends.
    PLAIN = re.compile("[\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]*")

    def scalar(self, text, indent=None):
        styles = ["escaped", "double"]
        if self.PLAIN.fullmatch(text):
            styles.append("single")
        if indent is not None and text.strip("\n") and self.PLAIN.fullmatch(text.replace("\n", "")):
            styles.append("literal")
        style = self.source.choice(styles)
        if style == "single":
            return "'" + text.replace("'", "''") + "'"
        if style == "literal":
            lines = text.split("\n")
            mark = "+" if lines[-1] == "" else "-"
            return f"|2{mark}\n" + "\n".join(" " * (indent + 2) + line for line in (lines[:-1] if mark == "+" else lines))
        return '"' + "".join(self.escaped(one, style == "escaped") for one in text) + '"'

    def escaped(self, character, always):
        code = ord(character)
        if character in '"\\':
            return "\\" + character
        if self.PLAIN.fullmatch(character) and not (always and code > 126):
            return character
        return f"\\x{code:02x}" if code < 256 else f"\\u{code:04X}" if code < 65536 else f"\\U{code:08x}"

    def value(self, field):
        match field.kind:
            case "secret":
                (file := self.world.home / "pin").write_bytes(field.sent.encode() + b"\n")
                return f"{{ file: {file} }}"
            case "texts" | "several":
                return f"[{', '.join(self.scalar(one) for one in field.sent)}]"
            case "entries":
                return f"[{', '.join(self.scalar(json.dumps(one)) for one in field.sent)}]"
            case _:
                return self.scalar(field.sent, 6)

    def answers(self, question):
        if question.fields:
            return [f"    {question.name}:", *(f"      {field.name}: {self.value(field)}" for field in question.fields)]
        if question.rows:
            rows = [self.scalar(row) for row in question.chosen]
            return [f"    {question.name}: {{ select: {'[' + ', '.join(rows) + ']' if question.several else rows[0]} }}"]
        return [f"    {question.name}: {question.event}"]

    def text(self, play):
        lines = [f"flow: {play.flow}", "input:", f"  id: {play.id}"]
        lines += [f"  {key}: {self.scalar(value, 2)}" for key, value in play.input.items()]
        lines.append("answers:")
        for flow in dict.fromkeys(question.flow for question in play.questions):
            lines.append(f"  {flow or play.flow}:")
            lines += [line for question in play.questions if question.flow == flow for line in self.answers(question)]
        return "\n".join([*lines, "# The end.\n"])

    def play(self, play):
        (file := self.world.home / "answers.yaml").write_bytes(self.text(play).encode())
        self.trial.tool("answer", file, "--strict")


class Recording(Pipe):
    """coordinatorctl record, over a pipe; and its file, in a second play."""

    longest = 20_000

    def play(self, play):
        file, again = self.world.home / "recorded.yaml", f"{play.id}-again"
        text = "".join(line + "\n" for question in play.questions for line in self.lines(question))
        self.trial.tool("record", "-o", file, *self.words(play), text=text)
        self.trial.check(play)
        (credentials := self.world.home / "credentials").mkdir(exist_ok=True)
        if play.pin:
            (credentials / "many.pin").write_bytes(play.pin[0].encode())
        self.trial.tool("answer", file, "--strict", f"id={again}", CREDENTIALS_DIRECTORY=str(credentials))
        play.id = again
