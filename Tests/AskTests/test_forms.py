"""Each kind of field reaches the engine as the schema that its options describe."""

import unittest

from fake_engine import Engine, finish, run_alone

FORMATS = {"date": "date", "time": "time-local", "date-time": "date-time", "duration": "duration", "email": "email", "phone": "phone",
           "host": "hostname", "ip": "ip", "url": "uri", "file": "file-path", "uuid": "uuid"}
SUBMIT = {"id": "submit", "role": "primary", "title": "Continue"}


class FormTests(unittest.TestCase):
    def asked(self, *words):
        with Engine() as engine:
            process = engine.start("ask", "form", "account", "Your account", *words)
            connection = engine.accept()
            connection.done()
            self.assertEqual(finish(process), ("", "", 0))
            return connection.message

    def field(self, *words):
        return next(iter(self.asked(*words)["screen"]["schema"]["properties"].values()))

    def test_a_form_has_fields_in_order_values_and_actions(self):
        message = self.asked("--text", "login=Log-in name", "--value", "ada", "--secret", "pass-word", "--optional", "--flag", "b", "--cancel")
        self.assertEqual(message["output"], "assignments")
        self.assertEqual(message["screen"], {
            "actions": [SUBMIT, {"id": "cancel", "role": "cancel", "title": "Cancel"}], "fields": ["login", "pass-word", "b"],
            "kind": "form", "title": "Your account", "values": {"login": "ada"}, "schema": {"type": "object", "required": ["login", "b"],
                "properties": {"login": {"title": "Log-in name", "type": "string"}, "b": {"title": "B", "type": "boolean"},
                               "pass-word": {"title": "Pass word", "type": "string", "writeOnly": True}}}})

    def test_what_is_printed_depends_on_the_fields(self):
        for words, expected in (
            (["--text", "a"], "value"), (["--text", "a", "--secret", "b"], "value"), (["--secret", "b"], "status"), ([], "status"),
            (["--text", "a", "--text", "b"], "assignments"), (["--text", "a", "--action", "x=X"], "assignments"),
            (["--secret", "a", "--action", "x=X"], "assignments"), (["--text", "a", "--cancel"], "value"),
            (["--text", "a", "--assignments"], "assignments"), (["--text", "a", "--json"], "json"),
        ):
            with self.subTest(words):
                self.assertEqual(self.asked(*words)["output"], expected)

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
        message = self.asked("--several", "size", *options, "--count", "1..2", "--value", "s", "--value", "very large", "--value", "gone")
        self.assertEqual(message["screen"]["schema"]["properties"]["size"], {
            "items": {"oneOf": choices}, "maxItems": 2, "minItems": 1, "title": "Size", "type": "array", "uniqueItems": True})
        self.assertEqual(message["screen"]["values"], {"size": ["s", "very large"]})

    def test_lists_have_counts(self):
        for option, type in (("--texts", "string"), ("--integers", "integer"), ("--numbers", "number")):
            self.assertEqual(self.field(option, "a", "--count", "1.."), {"items": {"type": type}, "minItems": 1, "title": "A", "type": "array"})
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
                             "--text", "why", "--shown-if", "many=3", "--optional", "--integer", "many")
        schema = message["screen"]["schema"]
        self.assertEqual(schema["required"], ["kind", "many"])
        self.assertEqual(schema["properties"]["key"], {
            "title": "Key", "type": "string", "writeOnly": True, "x-required-if-shown": True, "x-shown-if": {"kind": ["wpa", "none"]}})
        self.assertEqual(schema["properties"]["why"], {"title": "Why", "type": "string", "x-shown-if": {"many": [3]}})

    def test_messages_may_be_about_a_field(self):
        message = self.asked("--error", "login=is taken", "--error", "a=b", "--error", "", "--text", "login", "--submit", "go=Go")
        self.assertEqual(message["screen"]["messages"], [
            {"code": "error", "field": "login", "level": "error", "text": "is taken"}, {"code": "error", "level": "error", "text": "a=b"}])
        self.assertEqual(message["screen"]["actions"], [{"id": "go", "role": "primary", "title": "Go"}])

    def test_an_empty_value_is_none(self):
        self.assertEqual(self.asked("--text", "a", "--value", "", "--integer", "b", "--value", "")["screen"]["values"], {})

    def test_what_is_wrong_with_a_field_is_said(self):
        for words, reason in (
            (["--text", "a b"], "'a b'"), (["--text", "a", "--text", "a"], "'a' occurs twice"), (["--length", "1"], "follows the field"),
            (["--text", "a", "--length", "x"], "--length takes MIN..MAX"), (["--text", "a", "--length", ".."], "MIN..MAX"),
            (["--text", "a", "--length", "-1..2"], "MIN..MAX"), (["--text", "a", "--range", "1"], "numbers"), (["--text", "a", "--length", ""], "MIN"),
            (["--integer", "a", "--value", "x"], "must be a whole number"), (["--integer", "a", "--value", "1.5"], "whole"),
            (["--number", "a", "--value", "01"], "must be a number"), (["--number", "a", "--value", "NaN"], "number"),
            (["--flag", "a", "--value", "maybe"], "true or false"), (["--choice", "a"], "--option"), (["--text", "a", "--option", "x=X"], "--choice"),
            (["--choice", "a", "--option", "x=X", "--option", "x=Y"], "twice"), (["--secret", "a", "--value", "x"], "no --value"),
            (["--text", "a", "--count", "1"], "--several"), (["--integer", "a", "--length", "1"], "texts"), (["--integer", "a", "--pattern", "1"], "texts"),
            (["--schema", "a=[]"], "KEY=JSON"), (["--schema", "a={"], "KEY=JSON"), (["--schema", "a"], "KEY=JSON"),
            (["--text", "a", "--shown-if", "b=1"], "no other field"), (["--text", "a", "--shown-if", "a=1"], "no other field"),
            (["--flag", "b", "--text", "a", "--shown-if", "b=1"], "true or false"), (["--submit", "a=A", "--submit", "b=B"], "one --submit"),
            (["--integer", "a", "--example", "x"], "--example"), (["more"], "one word too many"),
        ):
            with self.subTest(words):
                done = run_alone("form", "account", "Your account", *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(reason, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
