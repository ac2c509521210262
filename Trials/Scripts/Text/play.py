"""The questions of the scripts, their languages, and the answers in one play."""

import shutil

from texts import TWINS

SHELLS = {name: shutil.which(name) for name in ("sh", "bash", "zsh") if shutil.which(name)}
LANGUAGES = [*SHELLS, "py"]
# The children are written in another language than their parents.
CHILD = {"sh": "py", "bash": "sh", "zsh": "bash" if "bash" in SHELLS else "sh", "py": "sh"}

LINES, AREAS, INPUTS, PASTED = 40, 10, 6, 20
ENTRIES = {"type": "array", "title": "Entries", "items": {"type": "object", "properties": {
    "ip": {"type": "string", "title": "Ip"}, "name": {"type": "string", "title": "Name"}}, "required": ["ip", "name"]}}
NAMES = [*(f"t{n}" for n in range(LINES)), *(f"m{n}" for n in range(AREAS)), "l0", "l1", "c", "s", "j", "e"]


class Answer:
    """A value of a field: the sent text, and the expected text."""

    def __init__(self, name, kind, sent, expected, options=()):
        self.name, self.kind, self.sent, self.expected, self.options = name, kind, sent, expected, options


class Question:
    """A question and its answer: the fields of a form, the chosen rows of a list, or the event."""

    def __init__(self, name, fields=None, rows=None, chosen=None, several=False, events=None, event=None, flow=None):
        self.name, self.flow = name, flow
        self.fields, self.rows, self.chosen, self.several, self.events, self.event = fields, rows, chosen, several, events, event


class Play:
    """The answers for `kinds` in one play, and the text that it must record."""

    count = 0

    def __init__(self, trial, language, texts, long=False):
        Play.count += 1
        self.id, self.language, self.flow = f"play-{Play.count}", language, f"kinds-{language}"
        source, way = texts.source, texts.way
        self.input = {}
        self.expected = {}
        for n in range(INPUTS):
            self.input[f"i{n}"], self.expected[f"i{n}"] = texts.take("input")
        self.expected["first"] = self.expected["i0"]
        fields = [self.text(texts, f"t{n}", "line") for n in range(LINES)] + [self.text(texts, f"m{n}", "area") for n in range(AREAS)]
        if long:
            quotes, marks = "'\ufe0f" * (way.longest // 4), "\u0301'" * (way.longest // 3)
            fields[0] = Answer("t0", "line", quotes, quotes)
            fields[LINES] = Answer("m0", "area", marks, marks)
        rows, arriving = texts.several("element", 12)
        fields.append(Answer("l0", "texts", rows, arriving))
        fields.append(Answer("l1", "texts", *texts.several("element", 20)))
        chosen = source.sample(trial.options, 4)
        fields.append(Answer("c", "choice", chosen[0], chosen[0], trial.options))
        # Of a pair of lookalikes, one.
        chosen = [one for one in trial.options if one in chosen or one == TWINS[0][source.randrange(2)]]
        fields.append(Answer("s", "several", chosen, chosen, trial.options))
        fields.append(self.text(texts, "j", "line"))
        pieces = [(texts.take("member"), texts.take("member")) for _ in range(3)]
        fields.append(Answer("e", "entries", *([{"ip": ip[end], "name": name[end]} for ip, name in pieces] for end in (0, 1))))
        self.pin = texts.take("secret")
        fields.append(Answer("pin", "secret", *self.pin))
        for field in fields[:-1]:
            value = field.expected
            self.expected[field.name] = value if isinstance(value, str) else value if field.kind == "entries" else "\n".join(value)
        one, plain, a, b, kid = (self.text(texts, name, kind) for name, kind in (
            ("one", "area"), ("plain", "line"), ("a", "line"), ("b", "area"), ("text", "area")))
        self.result = {"one": one.expected}
        # The result of $(…): without line feeds at its end.
        self.expected |= {"one": one.expected, "plain": plain.expected.rstrip("\n") if language != "py" else plain.expected}
        self.expected["js"] = {"event": "submit", "payload": {"a": a.expected, "b": b.expected}}
        row, several = source.choice(arriving), [one for one in arriving if source.randrange(2)]
        self.expected |= {"row": row, "rows": "\n".join(several), "size": "large", "sure": "yes", "kid": kid.expected, "say": one.expected}
        self.questions = [
            Question("many", fields), Question("one", [one]), Question("plain", [plain]), Question("js", [a, b]),
            Question("row", rows=arriving, chosen=[row]), Question("rows", rows=arriving, chosen=several, several=True),
            Question("size", events=["small", "large"], event="large"), Question("sure", events=["yes", "no"], event="yes"),
            Question("kid", [kid], flow=f"kid-{CHILD[language]}"), Question("seen", events=["okay"], event="okay")]

    @staticmethod
    def text(texts, name, kind):
        return Answer(name, kind, *texts.take(kind))
