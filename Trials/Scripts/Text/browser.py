"""The way through the forms of coordinator-web."""

import http.client
import re
import subprocess
import urllib.parse

from texts import SPACE
from ways import Way
from world import BINARIES, PATIENCE, Flow


class Browser(Way):
    """The forms of coordinator-web. Half of the texts have the line ends of browsers, CR LF, which the server converts to LF.
    """

    # A request has at most 256 KiB, and each byte of a text may take three.
    longest = 12_000

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.program = subprocess.Popen(
            [BINARIES / "coordinator-web"], env=self.world.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        self.world.processes.append(self.program)
        entry = urllib.parse.urlsplit(self.program.stdout.readline().decode().strip())
        self.host, self.base, self.cookie = entry.netloc, entry.path, ""
        self.get(f"{entry.path}?{entry.query}")

    def close(self):
        self.program.stdout.close()

    def carried(self, kind, text):
        if kind in ("element", "input", "member") and not text.strip(SPACE):
            return None  # No text was typed.
        if kind == "secret" or self.source.randrange(2):
            return text, text.replace("\r\n", "\n")
        arriving = text.replace("\r\n", "\n").replace("\r", "\n")
        return arriving.replace("\n", "\r\n"), arriving

    def request(self, method, path, body=None):
        headers = {"Host": self.host, "Cookie": self.cookie}
        if body is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{self.host}"}
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        page = answer.read()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.partition(";")[0] if not self.cookie else self.cookie
        connection.close()
        return answer, page

    def get(self, path):
        answer, page = self.request("GET", path)
        while answer.status == 303:
            path = answer.getheader("Location")
            answer, page = self.request("GET", path)
        return page.decode()

    def encoded(self, pairs):
        """Returns a form as browsers encode it, with more or fewer characters encoded."""
        safe = self.source.choice(["", "*-._", "!'()*~;:@$,/?"])
        return "&".join(f"{urllib.parse.quote(key, safe='')}={urllib.parse.quote(value, safe=safe)}" for key, value in pairs).encode()

    @staticmethod
    def controls(page, near):
        """Returns the controls of the form that contains a text: pairs of a tag and its attributes."""
        form = next((form for form in re.split(r"(?=<form\b)", page) if near in form), "").partition("</form>")[0]
        found = []
        for tag, attributes, content in re.findall(r"<(form|input|button|textarea)\b([^>]*)>(?:([^<]*)</textarea>)?", form):
            values = {key: unescaped(value) for key, value in re.findall(r'([\w-]+)="([^"]*)"', attributes)}
            if tag == "textarea":
                values["value"] = unescaped(content.removeprefix("\n"))
            found.append((tag, values))
        return found

    def begin(self, play):
        page = self.get(f"{self.base}new/{play.flow}")
        hidden = self.hidden(self.controls(page, "field.id"))
        fields = [("field.id", play.id), *((f"field.{key}", value) for key, value in play.input.items())]
        answer, page = self.request("POST", f"{self.base}new/{play.flow}", self.encoded(hidden + fields))
        name = answer.getheader("Location").rpartition("/")[2]
        assert answer.status == 303 and "/flows/" in answer.getheader("Location"), page.decode()
        return Flow(self.world, f"/org/coordinatord/Coordinator1/flows/{name}")

    @staticmethod
    def hidden(controls):
        hidden = [values for _, values in controls if values.get("type") == "hidden" and "entry" not in values["name"]]
        return [(values["name"], values["value"]) for values in hidden]

    def page_of(self, flow):
        """Returns the page with the screen on top, which the server receives a moment later."""
        path, target = f"{self.base}flows/{flow.path.rpartition('/')[2]}", f"/screens/{flow.top['id']}\""

        def shown():
            page = self.get(path)
            return page if target in page else None

        return self.world.until(shown, f"the page of {flow.top['name']}"), f"{path}/screens/{flow.top['id']}"

    def answer(self, flow, question):
        page, path = self.page_of(flow)
        controls = self.controls(page, f'method="post" action="{path}"')
        event = question.event or "submit"
        if question.rows:
            rows = {values["value"]: values["name"] for tag, values in controls if values.get("name", "").startswith(("item.", "box."))}
            self.trial.assertEqual(list(rows), question.rows)
            fields = [(rows[row], row) for row in question.chosen]
            event = "choose"
        else:
            fields = [pair for field in question.fields or [] for pair in self.pairs(field)]
        buttons = [(values["name"], values["value"]) for tag, values in controls if tag == "button" and values.get("value") == event]
        pairs = self.hidden(controls) + buttons[-1:] * (not question.rows or question.several) + fields
        answer, page = self.request("POST", path, self.encoded(pairs))
        self.trial.assertEqual(answer.status, 303, page.decode())

    @staticmethod
    def pairs(field):
        if field.kind == "entries":
            for number, row in enumerate(field.sent):
                yield f"entry/{field.name}", str(number)
                yield from ((f"entry/{field.name}/{number}/{key}", value) for key, value in row.items())
        elif field.kind == "several":
            yield from ((f"field.{field.name}", one) for one in field.sent)
        else:
            yield f"field.{field.name}", field.sent if isinstance(field.sent, str) else "\r\n".join(field.sent)


def unescaped(text):
    """Returns the text that a browser reads: references from 128 to 159 mean characters of windows-1252."""
    names = {"amp": "&", "lt": "<", "gt": ">", "quot": '"'}

    def meant(found):
        code = found[1]
        if not code.startswith("#"):
            return names[code]
        number = int(code[1:])
        return bytes([number]).decode("cp1252", errors="ignore") or chr(number) if 128 <= number < 160 else chr(number)

    return re.sub(r"&(#\d+|\w+);", meant, text)
