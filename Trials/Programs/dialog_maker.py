"""Generates calls of dialog."""

from dialog_cases import DOWN, ENTER, ESCAPE, KILL, TAB, UP, LABELS, Maker, act, says_back
from real_dialog import WAIT


class DialogMaker(Maker):
    """Generates calls of dialog."""

    def make(self):
        case = self.make_box()
        while self.chance(0.12) and "stdin" not in case and "missing" not in case["arguments"] and not any(act["event"] in ("escape", "timeout") for act in case["acts"]):
            more = self.make_box()
            if "stdin" in more or "files" in more or "--separate-output" in case["arguments"] + more["arguments"]:
                continue
            case["arguments"] += ["--and-widget"] + more["arguments"]
            case["acts"] += more["acts"]
            case["keys"] += more["keys"]
        if self.chance(0.2):
            self.redirect(case)
        if self.chance(0.1):
            self.move_to_file(case)
        case["environment"] = {
            f"DIALOG_{name}": self.random.choice(["7", "0", "0x10", "100", "x", ""])
            for name in ["OK", "CANCEL", "ESC", "EXTRA", "HELP", "ITEM_HELP", "ERROR", "TIMEOUT"] if self.chance(0.07)}
        if self.chance(0.1):
            case["environment"]["DIALOGOPTS"] = self.random.choice(
                ["--quoted", '--title "of all" --colors', "--no-shadow --output-separator ,", "--bogus", " ", '--separate-widget "; "'])
        return case

    def move_to_file(self, case):
        """Moves some of the arguments into a file."""
        words = case["arguments"]
        first = self.random.randrange(len(words))
        end = self.random.randrange(first, len(words)) + 1
        content = ""
        for word in words[first:end]:
            content += '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' + self.random.choice([" ", "\n", "\\\n ", "\t"])
        case["arguments"] = words[:first] + ["--file", "options"] + words[end:]
        case["files"] = {**case.get("files", {}), "options": content}

    def redirect(self, case):
        option = self.random.choice([["--output-fd", "3"], ["--stderr"], ["--stdout"]])
        case["arguments"] = option + case["arguments"]

    def make_box(self):
        return getattr(self, "make_" + self.random.choice([
            "yesno", "msgbox", "inputbox", "passwordbox", "menu", "menu", "menu", "checklist", "checklist", "radiolist", "infobox",
            "textbox", "gauge", "timeout", "form", "mixedform", "passwordform", "rangebox", "editbox", "pause", "progressbox",
        ]))()

    def options(self, is_list=False):
        """Returns options that all boxes have."""
        words = []
        for chance, option in [
                (0.5, ["--title", self.word()]), (0.4, ["--backtitle", self.word()]), (0.1, ["--clear"]), (0.2, ["--colors"]),
                (0.1, ["--no-collapse"]), (0.1, ["--cr-wrap"]), (0.05, ["--trim"]), (0.1, ["--no-shadow"]), (0.1, ["--keep-tite"]),
                (0.1, ["--begin", "2", "3"]), (0.05, ["--aspect", "12"]), (0.1, ["--quoted"]), (0.05, ["--no-nl-expand"]),
                (0.05, ["--single-quoted"]), (0.05, ["--separate-widget", ";"]), (0.03, ["--last-key"]), (0.03, ["--no-mouse"]),
                (0.03, ["--hline", "press"]), (0.03, ["--tab-correct"]), (0.03, ["--nocolors"])]:
            if self.chance(chance):
                words += option
        if is_list:
            if self.chance(0.1):
                words += ["--output-separator", self.random.choice([",", "\n", "::"])]
            if self.chance(0.05):
                words += ["--column-separator", "|"]
        return words

    def buttons(self, is_yesno=False, is_message=False):
        """Returns options of buttons, the events in the order of the buttons, and the initial button."""
        words, events = [], ["yes" if is_yesno else "ok"]
        label = self.random.choice(LABELS) if self.chance(0.4) else None
        if self.chance(0.2):
            words += ["--extra-button"] + (["--extra-label", self.word()] if self.chance(0.5) else [])
            events.append("extra")
        if is_yesno or not self.chance(0.15):
            if label is not None:
                words += [self.random.choice(["--no-label", "--no-button"] if is_yesno else ["--cancel-label", "--cancel-button"]), label]
            if not is_message:
                events.append("back" if label is not None and says_back(label) else "no" if is_yesno else "cancel")
        elif not is_message:
            words += [self.random.choice(["--no-cancel", "--nocancel"])]
        if self.chance(0.15):
            words += ["--help-button"]
            events.append("help")
        first = None
        if self.chance(0.15):
            names = {"yes": "yes", "ok": "ok", "no": "no", "cancel": "cancel", "back": "cancel", "extra": "extra", "help": "help"}
            first = self.random.randrange(len(events))
            words += ["--default-button", names[events[first]]]
        elif self.chance(0.15) and not is_message:
            words += ["--defaultno"]
            first = next((index for index, event in enumerate(events) if event in ("no", "cancel", "back")), 0)
        return words, events, first

    def press(self, events, first, event, has_field=False):
        """Returns the keys that press a button; a field precedes the buttons."""
        places = (["field"] if has_field else []) + events
        start = places.index(events[first]) if first is not None else 0
        return [TAB] * ((places.index(event) - start) % len(places)) + [ENTER]

    def simple(self, box, words, events, first, **more):
        event = self.random.choice(events + ["escape"])
        keys = [ESCAPE] if event == "escape" else self.press(events, first, event)
        return self.case("dialog", self.options() + words + box, [act(event)], keys, **more)

    def make_yesno(self):
        return self.simple(["--yesno", self.text()] + self.size(2), *self.buttons(is_yesno=True))

    def make_msgbox(self):
        return self.simple(["--msgbox", self.text()] + self.size(2), *self.buttons(is_message=True))

    def make_pause(self):
        words, events, first = self.buttons()
        if self.chance(0.2):
            return self.case("dialog", self.options() + words + ["--pause", self.text()] + self.size(2) + ["1"], [act("timeout")], [])
        return self.simple(["--pause", self.text()] + self.size(2) + ["30"], words, events, first)

    def make_textbox(self):
        words, events, first = self.buttons(is_message=True)
        if "help" in events and "--no-cancel" not in words:
            # With the keyboard, Help acts as Cancel here; with the mouse, it acts as Help.
            words.append("--no-cancel")
        if self.chance(0.2):
            case = self.case("dialog", self.options() + words + ["--textbox", "missing"] + self.size(2), [], [])
            return {**case, "files": {}}
        return self.simple(["--textbox", "file"] + self.size(2), words, events, first, files={"file": "Some lines\nof text\n"})

    def make_timeout(self):
        words, _, _ = self.buttons()
        # While the cursor is in a field, the real program waits forever.
        box = self.random.choice([["--msgbox"], ["--yesno"], ["--menu", "a", "b"]])
        return self.case(
            "dialog", self.options() + ["--timeout", "1"] + words + [box[0], self.text(), "18", "70"] + (["6"] if box[1:] else []) + box[1:],
            [act("timeout")], [])

    def make_infobox(self):
        return self.case("dialog", self.options() + ["--infobox", self.text()] + self.size(2), [], [])

    def make_gauge(self):
        percent = [["50"], []][self.random.randrange(2)]
        return self.case(
            "dialog", self.options() + ["--gauge", self.text()] + self.size(2) + percent, [], [], stdin="10\nXXX\n50\nhalf\nXXX\n100\n")

    def make_progressbox(self):
        text = [[self.text()], []][self.random.randrange(2)]
        return self.case("dialog", self.options() + ["--progressbox"] + text + ["18", "70"], [], [], stdin="one\ntwo\n")

    def entry(self, box):
        words, events, first = self.buttons()
        initial = [self.word()] if self.chance(0.5) else []
        event = self.random.choice(events + ["ok", "ok", "escape"])
        arguments = self.options() + words + [box, self.text()] + self.size(2) + initial
        if event == "escape":
            return self.case("dialog", arguments, [act("escape")], [ESCAPE])
        typed = self.typed() if first is None and self.chance(0.8) and event in ("ok", "extra") else None
        keys = [KILL] + list(typed) if typed else []
        acts = [act("ok", fields=[typed])] if event == "ok" else [act(event)]
        if event == "extra":
            acts.append(act("ok", fields=[typed]))
        if event == "ok" and first is None:
            return self.case("dialog", arguments, acts, keys + [ENTER])
        return self.case("dialog", arguments, acts, keys + self.press(events, first, event, has_field=True))

    def make_inputbox(self):
        return self.entry("--inputbox")

    def make_passwordbox(self):
        return self.entry("--passwordbox")

    def make_rangebox(self):
        words, events, first = self.buttons()
        low = self.random.randrange(-5, 5)
        high = low + self.random.randrange(1, 30)
        start = self.random.randrange(low, high + 1)
        wanted = min(max(start + self.random.randrange(-4, 5), low), high)
        event = self.random.choice(events + ["ok", "ok", "escape"])
        arguments = self.options() + words + ["--rangebox", self.text()] + self.size(2) + [str(low), str(high), str(start)]
        moves = [DOWN] * (wanted - start) + [UP] * (start - wanted) if event in ("ok", "extra") else []
        if event == "escape":
            return self.case("dialog", arguments, [act("escape")], [ESCAPE])
        acts = [act("ok", fields=[str(wanted)])] if event == "ok" else [act(event)]
        if event == "extra":
            acts.append(act("ok", fields=[str(wanted)]))
        # The digits of the number come before the buttons, so the keys pass all of them only from the first button on.
        if (first or 0) > events.index(event):
            return self.make_rangebox()
        return self.case("dialog", arguments, acts, moves + self.press(events, first, event))

    def lists(self, box, group):
        """Returns a list: its tags, its words, and the options for them."""
        tags, words, more = self.tags(), [], []
        has_help, has_items = self.chance(0.2), not self.chance(0.1)
        states = [self.random.choice(["on", "off", "ON", "1", "yes", "off"]) for _ in tags]
        for tag, state in zip(tags, states):
            words += [tag] + ([self.word()] if has_items else []) + ([state] if group else [])
            words += [self.random.choice(["help about it", "more help"])] if has_help else []
        for is_on, option in [(has_help, "--item-help"), (not has_items, self.random.choice(["--no-items", "--noitem"])),
                              (self.chance(0.1), self.random.choice(["--no-tags", "--notags"])), (self.chance(0.1), "--help-tags"),
                              (self.chance(0.15), "--help-status")]:
            more += [option] if is_on else []
        current = 0
        if self.chance(0.25):
            wanted = self.random.choice(tags)
            more += ["--default-item", wanted]
            current = tags.index(wanted)
        return tags, words, more, [state.lower() == "on" for state in states], current

    def make_menu(self):
        words, events, first = self.buttons()
        tags, rows, more, _, current = self.lists("--menu", False)
        event = self.random.choice(events + ["ok", "ok", "escape"])
        chosen = self.random.randrange(len(tags))
        arguments = self.options(True) + words + more + ["--menu", self.text()] + self.size(3) + rows
        moves = [DOWN] * (chosen - current) + [UP] * (current - chosen)
        return self.ended(arguments, events, first, event, moves, [chosen], len(tags), current)

    def ended(self, arguments, events, first, event, moves, items, count, current, help_item=None):
        """Returns the case of a list that ends with a button."""
        if event == "escape":
            return self.case("dialog", arguments, [act("escape")], [ESCAPE])
        keys = moves + self.press(events, first, event)
        if event == "ok":
            return self.case("dialog", arguments, [act("select", items)], keys)
        if event == "extra":
            return self.case("dialog", arguments, [act("extra"), act("select", items)], keys)
        if event == "help":
            index = items[0] if help_item is None else help_item
            acts = [act("help")] + ([act("select", [index])] if count > 1 else [])
            return self.case("dialog", arguments, acts, keys)
        return self.case("dialog", arguments, [act(event)], self.press(events, first, event))

    def make_checklist(self):
        words, events, first = self.buttons()
        tags, rows, more, states, current = self.lists("--checklist", True)
        more += ["--separate-output"] if self.chance(0.35) else []
        event = self.random.choice(events + ["ok", "ok", "ok", "escape"])
        arguments = self.options(True) + words + more + ["--checklist", self.text()] + self.size(3) + rows
        if event == "help":
            return self.ended(arguments, events, first, event, [], [current], len(tags), current)
        wanted = [index for index in range(len(tags)) if self.chance(0.5)]
        moves = [UP] * current + self.toggles(states, wanted)
        return self.ended(arguments, events, first, event, moves, wanted, len(tags), current)

    def make_radiolist(self):
        words, events, first = self.buttons()
        tags, rows, more, states, current = self.lists("--radiolist", True)
        event = self.random.choice(events + ["ok", "ok", "escape"])
        arguments = self.options(True) + words + more + ["--radiolist", self.text()] + self.size(3) + rows
        if event == "help":
            return self.ended(arguments, events, first, event, [], [current], len(tags), current)
        chosen = self.random.randrange(len(tags))
        if not any(states) and self.chance(0.3):
            return self.ended(arguments, events, first, event, [], [], len(tags), current)
        moves = [DOWN] * (chosen - current) + [UP] * (current - chosen) + [" "]
        return self.ended(arguments, events, first, event, moves, [chosen], len(tags), current)

    def forms(self, box, has_type=False):
        words, events, first = self.buttons()
        has_help = self.chance(0.15)
        words += ["--item-help"] if has_help else []
        words += ["--help-status"] if self.chance(0.15) else []
        rows, editable = [], []
        count = self.random.randrange(1, 5)
        for index in range(count):
            length = "0" if self.chance(0.15) and index + 1 < count else "20"
            kind = self.random.choice(["0", "0", "1", "2"]) if has_type and index + 1 < count else "0"
            value = self.random.choice(["", "old", "some value", "a longer value than fits"])
            rows += [f"Label {index}:", str(index + 1), "1", value, str(index + 1), "15", length, self.random.choice(["0", "5", "30"])]
            rows += [kind] if has_type else []
            rows += ["help"] if has_help else []
            if length != "0" and kind in "01":
                editable.append(index)
        event = self.random.choice(events + ["ok", "ok", "escape"])
        arguments = self.options() + words + [box, self.text(), "18", "70", "6"] + rows
        if event == "escape":
            return self.case("dialog", arguments, [act("escape")], [ESCAPE])
        typed, moves = [], []
        for index in range(len(editable)):
            text = self.typed() if self.chance(0.6) and first is None and event in ("ok", "extra") else None
            typed.append(text)
            moves += ([KILL] + list(text) if text else []) + ([DOWN] if index + 1 < len(editable) else [])
        if first is not None or event not in ("ok", "extra"):
            moves = []
        acts = [act("ok", fields=typed)] if event == "ok" else [act(event)]
        if event == "extra":
            acts.append(act("ok", fields=typed))
        if event == "help" and len(editable) > 1:
            acts.append(act("select", [0]))
        if event == "ok" and first is None:
            return self.case("dialog", arguments, acts, moves + [ENTER])
        return self.case("dialog", arguments, acts, moves + self.press(events, first, event, has_field=True))

    def make_form(self):
        return self.forms("--form")

    def make_passwordform(self):
        return self.forms("--passwordform")

    def make_mixedform(self):
        return self.forms("--mixedform", has_type=True)

    def make_editbox(self):
        words, events, first = self.buttons()
        content = self.random.choice(["", "one\n", "one\ntwo\n", "one\n\nthree", "tab\there\n"])
        event = self.random.choice(events + ["ok", "ok"])
        arguments = self.options() + words + ["--editbox", "file"] + self.size(2)
        typed = self.random.choice(["new", "x y", None]) if first is None and event == "ok" else None
        keys = list(typed) if typed else []
        acts = [act("ok", fields=[typed + content if typed else None])] if event == "ok" else [act(event)]
        return self.case(
            "dialog", arguments, acts, keys + self.press(events, first, event, has_field=True), files={"file": content})
