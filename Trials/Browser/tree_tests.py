"""The data that a screen reader gets about each kind of screen: python3 tree_tests.py BINARIES WORK [TEST...]

Reads the accessibility tree of Chromium, which AT-SPI passes to screen readers, prints it to WORK/trees, and checks the
parts that users of screen readers need.
"""

import re

from pages import WalkTestCase, main
from views import VIEWS
from world import eventually

# Visual ornaments: arrows, marks and bullets.
ORNAMENT = re.compile("[‹›«»❮❯→←▸▾▲▼✓✔✗✘•·●○◀▶⌄⌃×…]")
NAMED = {"button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox", "spinbutton", "radiogroup", "image",
         "dialog", "progressbar", "option", "DisclosureTriangle"}


class Node:
    """A node of the tree that screen readers get."""

    def __init__(self, found):
        self.role = found["role"]["value"]
        self.name = found.get("name", {}).get("value", "")
        self.description = found.get("description", {}).get("value", "")
        self.properties = {entry["name"]: entry["value"].get("value") for entry in found.get("properties", [])}
        self.value = found.get("value", {}).get("value")

    def __str__(self):
        said = [self.role, repr(self.name)]
        if self.description:
            said.append(f"description={self.description!r}")
        if self.value not in (None, ""):
            said.append(f"value={self.value!r}")
        told = ("level", "invalid", "required", "disabled", "checked", "expanded", "modal", "live", "readonly", "valuetext", "focused")
        said += [f"{name}={value}" for name, value in self.properties.items() if name in told and value not in (False, "false", "off")]
        return " ".join(said)


