"""Each kind of field reaches the engine as the schema that its options describe."""

import unittest

from fake_engine import Engine, finish, run_alone

FORMATS = {"date": "date", "time": "time-local", "date-time": "date-time", "duration": "duration", "email": "email", "phone": "phone",
           "host": "hostname", "ip": "ip", "url": "uri", "file": "file-path", "uuid": "uuid"}
SUBMIT = {"id": "submit", "role": "primary", "title": "Continue"}


class FormTests(unittest.TestCase):
    def asked(self, *words, notice="", **options):
        with Engine(**options) as engine:
            process = engine.start("ask", "form", "account", "Your account", *words)
            connection = engine.accept()
            connection.done()
            self.assertEqual(finish(process), ("", notice, 0))
            return connection.message

    def field(self, *words):
        return next(iter(self.asked(*words)["screen"]["schema"]["properties"].values()))

    def test_a_form_has_fields_in_order_values_and_actions(self):
        message = self.asked(
            "--text", "login=Log-in name", "--value", "ada", "--secret", "pass-word", "--optional", "--flag", "b", "--cancel", "--assignments")
        self.assertEqual(message["output"], "assignments")
        self.assertEqual(message["screen"], {
            "actions": [SUBMIT, {"id": "cancel", "role": "cancel", "title": "Cancel"}], "fields": ["login", "pass-word", "b"],
            "kind": "form", "title": "Your account", "values": {"login": "ada"}, "schema": {"type": "object", "required": ["login", "b"],
                "properties": {"login": {"minLength": 1, "title": "Log-in name", "type": "string"}, "b": {"title": "B", "type": "boolean"},
                               "pass-word": {"title": "Pass word", "type": "string", "writeOnly": True}}}})

    def test_assignments_are_printed_only_if_they_are_asked_for(self):
        for words, expected in (
            (["--text", "a"], "value"), (["--text", "a", "--secret", "b"], "value"), (["--secret", "b"], "status"), ([], "status"),
            (["--text", "a", "--cancel"], "value"), (["--text", "a", "--assignments"], "assignments"), (["--text", "a", "--json"], "json"),
            (["--text", "a", "--text", "b", "--assignments"], "assignments"), (["--text", "a", "--action", "x=X", "--assignments"], "assignments"),
            (["--secret", "a", "--assignments"], "assignments"), (["--text", "a", "--text", "b", "--json"], "json"),
        ):
            with self.subTest(words):
                self.assertEqual(self.asked(*words)["output"], expected)
        for words, reason in (
            (["--text", "a", "--text", "b"], "several fields prints them only with --assignments"),
            (["--text", "a", "--action", "x=X"], "several actions"), (["--secret", "a", "--action", "x=X"], "several actions"),
            (["--text", "a", "--json", "--assignments"], "exclude each other"), (["--assignments", "--text", "a", "--json"], "exclude each other"),
        ):
            with self.subTest(words), Engine() as engine:
                process = engine.start("ask", "form", "account", "Your account", *words)
                self.assertIn(reason, engine.accept().message["crash"]["message"])
                engine.connections[0].done(status=2)
                self.assertEqual(finish(process)[::2], ("", 2))

    def test_a_run_that_was_begun_before_prints_what_it_printed_then(self):
        for words, expected in (
            (["--text", "a"], "value"), (["--text", "a", "--text", "b"], "assignments"), (["--text", "a", "--action", "x=X"], "assignments"),
            (["--secret", "a", "--action", "x=X"], "assignments"), (["--text", "PATH", "--text", "IFS"], "assignments"),
            (["--text", "a", "--json", "--assignments"], "assignments"),
        ):
            for features in ("", "undo-words", "assignments-of-another-kind"):
                with self.subTest(words, features=features):
                    self.assertEqual(self.asked(*words, features=features)["output"], expected)

    def test_no_answer_sets_a_variable_of_the_shell_or_one_twice(self):
        for words, reason in (
            *((["--text", name], f"'{name}' would set the variable") for name in (
                "PATH", "IFS", "LD_PRELOAD", "LD-PRELOAD", "PS4", "ENV", "BASH_ENV", "HOME", "COORDINATOR_SOCKET", "1", "_",
                "http_proxy", "https-proxy", "all.proxy", "path", "fpath", "cdpath")),
            (["--text", "a-b", "--text", "a_b"], "'a-b' and 'a_b' would set the same variable a_b"),
            (["--text", "1a", "--flag", "_1a"], "the same variable _1a"), (["--text", "action", "--action", "x=X"], "'action' and 'action'"),
        ):
            with self.subTest(words):
                done = run_alone("form", "account", "Your account", "--assignments", *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(reason, done.stderr)
        for words in (["--text", "action", "--cancel"], ["--secret", "PATH", "--text", "a"], ["--text", "a", "--text", "pathname", "--text", "Path"]):
            with self.subTest(words):
                self.assertEqual(self.asked("--assignments", *words)["output"], "assignments")
        self.assertEqual(self.asked("--text", "PATH")["output"], "value")

    def test_texts_have_lengths_patterns_and_hints(self):
        self.assertEqual(
            self.field("--multiline", "a", "--length", "1-64", "--pattern", "^[a-z]", "--message", "Use small letters", "--help-text", "Help",
                       "--example", "ada", "--purpose", "username"),
            {"description": "Help", "examples": ["ada"], "maxLength": 64, "minLength": 1, "pattern": "^[a-z]", "title": "A", "type": "string",
             "x-message": "Use small letters", "x-multiline": True, "x-purpose": "username"})
        self.assertEqual(self.field("--secret", "a", "--length", "8..", "--revealable"),
                         {"minLength": 8, "title": "A", "type": "string", "writeOnly": True, "x-revealable": True})
        self.assertEqual(self.field("--text", "a", "--length", "-63")["maxLength"], 63)
        self.assertEqual(self.field("--text", "a", "--length", "4"), {"maxLength": 4, "minLength": 4, "title": "A", "type": "string"})

    def test_numbers_have_ranges_and_units(self):
        self.assertEqual(self.field("--integer", "a", "--range", "-5..5", "--unit", "GB"),
                         {"maximum": 5, "minimum": -5, "title": "A", "type": "integer", "x-unit": "GB"})
        self.assertEqual(self.field("--number", "a", "--range", "0.5-1e3"), {"maximum": 1000, "minimum": 0.5, "title": "A", "type": "number"})
        self.assertEqual(self.field("--number", "a", "--range", "..-1"), {"maximum": -1, "title": "A", "type": "number"})
        self.assertEqual(self.asked("--number", "a", "--value", "-1.5")["screen"]["values"], {"a": -1.5})

    def test_choices_have_titles(self):
        choices = [{"const": "s", "title": "Small"}, {"const": "very large", "title": "Large"}]
        options = ["--option", "s=Small", "--option", "very large=Large"]
        self.assertEqual(self.field("--choice", "size", *options), {"oneOf": choices, "title": "Size"})
        message = self.asked("--several", "size", *options, "--count", "1..2", "--value", "s", "--value", "very large", "--value", "gone",
                             notice="ask: form account: the --value 'gone' of 'size' is not among its choices, and is left out\n")
        self.assertEqual(message["screen"]["schema"]["properties"]["size"], {
            "items": {"oneOf": choices}, "maxItems": 2, "minItems": 1, "title": "Size", "type": "array", "uniqueItems": True})
        self.assertEqual(message["screen"]["values"], {"size": ["s", "very large"]})

    def test_a_text_that_is_not_optional_needs_a_character(self):
        for words, expected in (
            (["--text", "a"], 1), (["--multiline", "a"], 1), (["--text", "a", "--length", "..9"], 1), (["--text", "a", "--length", "0..9"], 0),
            (["--text", "a", "--optional"], None), (["--secret", "a"], None), (["--email", "a"], None), (["--texts", "a"], None),
        ):
            with self.subTest(words):
                self.assertEqual(self.field(*words).get("minLength"), expected)

    def test_lists_have_counts(self):
        for option, items in (("--texts", {"type": "string"}), ("--integers", {"type": "integer"}), ("--numbers", {"type": "number"})):
            # Each value is printed on a line, so none has several.
            items |= {"pattern": "^[^\\n\\r]*$"} if option == "--texts" else {}
            self.assertEqual(self.field(option, "a", "--count", "1.."), {"items": items, "minItems": 1, "title": "A", "type": "array"})
        self.assertEqual(self.field("--texts", "a", "--pattern", "^[a-z]*$")["items"]["pattern"], "^[a-z]*$")
        with Engine(features="") as engine:
            engine.start("ask", "form", "a", "A", "--texts", "a")
            connection = engine.accept()
            self.assertNotIn("pattern", connection.message["screen"]["schema"]["properties"]["a"]["items"])
            connection.stop()
        self.assertEqual(self.asked("--integers", "a", "--value", "1", "--value", "2")["screen"]["values"], {"a": [1, 2]})

    def test_formats_have_options_of_their_own(self):
        for option, format in FORMATS.items():
            self.assertEqual(self.field(f"--{option}", "a"), {"format": format, "title": "A", "type": "string"})

    def test_any_schema_can_be_given_as_json(self):
        message = self.asked("--schema", 'a={ "title" : "A","type":"array","items":{"type":"object"}}', "--value", '[{"b":1}]')
        self.assertEqual(message["screen"]["schema"]["properties"]["a"], {"title": "A", "type": "array", "items": {"type": "object"}})
        self.assertEqual(message["screen"]["values"], {"a": [{"b": 1}]})

    def test_fields_are_shown_at_times(self):
        message = self.asked("--choice", "kind", "--option", "wpa=WPA", "--option", "none=None", "--secret", "key", "--shown-if", "kind=wpa,none",
                             "--text", "why", "--shown-if", "many=3", "--optional", "--integer", "many", "--json")
        schema = message["screen"]["schema"]
        self.assertEqual(schema["required"], ["kind", "many"])
        self.assertEqual(schema["properties"]["key"], {
            "title": "Key", "type": "string", "writeOnly": True, "x-required-if-shown": True, "x-shown-if": {"kind": ["wpa", "none"]}})
        self.assertEqual(schema["properties"]["why"], {"title": "Why", "type": "string", "x-shown-if": {"many": [3]}})

    def test_a_text_or_a_secret_is_typed_twice(self):
        message = self.asked("--secret", "again", "--same-as", "password", "--secret", "password", "--email", "mail", "--text", "check",
                             "--same-as", "mail", "--shown-if", "mail=x", "--json")
        properties = message["screen"]["schema"]["properties"]
        self.assertEqual(properties["again"], {"title": "Again", "type": "string", "writeOnly": True, "x-same-as": "password"})
        self.assertEqual([key for key in properties["check"]], ["minLength", "title", "type", "x-required-if-shown", "x-same-as", "x-shown-if"])

    def test_messages_may_be_about_a_field(self):
        message = self.asked("--error", "login=is taken", "--error", "a=b", "--error", "", "--error", "login=", "--text", "login", "--submit", "go=Go")
        self.assertEqual(message["screen"]["messages"], [
            {"code": "error", "field": "login", "level": "error", "text": "is taken"}, {"code": "error", "level": "error", "text": "a=b"}])
        self.assertEqual(message["screen"]["actions"], [{"id": "go", "role": "primary", "title": "Go"}])

    def refuses(self, words, reason):
        done = run_alone("form", "account", "Your account", *words)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(reason, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_numbers_that_no_double_holds_are_refused_by_name(self):
        for words, reason in (
            (["--number", "a", "--value", "1e999"], "the --value '1e999' of 'a' must be a number"),
            (["--number", "a", "--range", "1..1e999"], "the --range '1..1e999' of 'a' is not MIN..MAX"),
            (["--number", "a", "--example", "-1e999"], "the --example '-1e999' of 'a' must be a number"),
            (["--schema", 'a={"type":"number","title":"A","maximum":1e999}'], "KEY=JSON"),
        ):
            with self.subTest(words):
                self.refuses(words, reason)

    def test_a_number_that_would_lose_digits_is_refused_by_name(self):
        for kind, number, reason in (
            ("--integer", "9223372036854775808", "must be from -9223372036854775808 to 9223372036854775807"),
            ("--number", "92233720368547758079", "more digits"), ("--number", "9007199254740993.5", "more digits"),
            ("--number", "0.1234567890123456789", "more digits"),
        ):
            with self.subTest(number):
                self.refuses([kind, "a", "--value", number], f"the --value '{number}' of 'a' ")
                self.refuses([kind, "a", "--example", number], reason)
        for number in ("9007199254740993", "-9223372036854775808", "0.1", "1.50", "0.000", "12345678901234.5", "1e300", "-1.5e-7", "0.30000000000000004"):
            kind = "--number" if set(number) & {".", "e"} else "--integer"
            with self.subTest(number):
                self.assertEqual(self.asked(kind, "a", "--value", number)["screen"]["values"], {"a": float(number) if kind == "--number" else int(number)})

    def test_bounds_that_allow_nothing_are_refused_by_name(self):
        for words, reason in (
            (["--text", "a", "--length", "5..2"], "--length '5..2' of 'a' allows nothing"),
            (["--integer", "a", "--range", "5..2"], "--range '5..2' of 'a' allows nothing"),
            (["--number", "a", "--range", "0.5-0.25"], "--range '0.5-0.25' of 'a' allows nothing"),
            (["--texts", "a", "--count", "2..1"], "--count '2..1' of 'a' allows nothing"),
        ):
            with self.subTest(words):
                self.refuses(words, reason)

    def test_a_value_outside_of_the_bounds_is_shown_to_be_repaired(self):
        values = self.asked("--integer", "a", "--range", "5..", "--value", "2", "--number", "b", "--range", "..0.5", "--value", "0.75",
                            "--text", "c", "--length", "1..3", "--value", "ada l", "--json")["screen"]["values"]
        self.assertEqual(values, {"a": 2, "b": 0.75, "c": "ada l"})

    def test_an_empty_value_is_none(self):
        self.assertEqual(self.asked("--text", "a", "--value", "", "--integer", "b", "--value", "", "--json")["screen"]["values"], {})

    def test_what_is_wrong_with_a_field_is_said(self):
        for words, reason in (
            (["--text", "a b"], "'a b'"), (["--text", "a", "--text", "a"], "'a' occurs twice"), (["--length", "1"], "--length follows no field"),
            (["--text", "a", "--length", "x"], "the --length 'x' of 'a' is not MIN..MAX"), (["--text", "a", "--length", ".."], "MIN..MAX"),
            (["--text", "a", "--length", "-1..2"], "MIN..MAX"), (["--text", "a", "--range", "1"], "numbers"), (["--text", "a", "--length", ""], "MIN"),
            (["--integer", "a", "--value", "x"], "must be a whole number"), (["--integer", "a", "--value", "1.5"], "whole"),
            (["--number", "a", "--value", "01"], "must be a number"), (["--number", "a", "--value", "NaN"], "number"),
            (["--flag", "a", "--value", "maybe"], "true or false"), (["--choice", "a"], "--option"), (["--text", "a", "--option", "x=X"], "--choice"),
            (["--choice", "a", "--option", "x=X", "--option", "x=Y"], "twice"), (["--secret", "a", "--value", "x"], "form account: the secret 'a' has no --value"),
            (["--text", "a", "--count", "1"], "--several"), (["--integer", "a", "--length", "1"], "the --length of 'a', a --integer, is about texts"), (["--integer", "a", "--pattern", "1"], "texts"),
            (["--schema", "a=[]"], "KEY=JSON"), (["--schema", "a={"], "KEY=JSON"), (["--schema", "a"], "KEY=JSON"),
            (["--text", "a", "--shown-if", "b=1"], "no other field"), (["--text", "a", "--shown-if", "a=1"], "no other field"),
            (["--flag", "b", "--text", "a", "--shown-if", "b=1"], "true or false"), (["--submit", "a=A", "--submit", "b=B"], "one --submit"),
            (["--secret", "a", "--same-as", "b"], "no other field"), (["--secret", "a", "--same-as", "a"], "no other field"),
            (["--text", "a", "--same-as", "b", "--integer", "b"], "both must be texts"), (["--texts", "a", "--same-as", "b", "--text", "b"], "both must be texts"),
            (["--secret", "a", "--text", "b", "--same-as", "a"], "one of them is secret"), (["--same-as", "a"], "--same-as follows no field"),
            (["--integer", "a", "--example", "x"], "--example"), (["more"], "one word too many"),
        ):
            with self.subTest(words):
                self.refuses(words, reason)


if __name__ == "__main__":
    unittest.main()
