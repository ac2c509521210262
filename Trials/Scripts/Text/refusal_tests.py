"""A way refuses texts that it cannot carry with a reason, and the script gets nothing."""

import contextlib
import unittest

from browser import Browser
from play import AREAS, LINES, NAMES
from raw_bus import RawBus
from shell_scripts import SHELL
from texts import ALL
from world import BINARIES, NAME, Refused


class RefusalTests:
    """Part of TextTests: refusals."""

    def kid(self):
        flow = self.world.flow("kid-sh", id="kid")
        flow.shows("kid")
        return flow, flow.path.rpartition("/")[2]

    def assert_asks(self, flow):
        """Checks that the script has received nothing."""
        flow.shows("kid")
        flow.dismiss()

    def test_the_bus_takes_nothing_that_is_no_text(self):
        for text, is_taken in (
            ("x'\ufe0f; touch ran".encode(), True), (b"a\xff", False), (b"a\xc0\xa7; touch ran; \xc0\xa7", False),
            (b"a\xed\xa0\x80", False), (b"a\xf4\x90\x80\x80", False), (b"a\xe2\x80", False), (b"a\0b", False), (b"\0", False)):
            with self.subTest(text=text):
                flow, _ = self.kid()
                raw = RawBus(self.world.address)
                body = RawBus.payload(flow.top["id"], b"submit", {"text": text})
                is_answered = raw.call(NAME, flow.top["coordinator"], f"{NAME}.Coordinator", "Delegate", "tsa{sv}a{sv}", body)
                raw.socket.close()
                # The bus disconnects a client that violates the protocol.
                self.assertIs(is_answered, True if is_taken else None)
                if is_taken:
                    flow.shows(None)
                    self.assertEqual(flow.outcome, ("finished", {"text": text.decode()}))
                else:
                    self.assert_asks(flow)

    def test_coordinatorctl_sends_nothing_that_is_no_text(self):
        file = self.world.home / "bad"
        for data in (b"a\0b", b"a\xffb", b"a\xc0\xa7b", b"\xed\xa0\x80"):
            words = {f"text=@{file}".encode(): b"", b"text=@-": data}
            if 0 not in data:
                words[b"text=" + data] = b""
            for word, text in words.items():
                with self.subTest(data=data, word=word):
                    flow, tree = self.kid()
                    file.write_bytes(data)
                    done = self.run_tool("send", tree, "submit", word, text=text)
                    self.assertNotEqual((done.returncode, done.stderr), (0, b""))
                    self.assert_asks(flow)
        for word in ('text:="a\\u0000b"', 'text:="a\\ud800b"', 'text:=["a"]', 'text:={"secret":true}'):
            flow, tree = self.kid()
            done = self.run_tool("send", tree, "submit", word)
            self.assertNotEqual((done.returncode, done.stderr), (0, b""), word)
            self.assert_asks(flow)

    def test_a_browser_sends_nothing_that_is_no_text(self):
        with contextlib.closing(Browser(self, self.source)) as browser:
            for text in ("a%00b", "a%FFb", "a%C0%A7b", "a%ED%A0%80b", "a%", "a%4", "a%zzb"):
                with self.subTest(text=text):
                    flow, _ = self.kid()
                    page, path = browser.page_of(flow)
                    controls = browser.controls(page, f'method="post" action="{path}"')
                    button = next(values for tag, values in controls if values.get("value") == "submit")
                    body = browser.encoded([*browser.hidden(controls), (button["name"], "submit")]) + f"&field.text={text}".encode()
                    answer, page = browser.request("POST", path, body)
                    if answer.status == 303:
                        self.assertIn("class=\"error", browser.get(answer.getheader("Location")))
                    else:
                        self.assertIn(answer.status, (400, 403))
                    self.assert_asks(flow)

    def test_an_answers_file_has_nothing_that_is_no_text(self):
        file = self.world.home / "bad.yaml"
        for text in (
            b'"a\\0b"', b'"a\\x00b"', b'"a\xffb"', b'"a\xc0\xa7b"', b'"a\\ud800b"', b'"a\\UFFFFFFFFb"', b"'a\x01b'", b"*a", b"&a b"):
            with self.subTest(text=text):
                file.write_bytes(b"flow: kid-sh\ninput: { id: bad }\nanswers:\n  kid-sh:\n    kid: { text: " + text + b" }\n")
                done = self.run_tool("answer", file, "--json", text="x\n")
                self.assertNotEqual(done.returncode, 0)
                self.assertNotEqual(done.stderr, b"")
                self.assertNotIn(b"finished", done.stdout)

    def test_a_link_carries_no_control_characters(self):
        for text in (
            "a%00b", "a%01b", "a%1bb", "a%0db", "a%7fb", "a%c2%85b", "a%ffb", "a%c0%a7b", "a%ed%a0%80b", "a%4", "a b", 'a"b', "a\nb",
            "a\x1bb"):
            with self.subTest(text=text):
                done = self.run_tool("open", "--yes", "--no-wait", f"coordinator:link-sh?id=bad-link&i0={text}")
                self.assertEqual((done.returncode, done.stdout), (64, b""))
                self.assertRegex(done.stderr, b"cannot open this link: .* (is not valid percent-encoded text|must be percent-encoded)")
        self.assertFalse((self.out / "bad-link").exists())

    def test_lines_that_are_no_text(self):
        """A NUL is refused. Bytes that are not characters become U+FFFD, on the screen as well, and nothing else
        changes."""
        tui = [BINARIES / "coordinator-tui", "--linear", "kid-sh"]
        done = self.executed([*tui, "id=nul"], b"=a\0b\n.\n")
        self.assertIn(b"This was not accepted: a string contains the character U+0000", done.stdout)
        for data in (b"a\xff'; touch ran; '", b"\xc0\xa7; touch ran; \xc0\xa7", b"a\xed\xa0\x80", b"a'\xef\xb8"):
            with self.subTest(data=data):
                flow, tree = self.kid()
                self.executed([*tui[:2], tree], b"=" + data + b"\n.\n")
                flow.shows(None)
                self.assertEqual(flow.outcome, ("finished", {"text": data.decode(errors="replace")}))

    def test_texts_over_the_limits(self):
        flow, tree = self.kid()
        with self.assertRaisesRegex(Refused, "LimitsExceeded"):
            self.delegate(flow, "submit", {"text": "x" * (1 << 20)})
        self.assert_asks(flow)
        # Otherwise, the next command of the script could not be executed.
        flow = self.world.flow("page-sh", id="long")
        flow.shows("page")
        with self.assertRaisesRegex(Refused, "must not be larger than 64 KiB"):
            self.delegate(flow, "submit", dict.fromkeys(NAMES[:LINES + AREAS], "x" * (1 << 13)))
        flow.shows("page")
        flow = self.world.flow("secret-sh", id="secret")
        flow.shows("secret")
        with self.assertRaisesRegex(Refused, "the secret pin, which is too long"):
            self.delegate(flow, "submit", {"pin": "'" * 4097})
        self.delegate(flow, "submit", {"pin": "'" * 4096})
        flow.shows(None)
        self.assertEqual((set(self.noted("secret")), (self.out / "secret.pin").read_bytes()), ({("kept", b"yes")}, b"'" * 4096))
        with self.assertRaisesRegex(Refused, "the input has more than 127 KiB"):
            self.world.flow("link-sh", id="long", i0="x" * (1 << 17))
        link = self.run_tool("open", "--yes", "--no-wait", f"coordinator:link-sh?id=long&i0={'x' * 8192}")
        self.assertEqual(link.returncode, 64)
        self.assertIn(b"it is longer than 8192 bytes", link.stderr)
        file = self.world.home / "long.yaml"
        file.write_text(f"flow: kid-sh\ninput: {{ id: long }}\nanswers: {{ kid-sh: {{ kid: {{ text: {'x' * (1 << 18)} }} }} }}\n")
        done = self.run_tool("answer", file)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"is longer than 262144 bytes", done.stderr)
        with contextlib.closing(Browser(self, self.source)) as browser:
            flow, _ = self.kid()
            page, path = browser.page_of(flow)
            answer, _ = browser.request("POST", path, b"token=x&field.text=" + b"x" * (1 << 18))
            self.assertEqual(answer.status, 413)
            self.assert_asks(flow)
        self.assertFalse((self.out / "long").exists())

    @unittest.skipUnless(ALL, "in the long form")
    def test_a_line_over_the_limit_is_refused_as_a_whole(self):
        """The text after the first MiB of a line is not a separate answer."""
        flow = self.world.flow("line-sh", id="split")
        flow.shows("line")
        line = "=" + "x" * (1 << 20) + f"; touch {self.ran}\n"
        self.executed([BINARIES / "coordinator-tui", "--linear", flow.path.rpartition("/")[2]], line)
        flow.settle()
        self.assertEqual(self.noted("split"), [])
        self.assertEqual(flow.top["name"], "line")

    def test_a_line_end_makes_no_value_of_its_own(self):
        flow = self.world.flow("twins-sh", id="lines")
        flow.shows("rows")
        for text in ("a\nb", "a\rb", "a\n", "\n", "a\r\nb"):
            with self.subTest(text=text), self.assertRaisesRegex(Refused, "InvalidPayload"):
                self.delegate(flow, "submit", {"l": ["x", text]})
        flow.shows("rows")
        flow.dismiss()

    def test_forms_that_could_set_other_variables_are_refused(self):
        """Before any question is shown."""
        forms = {
            "--text a --text b": "--assignments", "--text PATH --assignments": "PATH",
            "--text a-b --text a_b --assignments": "same variable",
            "--text a --action other=Other": "--assignments", "--text action --text b --action other=Other --assignments": "action",
            "--text path --text b --assignments": "path"}
        for number, (form, reason) in enumerate(forms.items()):
            head = SHELL.format(shell="/bin/sh", title="Guard", inputs="")
            self.world.write(f"guard-{number}", f"{head}ask form x X {form}\nask finish\n")
        names = {f"guard-{n}" for n in range(len(forms))}
        self.world.until(lambda: names <= {one["name"] for one in self.world.manager("ListFlows")}, "the guards")
        for number, (form, reason) in enumerate(forms.items()):
            with self.subTest(form), self.assertRaisesRegex(Refused, f"usage: .*{reason}"):
                self.world.flow(f"guard-{number}", id="guard")
