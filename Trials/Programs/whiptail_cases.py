"""Generates calls of whiptail."""

from dialog_cases import BACKTAB, DOWN, ENTER, ESCAPE, KILL, TAB, LABELS, Maker, act, says_back


class WhiptailMaker(Maker):
    """Generates calls of whiptail."""

    def make(self):
        return getattr(self, "make_" + self.random.choice([
            "yesno", "msgbox", "inputbox", "passwordbox", "menu", "menu", "checklist", "checklist", "radiolist", "infobox", "textbox",
            "gauge",
        ]))()

    def options(self, is_yesno=False):
        """Returns options, the title of Cancel, and whether there is one."""
        options, label, has_cancel = [], "No" if is_yesno else "Cancel", True
        for chance, words in [(0.5, ["--title", self.word()]), (0.4, ["--backtitle", self.word()]), (0.1, ["--clear"]),
                              (0.1, ["--fb"]), (0.1, ["--topleft"]), (0.05, ["--title=" + self.word()])]:
            if self.chance(chance):
                options.append(words)
        if self.chance(0.4):
            label = self.random.choice(LABELS)
            options.append(["--no-button" if is_yesno else "--cancel-button", label])
        if self.chance(0.2):
            options.append(["--yes-button" if is_yesno else "--ok-button", self.random.choice(LABELS)])
        if self.chance(0.15):
            has_cancel = is_yesno
            options.append(["--nocancel"])
        if self.chance(0.15):
            options.append(["--output-fd", "3"])
        return options, label, has_cancel

    def arranged(self, box, options):
        """Returns the box's words with the options at random positions; `--` only if no option follows."""
        words, rest = [box[0]], box[1:]
        before = [option for option in options if self.chance(0.7)]
        words = [word for option in before for word in option] + words
        groups = [[word] for word in rest]
        for option in options:
            if option not in before:
                groups.insert(self.random.randrange(len(groups) + 1), option)
        flat = [word for group in groups for word in group]
        if len(before) == len(options) and self.chance(0.2):
            flat = ["--"] + flat
        return words + flat

    def ending(self, label, has_cancel, cancel_keys, okay_acts, okay_keys):
        kind = self.random.choice(["ok", "ok", "ok", "cancel", "escape"])
        if kind == "cancel" and has_cancel:
            return [act("back" if says_back(label) else "cancel")], cancel_keys
        if kind == "escape":
            return [act("escape")], [ESCAPE]
        return okay_acts, okay_keys

    def make_yesno(self):
        options, label, _ = self.options(is_yesno=True)
        is_no = self.chance(0.3)
        if is_no:
            options.append(["--defaultno"])
        kind = self.random.choice(["yes", "no", "escape"])
        keys = {"yes": [TAB, ENTER] if is_no else [ENTER], "no": [ENTER] if is_no else [TAB, ENTER], "escape": [ESCAPE]}[kind]
        acts = [act("back" if kind == "no" and says_back(label) else kind)]
        return self.case("whiptail", self.arranged(["--yesno", self.text()] + self.size(2), options), acts, keys)

    def make_msgbox(self):
        options, _, _ = self.options()
        kind = self.random.choice(["ok", "ok", "escape"])
        return self.case(
            "whiptail", self.arranged(["--msgbox", self.text()] + self.size(2), options), [act(kind)],
            [ENTER if kind == "ok" else ESCAPE])

    def make_infobox(self):
        options, _, _ = self.options()
        return self.case("whiptail", self.arranged(["--infobox", self.text()] + self.size(2), options), [], [])

    def make_textbox(self):
        options, _, _ = self.options()
        exists = self.chance(0.8)
        kind = self.random.choice(["ok", "ok", "escape"]) if exists else None
        return self.case(
            "whiptail", self.arranged(["--textbox", "file"] + self.size(2), options), [act(kind)] if kind else [],
            [ENTER if kind == "ok" else ESCAPE] if kind else [],
            files={"file": "Some lines\nof text\\nand so on.\n"} if exists else {})

    def make_gauge(self):
        options, _, _ = self.options()
        return self.case(
            "whiptail", self.arranged(["--gauge", self.text()] + self.size(2) + ["5"], options), [], [],
            stdin="10\nXXX\n50\nhalf\\ndone\nXXX\n100\n")

    def entry(self, box):
        options, label, has_cancel = self.options()
        initial = [self.word()] if self.chance(0.5) else []
        changes = self.chance(0.8)
        typed = self.typed() if changes else None
        keys = ([KILL] + list(typed) if changes else []) + [ENTER]
        acts, keys = self.ending(label, has_cancel, [TAB, TAB, ENTER], [act("ok", fields=[typed])], keys)
        return self.case("whiptail", self.arranged([box, self.text()] + self.size(2) + initial, options), acts, keys)

    def make_inputbox(self):
        return self.entry("--inputbox")

    def make_passwordbox(self):
        return self.entry("--passwordbox")

    def make_menu(self):
        options, label, has_cancel = self.options()
        tags = self.tags()
        current = 0
        if self.chance(0.3):
            wanted = self.random.choice(tags + ["none of them"])
            options.append(["--default-item", wanted])
            current = len(tags) - 1 - tags[::-1].index(wanted) if wanted in tags else 0
        for flag in ["--notags", "--noitem"]:
            if self.chance(0.1):
                options.append([flag])
        chosen = self.random.randrange(current, len(tags))
        rows = [word for tag in tags for word in (tag, self.word())]
        acts, keys = self.ending(
            label, has_cancel, [TAB, TAB, ENTER], [act("select", [chosen])], [DOWN] * (chosen - current) + [ENTER])
        return self.case("whiptail", self.arranged(["--menu", self.text()] + self.size(3) + rows, options), acts, keys)

    def rows(self, tags, options):
        has_items = True
        if self.chance(0.1):
            options.append(["--notags"])
        if self.chance(0.15):
            has_items = False
            options.append(["--noitem"])
        states = [self.random.choice(["on", "off", "ON", "1", "0", "yes", "no", "YES", "off"]) for _ in tags]
        rows = [word for tag, state in zip(tags, states) for word in ([tag, self.word(), state] if has_items else [tag, state])]
        return rows, [state.lower() in ("on", "1", "yes") for state in states]

    def make_checklist(self):
        options, label, has_cancel = self.options()
        if self.chance(0.4):
            options.append(["--separate-output"])
        tags = self.tags()
        rows, states = self.rows(tags, options)
        wanted = [index for index in range(len(tags)) if self.chance(0.5)]
        acts, keys = self.ending(
            label, has_cancel, [BACKTAB, ENTER], [act("select", wanted)], self.toggles(states, wanted) + [ENTER])
        return self.case("whiptail", self.arranged(["--checklist", self.text()] + self.size(3) + rows, options), acts, keys)

    def make_radiolist(self):
        options, label, has_cancel = self.options()
        tags = self.tags()
        rows, states = self.rows(tags, options)
        last = max((index for index, state in enumerate(states) if state), default=None)
        if last is None and self.chance(0.4):
            acts, keys = [act("select", [])], [ENTER]
        elif sum(states) > 1:
            # If several rows are on, the real program prints another one than the row that was chosen last.
            acts, keys = [act("select", [last])], [ENTER]
        else:
            wanted = self.random.randrange(len(tags))
            acts, keys = [act("select", [wanted])], [DOWN] * wanted + [" ", ENTER]
        acts, keys = self.ending(label, has_cancel, [BACKTAB, ENTER], acts, keys)
        return self.case("whiptail", self.arranged(["--radiolist", self.text()] + self.size(3) + rows, options), acts, keys)