class TreeTests(WalkTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.directory = cls.world.work / "trees"
        cls.directory.mkdir(exist_ok=True)

    def tree(self):
        """Returns the data that screen readers get, from top to bottom."""
        driver = self.driver
        driver.execute_cdp_cmd("Accessibility.enable", {})
        found = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        by_id, nodes = {node["nodeId"]: node for node in found}, []

        def visit(node, depth):
            shown = not node.get("ignored") and node["role"]["value"] not in ("StaticText", "InlineTextBox", "generic", "none", "LineBreak")
            if shown:
                nodes.append((depth, Node(node)))
            for child in node.get("childIds", []):
                if child in by_id:
                    visit(by_id[child], depth + shown)
        visit(found[0], 0)
        return nodes

    def look_at(self, view):
        self.tree_name = self.world.begin(view)
        self.world.speak(view.language)
        self.driver.get(self.world.base + (f"flows/{self.tree_name}" if view.flow else ""))
        self.one("h1")
        view.page(self)
        self.assertTrue(eventually(lambda: self.driver.execute_script("return document.readyState") == "complete"))
        nodes = self.tree()
        (self.directory / f"{view.name}.txt").write_text("".join(f"{'  ' * depth}{node}\n" for depth, node in nodes))
        return [node for _, node in nodes]

    def of(self, nodes, *roles):
        return [node for node in nodes if node.role in roles]

    def test_each_kind_of_screen_says_what_it_is(self):
        for view in VIEWS:
            with self.subTest(view.name):
                try:
                    self.check_view(view, self.look_at(view))
                finally:
                    self.world.control("dismiss", self.tree_name, check=False)

    def check_view(self, view, nodes):
        headings = [node for node in self.of(nodes, "heading") if node.properties.get("level") == 1]
        self.assertEqual(len(headings), 1, "not one heading of the first level")
        self.assertTrue(headings[0].name)
        self.assertIn(headings[0].name, nodes[0].name, "the window is not named after its screen")
        self.assertEqual(len(self.of(nodes, "main")), 1, "not one main part")
        nameless = [str(node) for node in nodes if node.role in NAMED and not node.name.strip()]
        self.assertEqual(nameless, [], "without a name")
        adorned = [str(node) for node in nodes if ORNAMENT.search(node.name) and (node.role in NAMED or node.role == "heading")]
        self.assertEqual(adorned, [], "ornaments are read")
        self.assertTrue(self.driver.execute_script("return document.documentElement.lang"), "no language")
        live = self.driver.execute_script(
            "return document.querySelectorAll('[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log], output').length")
        if view.flow:
            self.assertGreater(live, 0, "no live region")

    def view(self, name):
        view = next(view for view in VIEWS if view.name == name)
        nodes = self.look_at(view)
        self.addCleanup(self.world.control, "dismiss", self.tree_name, check=False)
        return nodes

    def test_a_field_with_an_error_says_which(self):
        nodes = self.view("errors")
        for node in self.of(nodes, "textbox"):
            self.assertEqual(node.properties.get("invalid"), "true", node)
            self.assertIn("required", node.description, node)
        alerts = [node for node in nodes if node.role in ("alert", "group", "region") and "problem" in node.name]
        self.assertTrue(alerts, "the summary of the errors has no name")

    def test_a_field_says_its_hint_and_its_unit(self):
        nodes = self.view("fields")
        fields = self.of(nodes, "textbox", "spinbutton")
        name = next(node for node in fields if node.name.startswith("Name"))
        # AT-SPI passes on the placeholder of an empty field as its attribute "placeholder-text".
        example = self.one("#field-0").get_attribute("placeholder")
        self.assertIn("attic-2", name.description + (example or ""), name)
        cache = next(node for node in fields if node.name.startswith("Cache"))
        self.assertIn("MB", cache.name + cache.description, cache)
        group = next(node for node in self.of(nodes, "radiogroup", "group") if node.name.startswith("Security"))
        self.assertTrue(group)
        for radio in self.of(nodes, "radio"):
            self.assertTrue(radio.description or radio.name, radio)

    def test_what_cannot_be_chosen_says_why(self):
        nodes = self.view("disabled")
        stamp = next(node for node in self.of(nodes, "button") if node.name.startswith("Stamp"))
        self.assertTrue(stamp.properties.get("disabled"), stamp)
        self.assertIn("repair shop", stamp.name + stamp.description)
        manual = next(node for node in self.of(nodes, "button") if node.name.startswith("Manual"))
        self.assertIn("reselected", manual.name + manual.description, manual)

    def test_the_step_describes_the_title(self):
        nodes = self.view("groups")
        title = next(node for node in self.of(nodes, "heading") if node.properties.get("level") == 1)
        self.assertIn("Step 1 of 3", title.name + title.description, title)
        groups = [node.name for node in self.of(nodes, "heading", "group", "list", "region")]
        for group in ("Europe", "Asia"):
            self.assertIn(group, groups)

    def test_answers_to_check_are_named(self):
        nodes = self.view("review")
        changes = [node.name for node in self.of(nodes, "button") if node.name.startswith("Change")]
        self.assertEqual(changes, ["Change Name", "Change Servers", "Change Password"])

    def test_pictures_are_described(self):
        self.assertIn("A chessboard", [node.name for node in self.of(self.view("text"), "image")])
        codes = self.of(self.view("code"), "image")
        self.assertTrue(codes and all(node.name for node in codes), [str(node) for node in codes])

    def test_progress_says_how_far_it_is(self):
        nodes = self.view("progress")
        bar = self.of(nodes, "progressbar")
        self.assertTrue(bar, "no bar")
        self.assertTrue(
            eventually(lambda: any(
                abs(float(node.value or 0) - 0.35) < 0.001 or abs(float(node.value or 0) - 35) < 0.1
                for node in self.of([node for _, node in self.tree()], "progressbar"))), [str(node) for node in bar])

    def test_a_modal_layer_is_a_dialog_with_a_name(self):
        dialogs = self.of(self.view("menu"), "dialog", "alertdialog")
        self.assertEqual([node.name for node in dialogs], ["How much does it hurt?"])


if __name__ == "__main__":
    main()
