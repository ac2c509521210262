"""Texts from the result of a child, as values and as keys."""

import json

from play import CHILD, LANGUAGES, SHELLS
from texts import SEED, TEXTS, Texts
from ways import Bus
from world import Refused


class ChildTests:
    """Part of TextTests: the results of children."""

    def go(self, flow, id, **input):
        """Starts a flow, and answers its first question."""
        flow = self.world.flow(flow, id=id, **input)
        flow.shows("go")
        flow.send("go")
        return flow

    def test_the_result_of_a_child(self):
        """Children return the contents of a file, in JSON that is written in several ways."""
        for language in LANGUAGES:
            texts = Texts(Bus(self, self.source), self.source, self.pool)
            for child in dict.fromkeys(("py", CHILD[language])):
                values, value = [texts.take("area")[0] for _ in range(max(TEXTS // 2, 20))], texts.take("area")[0]
                id = f"parent-{language}-{child}"
                for key, content in (("v", values), ("w", value)):
                    text = json.dumps(content, ensure_ascii=bool(self.source.randrange(2)))
                    # Any character may be escaped.
                    text = text.replace("'", "\\u0027") if self.source.randrange(2) else text.replace("/", "\\/")
                    (self.out / f"{id}.{key}.json").write_text(text)
                with self.subTest(language=language, child=child, seed=SEED):
                    self.go(f"parent-{language}", id, child=f"given-{child}").shows(None)
                    self.compare(id, {
                        "none": "", "missing": "", "json": {"v": values, "w": value}, **dict.fromkeys(("value", "named-w", "all-w"), value),
                        **dict.fromkeys(("list", "named-v", "all-v"), "\n".join(values))})

    def test_what_is_no_text_in_the_result_of_a_child(self):
        # JSON that a shell script writes itself: bytes that are not characters become U+FFFD, and NULs, which variables cannot
        # contain, are left out.
        bad = {b'"a\\ud800b\\u0000c"': "a\ufffdbc", b'"a\xff\xc0\xa7; touch ran; b"': "a\ufffd\ufffd\ufffd; touch ran; b"}
        for number, (text, value) in enumerate(bad.items()):
            (self.out / f"bad-{number}.v.json").write_bytes(b"[]")
            (self.out / f"bad-{number}.w.json").write_bytes(text)
            self.go("parent-sh", f"bad-{number}", child="given-sh").shows(None)
            noted = {text for name, text in self.noted(f"bad-{number}") if name in ("value", "named-w", "all-w")}
            self.assertEqual(noted, {value.encode()})
            with self.assertRaisesRegex(Refused, "UnicodeEncodeError|UnicodeDecodeError"):
                self.go("parent-sh", f"bad-{number}", child="given-py")
        # In Python, a string may contain a NUL.
        (self.out / "nul-child.json").write_text('{"v": [], "w": "a\\u0000b"}')
        with self.assertRaisesRegex(Refused, "a string contains the character U\\+0000"):
            self.go("parent-sh", "nul-child", child="given-py")
        self.assertEqual(self.noted("nul-child"), [])

    def test_keys_of_a_child_that_look_alike(self):
        """The keys arrive, or stop the flow with a message."""
        result = {"v": [], "w": "x", "\u00e9": "one", "e\u0301": "two"}
        (self.out / "alike.json").write_text(json.dumps(result))
        try:
            flow = self.world.flow("given-py", id="alike")
            flow.settle(10)
        except Refused as refused:
            self.assertIn("a message of the script cannot be read", str(refused))
        else:
            self.assertEqual(flow.outcome, ("finished", result))

    def test_a_child_sets_no_variable_that_is_not_its_own(self):
        evil = [
            {"PATH": "/evil"}, {"a-b": "1", "a_b": "2"}, {"path": "/evil"}, {"IFS": "x"}, {"LD_PRELOAD": "/evil.so"}, {"http_proxy": "x"},
            {"_": "x"}, {"ENV": "/evil"}, {"\u00e9": "x"}, {"": "x"}, {"'": "x"}, {"a\u0301": "1", "a__": "2"}]
        texts = Texts(Bus(self, self.source), self.source, self.pool)
        number = 0
        for language in SHELLS:
            for keys in evil if language == "sh" else evil[:3]:
                number += 1
                name = texts.take("line")[0]
                with self.subTest(language=language, keys=keys, seed=SEED):
                    (self.out / f"keys-{number}.json").write_text(json.dumps(keys | {"name": name}))
                    reason = "the result of given-py has .*, which would set the (same )?variable.*; name the keys"
                    with self.assertRaisesRegex(Refused, reason):
                        self.go(f"keys-all-{language}", f"keys-{number}")
                    self.assertEqual(self.noted(f"keys-{number}"), [])
                    self.go(f"keys-named-{language}", f"keys-{number}").shows(None)
                    noted = dict(self.noted(f"keys-{number}"))
                    self.assertEqual(noted["name"], name.encode())
                    self.assertTrue(noted["printed"].startswith(b"name='") and b"/evil" not in noted["path"], noted)

    def test_keys_of_a_child_are_no_commands(self):
        keys = [
            f"x;touch {self.ran}", f"$(touch {self.ran})", f"`touch {self.ran}`", f"x\ntouch {self.ran}\n", f"x='' touch {self.ran} x",
            "x\ufe0f;", "\u037ex"]
        for language in SHELLS:
            id = f"key-{language}"
            (self.out / f"{id}.json").write_text(json.dumps({"name": "n'\ufe0f", **{key: f"'; touch {self.ran}; '" for key in keys}}))
            self.go(f"keys-all-{language}", id).shows(None)
            self.assertEqual(dict(self.noted(id))["name"], "n'\ufe0f".encode())
