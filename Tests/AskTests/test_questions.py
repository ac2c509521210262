"""Each kind of question reaches the engine as the screen that its command line describes."""

import unittest

from fake_engine import Engine, digest, finish, run_alone

OKAY = {"id": "okay", "role": "primary", "title": "Okay"}


class QuestionTests(unittest.TestCase):
    def asked(self, *words, output=b"", status=0, notice="", **options):
        """The message that a command sends; the answer is printed as it comes."""
        with Engine() as engine:
            process = engine.start("ask", *words, **options)
            connection = engine.accept()
            connection.done(output, status)
            self.assertEqual(finish(process), (output.decode(), notice, status))
            self.assertEqual(engine.count, 1)
            message = connection.message
            self.assertEqual((message.pop("run"), message.pop("entry")), (7, 0))
            if "screen" in message:
                self.assertEqual(message.pop("digest"), digest(message["screen"]))
            return message

    def screen(self, *words, **options):
        return self.asked(*words, **options)["screen"]

    def test_a_menu_has_actions_and_prints_what_was_chosen(self):
        message = self.asked("menu", "size", "How large?", "small=Small", "large=Large = huge", output=b"large\n")
        self.assertEqual(message, {"ask": "size", "output": "value", "screen": {
            "actions": [{"id": "small", "role": "normal", "title": "Small"}, {"id": "large", "role": "normal", "title": "Large = huge"}],
            "kind": "menu", "title": "How large?"}})

    def test_actions_have_roles_and_details(self):
        screen = self.screen(
            "menu", "disk", "What now?", "--primary", "keep=Keep", "--summary", "Nothing happens.", "--destructive=erase=Erase", "--sure",
            "Erase it?", "--action", "more=More", "--disabled", "Not yet.", "--cancel=Leave")
        self.assertEqual(screen["actions"], [
            {"id": "keep", "role": "primary", "summary": "Nothing happens.", "title": "Keep"},
            {"confirm": "Erase it?", "id": "erase", "role": "destructive", "title": "Erase"},
            {"disabled": "Not yet.", "id": "more", "role": "normal", "title": "More"}, {"id": "cancel", "role": "cancel", "title": "Leave"}])

    def test_an_action_that_cancels_may_have_an_id(self):
        screen = self.screen("message", "wait", "Wait", "--cancel=stop=Stop it")
        self.assertEqual(screen["actions"], [{"id": "stop", "role": "cancel", "title": "Stop it"}])

    def test_all_that_a_screen_can_have(self):
        screen = self.screen(
            "message", "done", "Done", "All is well.", "--accent", "#12aBcd", "--step", "2/5", "--qr", "https://example.org/", "--info", "One",
            "--warning", "", "--error", "Two", "--paragraph", "Text", "--bullet", "Point", "--verbatim", "  code")
        self.assertEqual(screen, {
            "accent": "#12aBcd", "actions": [OKAY], "body": "All is well.", "kind": "message", "title": "Done",
            "blocks": [{"kind": kind, "spans": [{"text": text}]} for kind, text in
                       (("paragraph", "All is well."), ("paragraph", "Text"), ("bullet", "Point"), ("verbatim", "  code"))],
            "messages": [{"code": "info", "level": "info", "text": "One"}, {"code": "error", "level": "error", "text": "Two"}],
            "picture": {"code": "https://example.org/"}, "step": {"count": 5, "number": 2}})

    def test_a_picture_is_sent_as_it_is(self):
        with Engine() as engine:
            for name, content, type, encoded in (
                ("a.png", b"\x89PNG\r\n\x1a\n\0", "image/png", "iVBORw0KGgoA"), ("b.jpeg", b"\xff\xd8\xff\0", "image/jpeg", "/9j/AA=="),
                ("c.jpeg", b"\xff\xd8\xff\0\0", "image/jpeg", "/9j/AAA="),
            ):
                (engine.directory / name).write_bytes(content)
                process = engine.start("ask", "message", "look", "Look", "--picture", f"{name}=A cat")
                connection = engine.accept()
                connection.done()
                self.assertEqual(finish(process)[2], 0)
                self.assertEqual(connection.message["screen"]["picture"], {"base64": encoded, "description": "A cat", "type": type})

    def test_a_message_with_one_action_prints_nothing_and_with_several_the_id(self):
        self.assertEqual(self.asked("message", "done", "Done")["output"], "status")
        message = self.asked("message", "done", "Done", "Body", "a=A", "b=B", output=b"b\n")
        self.assertEqual((message["output"], message["screen"]["body"], len(message["screen"]["actions"])), ("value", "Body", 2))
        message = self.asked("message", "done", "Done", "okay=Fine")
        self.assertEqual((message["output"], message["screen"].get("body")), ("status", None))

    def test_a_confirmation_is_a_menu_of_yes_and_no(self):
        message = self.asked("confirm", "sure", "Sure?", "--yes", "Erase", "--no=Keep", "--destructive", status=1)
        self.assertEqual(message, {"ask": "sure", "output": "status", "screen": {"kind": "menu", "title": "Sure?", "actions": [
            {"id": "yes", "role": "destructive", "title": "Erase"}, {"id": "no", "role": "normal", "title": "Keep"}]}})

    def test_a_list_has_rows_and_actions(self):
        message = self.asked(
            "list", "disk", "Which disk?", "sda=System", "--subtitle", "500 GB", "--group", "Inside", "--disabled", "In use", "sdb=USB",
            "--action", "again=Look again", "--initial", "sdb", "--initial", "gone", output=b"sdb\n",
            notice="ask: list disk: the --initial 'gone' is not among the rows, and is left out\n")
        self.assertEqual(message["output"], "value")
        self.assertEqual(message["screen"], {
            "actions": [{"id": "again", "role": "normal", "title": "Look again"}], "choosing": {"initial": ["sdb"]}, "kind": "list",
            "items": [{"disabled": "In use", "group": "Inside", "id": "sda", "subtitle": "500 GB", "title": "System"},
                      {"id": "sdb", "title": "USB"}], "title": "Which disk?"})

    def test_several_rows_may_be_chosen(self):
        for word, expected in (("--multiple", {"max": 2, "min": 0}), ("--multiple=1-2", {"max": 2, "min": 1}),
                               ("--multiple=2", {"max": 2, "min": 2}), ("--multiple=1-", {"max": 2, "min": 1}),
                               ("--multiple=-1", {"max": 1, "min": 0})):
            with self.subTest(word):
                screen = self.screen("list", "disks", "Which?", word, "a=A", "b=B", output=b"a\nb\n")
                self.assertEqual(screen["choosing"], expected)

    def test_rows_come_from_the_standard_input(self):
        rows = b"home\n\nwork wifi\tAt work\tstrong\tNear\nhome\ncaf\xe9\n" + b"last"
        with Engine() as engine:
            (engine.directory / "rows").write_bytes(rows)
            process = engine.start("ask list network 'Which network?' again='Look again' --items=- <rows")
            connection = engine.accept()
            connection.done("home\n")
            self.assertEqual(finish(process), ("home\n", "", 0))
            screen = connection.message["screen"]
        self.assertEqual(screen["actions"], [{"id": "again", "role": "normal", "title": "Look again"}])
        self.assertEqual(screen["items"], [
            {"id": "home", "title": "home"}, {"group": "Near", "id": "work wifi", "subtitle": "strong", "title": "At work"},
            {"id": "caf�", "title": "caf�"}, {"id": "last", "title": "last"}])

    def test_timeouts_have_defaults(self):
        message = self.asked("menu", "a", "A", "x=X", "y=Y", "--timeout", "60", "--default", "y")
        self.assertEqual((message["timeout"], message["default"]), (60, {"event": "y", "payload": {}}))
        message = self.asked("list", "a", "A", "x=X", "--timeout", "1.5", "--default", "x")
        self.assertEqual((message["timeout"], message["default"]), (1.5, {"event": "select", "payload": {"id": "x"}}))
        message = self.asked("list", "a", "A", "x=X", "y=Y", "--multiple", "--timeout", "1", "--default", "x", "--default", "y")
        self.assertEqual(message["default"], {"event": "select", "payload": {"ids": ["x", "y"]}})
        message = self.asked("form", "a", "A", "--integer", "n", "--value", "3", "--timeout", "1", "--default", "submit")
        self.assertEqual(message["default"], {"event": "submit", "payload": {"n": 3}})
        message = self.asked("confirm", "a", "A", "--timeout", "1", "--default", "no", status=1)
        self.assertEqual(message["default"], {"event": "no", "payload": {}})
        self.assertNotIn("default", self.asked("menu", "a", "A", "x=X", "--timeout", "5", status=124))

    def test_the_default_is_where_the_cursor_begins(self):
        menu = ("menu", "a", "A", "x=X", "y=Y")
        message, plain = self.asked(*menu, "--default", "y"), self.asked(*menu)
        self.assertEqual(message["screen"], plain["screen"] | {"default": "y"})
        self.assertNotIn("default", message)
        self.assertEqual(self.asked("confirm", "a", "A", "--destructive", "--default", "no", status=1)["screen"]["default"], "no")
        self.assertEqual(self.asked("list", "a", "A", "x=X", "--action", "b=B", "--default", "b")["screen"]["default"], "b")
        self.assertEqual(self.asked(*menu, "--timeout", "9", "--default", "y")["screen"]["default"], "y")

    def test_a_default_that_is_no_longer_among_the_rows_is_left_out(self):
        for words in ([], ["--timeout", "5"]):
            with self.subTest(words), Engine() as engine:
                process = engine.start("ask list network 'Which network?' --items=- --default gone " + " ".join(words) + " <<'END'\nhome\nEND")
                connection = engine.accept()
                connection.done("home\n")
                self.assertEqual(finish(process), ("home\n", "ask: list network: the --default 'gone' is not among the rows, and is left out\n", 0))
                self.assertNotIn("default", connection.message)
                self.assertNotIn("default", connection.message["screen"])

    def test_the_cursor_never_begins_where_enter_would_destroy_something(self):
        message = self.asked("menu", "a", "A", "x=X", "--destructive", "y=Y", "--timeout", "9", "--default", "y")
        self.assertEqual((message["default"]["event"], "default" in message["screen"]), ("y", False))

    def test_text_is_valid_whatever_the_words_contain(self):
        title = b'"\\\t\x01\x7f\xc3\xa4\xff\xed\xa0\x80\xf0\x9f\x98\x80\xf4\x90\x80\x80\xc0\xaf'
        message = self.asked(b"message".decode(), "a", title.decode("utf-8", "surrogateescape"))
        self.assertEqual(message["screen"]["title"], '"\\\t\x01\x7fä�' + "�" * 3 + "😀" + "�" * 4 + "�" * 2)

    def test_json_is_asked_for(self):
        self.assertEqual(self.asked("menu", "a", "A", "x=X", "--json")["output"], "json")

    def test_what_is_wrong_is_said_in_one_sentence_with_the_right_usage(self):
        for words, reason in (
            (["menu", "a", "A"], "nothing to choose"), (["menu", "a b", "A", "x=X"], "'a b' is not made of"), (["menu", "", "A", "x=X"], "''"),
            (["menu", "ä", "A", "x=X"], "'ä'"), (["menu", "a", "A", "x"], "'x' is not ID=TITLE"), (["menu", "a", "A", "=X"], "no id"),
            (["menu", "a", "A", "x=X", "x=Y"], "'x' occurs twice"), (["menu"], "name is missing"), (["menu", "a"], "title is missing"),
            (["menu", "a", "A", "x=X", "--colour"], "menu a: there is no option '--colour': ask menu --help"), (["menu", "a", "A", "x=X", "-v"], "no option '-v'"),
            (["menu", "a", "A", "x=X", "--body"], "--body needs a value"), (["menu", "a", "A", "x=X", "--json=1"], "--json takes no value"),
            (["menu", "a", "A", "x=X", "--default", "z"], "menu a: the --default 'z' cannot be chosen, but only x"),
            (["menu", "a", "A", "x=X", "--destructive", "y=Y", "--default", "y"], "'y' is destructive"),
            (["form", "a", "A", "--text", "b", "--default", "submit"], "--value"),
            (["list", "a", "A", "x=X", "--multiple", "--default", "x"], "--initial"), (["menu", "a", "A", "x=X", "--timeout", "1", "--default", "z"], "'z'"),
            (["menu", "a", "A", "x=X", "--timeout", "-1"], "the --timeout '-1' is not a number of seconds"), (["menu", "a", "A", "x=X", "--timeout", "0"], "seconds"),
            (["menu", "a", "A", "x=X", "--accent", "red"], "#RRGGBB"), (["menu", "a", "A", "x=X", "--step", "3/2"], "the --step '3/2' is neither NUMBER nor NUMBER/COUNT"),
            (["menu", "a", "A", "x=X", "--picture", "no=no"], "cannot be read"), (["menu", "a", "A", "--sure", "Q"], "the --sure 'Q' follows no ID=TITLE"),
            (["menu", "a", "A", "x=X", "--picture", "/proc/self/cmdline=x"], "neither PNG nor JPEG"),
            (["menu", "a", "A", "x=X", "--picture", "/dev/zero=x"], "256 KiB"),
            (["menu", "a", "A", "--primary", "x=X", "--primary", "y=Y"], "only one"),
            (["list", "a", "A", "x=X", "--multiple=3-1"], "MIN-MAX"), (["list", "a", "A", "x=X", "--multiple=x"], "MIN-MAX"),
            (["list", "a", "A", "--items", "file"], "'-'"), (["list", "a", "A", "x=X", "x=Y"], "twice"),
            (["list", "a", "A", "x=X", "--sure", "Q"], "--sure"), (["list", "a", "A", "--group", "Q"], "follows"),
            (["confirm", "a", "A", "B"], "'B' is one word too many"), (["message", "a", "A", "B", "C"], "'C' is not ID=TITLE"),
            (["menu", "a" * 256, "A"], "has 256 characters"), (["nonsense"], "no command 'nonsense': ask --help"), ([], "command is missing"),
        ):
            with self.subTest(words):
                done = run_alone(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(reason, done.stderr)
                self.assertRegex(done.stderr, r"\Aask: [^\n]*; use: ask [^\n]*, such as: [^\n]*ask [^\n]*\n\Z")

    def test_typed_text_is_never_an_option_of_ask(self):
        for words in (
            ["confirm", "sure"], ["message", "seen"], ["menu", "size", None, "small=Small"], ["list", "disk", None, "a=A"], ["form", "f", None, "--text", "a"],
        ):
            for typed in ("--help", "--json", "--timeout=1", "--picture=/etc/passwd=x", "--yes", "-n", "--items=-", "a=b", "--", ""):
                with self.subTest(words=words, typed=typed), Engine() as engine:
                    words_now = [typed if word is None else word for word in words] if None in words else [*words, typed]
                    process = engine.start("ask", *words_now)
                    connection = engine.accept()
                    self.assertEqual(connection.message["screen"]["title"], typed)
                    connection.stop()
                    finish(process)

    def test_help_is_no_answer(self):
        # A script would take the status 0 for yes.
        for words in (["confirm", "sure", "Sure?", "--help"], ["message", "a", "A", "--help"], ["step", "--help"], ["finish", "--help"], ["run", "--help"]):
            with self.subTest(words), Engine() as engine:
                process = engine.start("ask", *words)
                connection = engine.accept()
                self.assertIn("behind '--'", connection.message["crash"]["message"])
                connection.done(status=2)
                self.assertEqual(finish(process)[::2], ("", 2))

    def test_a_text_with_an_equals_sign_is_the_body_of_a_message(self):
        for body in ("/tmp/x=y contains sda", "The device is in the network x=y.", "=", "é=x", "--body=x"):
            with self.subTest(body), Engine() as engine:
                process = engine.start("ask", "message", "done", "Done", *(["--"] if body.startswith("-") else []), body)
                connection = engine.accept()
                screen = connection.message["screen"]
                self.assertEqual((screen["body"], [action["id"] for action in screen["actions"]]), (body, ["okay"]))
                connection.stop()
                finish(process)

    def test_a_text_behind_dashes_is_a_body_or_a_message_whatever_it_looks_like(self):
        for body in ("admin=Press me", "yes=No", "--help", "--"):
            with self.subTest(body), Engine() as engine:
                process = engine.start("ask", "message", "m", "Offer", "--", body, "yes=Yes", "no=No")
                connection = engine.accept()
                screen = connection.message["screen"]
                self.assertEqual((screen["body"], [action["id"] for action in screen["actions"]]), (body, ["yes", "no"]))
                connection.stop()
                finish(process)
            with self.subTest(body):
                self.assertEqual(run_alone("fail", "bad", "--", body).stderr, f"bad: {body}\n")
        self.assertEqual(run_alone("fail", "bad", "--").stderr, "bad: --\n")

    def test_a_row_never_means_an_action(self):
        with Engine() as engine:
            process = engine.start("printf 'home\\nagain\\n' | ask list network 'Which network?' --items=- again='Look again'")
            connection = engine.accept()
            rows = connection.message["screen"]["items"]
            self.assertEqual([(row["id"], "disabled" in row) for row in rows], [("home", False), ("again", True)])
            connection.stop()
            finish(process)
        with Engine() as engine:
            process = engine.start("ask", "list", "a", "A", "x\ny=B")
            self.assertIn("printed on a line", engine.accept().message["crash"]["message"])
            engine.connections[0].stop()
            finish(process)


if __name__ == "__main__":
    unittest.main()
