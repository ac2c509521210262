"""debconf_tests.py DIRECTORY: real debconf asks, and debconf-trial in that directory answers. Skipped if debconf is missing."""

from debconf_world import EXAMPLES, DebconfTestCase, main


class ExamplesTests(DebconfTestCase):
    """The examples of debconf-doc: every type, a block, progress, variables with line breaks, and Back."""

    def demo(self, answers=None, **script):
        self.world.load("demo", EXAMPLES / "demo.templates")
        run = self.world.run(["debconf", "-o", "demo", str(EXAMPLES / "demo")], {"otherwise": "initial", "answers": answers or {}} | script)
        self.assertEqual((run.process.returncode, run.errors), (0, []), run.process.stderr)
        return run

    def test_demo_with_answers(self):
        run = self.demo({
            "demo/boolean": ["false"], "demo/multiselect": ["lwn, freshmeat"], "demo/string": ["  humpty  dümpty "],
            "demo/password": ["s3cret ü"], "demo/select": ["navy blue"], "demo/subst": ["true"]})
        expected = {"demo/boolean": "false", "demo/multiselect": "freshmeat, lwn", "demo/string": "humpty  dümpty ",
                    "demo/password": "s3cret ü", "demo/select": "navy blue", "demo/subst": "true", "demo/note": "", "demo/error": ""}
        self.assert_values(run, expected)
        self.assertEqual({name: run.flags.get(name) for name in expected}, dict.fromkeys(expected, "seen"))
        shown = self.world.show("demo")
        self.assertEqual((shown["demo/select"], shown["demo/multiselect"]), (("navy blue", True), ("freshmeat, lwn", True)))
        self.assertEqual(run.process.stderr.splitlines()[-3:], ["string is humpty  dümpty ", "false", "freshmeat, lwn"])
        self.assertNotIn("s3cret", "".join(map(str, run.events)))

    def test_demo_with_defaults(self):
        run = self.demo()
        self.assert_values(run, {
            "demo/boolean": "true", "demo/multiselect": "slashdot, lwn", "demo/string": "all", "demo/password": "ook",
            "demo/select": "chartruse", "demo/subst": "false"})
        self.assertNotIn("ook", "".join(str(event) for event in run.events if "ask" in event))
        self.assertEqual([screen["kind"] for screen in run.screens],
                         ["menu", "list", "form", "form", "form", "menu", "message", "message"])
        progress = [event["progress"] for event in run.events if "progress" in event]
        self.assertEqual([value if value == "ended" else value["fraction"] for value in progress], [0, 0.2, 0.2, 0.5, 0.6, "ended"])
        self.assertEqual(progress[2]["text"], "We like progress")

    def test_tutorial_with_back(self):
        self.world.load("foo", EXAMPLES / "tutorial.templates")
        run = self.world.run(["debconf", "-o", "foo", str(EXAMPLES / "tutorial-back")], {
            "answers": {"foo/like_debian": ["false", "true"]}, "otherwise": "initial"})
        self.assertEqual(run.process.returncode, 0)
        self.assert_values(run, {"foo/like_debian": "false"})
        self.assertEqual([(e["ask"]["name"], e["back"]) for e in run.events if "ask" in e],
                         [("foo/like_debian", True), ("foo/why_debian_is_great", True)])

    def test_tutorial_goes_back(self):
        self.load("""Template: t/one
Type: string
Description: One

Template: t/two
Type: select
Choices: x, y
Description: Two
""")
        run = self.run_module("""db_capb backup
STATE=1
while [ $STATE != 0 -a $STATE != 3 ]; do
  case $STATE in
    1) db_input high t/one || true;;
    2) db_input high t/two || true;;
  esac
  if db_go; then STATE=$((STATE + 1)); else STATE=$((STATE - 1)); fi
done
""", {"answers": {"t/one": ["first", "second"], "t/two": ["<back>", "y"]}})
        self.assertEqual((run.process.returncode, run.errors), (0, []))
        self.assert_values(run, {"t/one": "second", "t/two": "y"})
        self.assertEqual([screen["name"] for screen in run.screens], ["t/one", "t/two", "t/one", "t/two"])
        self.assertEqual(run.screens[2]["values"], {"t/one": "first"})


class TrapTests(DebconfTestCase):
    """The traps that need real debconf; all of them are in ProgramsTests, too."""

    SHARED = """Template: t/one
Type: string
Default: proposed
Description: One ${N}

Template: t/many
Type: multiselect
Choices: a, y\\, z, c
Default: a, y\\, z
Description: Many

Template: t/secret
Type: password
Description: Secret
"""

    def test_variables_with_line_breaks_stay_in_step(self):
        self.load("""Template: t/diff
Type: note
Description: Differences
 ${DIFF}

Template: t/after
Type: string
Description: After
""")
        run = self.run_module("""db_capb escape
db_subst t/diff DIFF '--- a\\n+++ b\\n@@ -1 +1 @@\\n-x\\n+y\\n\\nGO\\nGET t/diff'
db_subst t/diff OTHER 'x\\n'
db_input high t/diff || true
db_go || true
db_input high t/after || true
db_go || true
""", {"answers": {"t/after": ["in step"]}, "otherwise": "initial"})
        self.assertEqual((run.process.returncode, run.errors), (0, []))
        self.assert_values(run, {"t/diff": "", "t/after": "in step"})
        self.assertIn("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y", run.screens[0]["body"])

    def test_registered_questions_of_one_template(self):
        self.load(self.SHARED)
        run = self.run_module("""for name in first second; do
  db_register t/one t/$name; db_subst t/$name N $name; db_input high t/$name || true
done
db_go
""", {"answers": {"t/one": ["v0"], "t/one#2": ["v1"]}})
        self.assert_values(run, {"t/first": "v0", "t/second": "v1"})

    def test_choices_with_commas_are_not_offered(self):
        self.load(self.SHARED)
        run = self.run_module("db_input high t/many || true\ndb_go\n", {"answers": {"t/many": ["c, a"]}})
        self.assert_values(run, {"t/many": "a, c"})
        self.assertEqual(run.screens[0]["choosing"]["initial"], ["a"])

    def test_a_present_password_stays_if_the_field_is_left_empty(self):
        self.load(self.SHARED)
        run = self.run_module("db_set t/secret hush\ndb_input high t/secret || true\ndb_go\n")
        self.assert_values(run, {"t/secret": "hush"})
        self.assertNotIn("hush", str(run.events))

    def test_without_the_announcement_there_is_no_back(self):
        self.load(self.SHARED)
        run = self.run_module("db_input high t/one || true\ndb_go\n", {"answers": {"t/one": ["<back>"]}})
        self.assertEqual(run.errors, ["this package cannot go back"])

    def test_several_connections_of_one_run(self):
        """A repeated question proposes the earlier answer, and each package has its section."""
        self.load(self.SHARED)
        module = self.world.write("module", "#!/bin/sh -e\n. /usr/share/debconf/confmodule\ndb_title \"Configuring $1\"\n"
                                  "db_fset t/one seen false\ndb_reset t/one\ndb_input high t/one || true\ndb_go || true\n")
        program = self.world.write("program", f"#!/bin/sh -e\nfor name in aa bb; do debconf -o trial {module} $name; done\n")
        run = self.world.run([str(program)], {"answers": {"t/one": ["mine"]}})
        self.assertEqual((run.process.returncode, run.errors), (0, []), run.process.stderr)
        self.assertEqual([screen["values"]["t/one"] for screen in run.screens], ["proposed", "mine"])
        self.assertEqual([screen["name"] for screen in run.screens], ["aa/t/one", "bb/t/one"])

    def test_a_file_of_selections_answers_a_run(self):
        self.world.load("demo", EXAMPLES / "demo.templates")
        selections = self.world.write("selections", "demo demo/boolean boolean false\ndemo demo/multiselect multiselect lwn, linux.org\n"
                                      "demo demo/string string mary\ndemo demo/select select tan\ndemo demo/password password hush\n"
                                      "demo demo/subst boolean true\n")
        run = self.world.run(["debconf", "-o", "demo", str(EXAMPLES / "demo")], {"selections": str(selections), "otherwise": "initial"})
        self.assertEqual((run.process.returncode, run.errors), (0, []))
        self.assert_values(run, {"demo/boolean": "false", "demo/multiselect": "linux.org, lwn", "demo/string": "mary",
                                 "demo/select": "tan", "demo/password": "hush", "demo/subst": "true"})


if __name__ == "__main__":
    main()
