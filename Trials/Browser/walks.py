"""Ways through the flows that ship with coordinatord, as moves on screens. Each renderer makes them in its own way."""

END = None


def press(event):
    return ("press", event)


def choose(item):
    return ("choose", item)


def fill(event, *texts):
    return ("fill", event, *texts)


BACK = ("back",)

# The flow and its input, then the screens, each with the move that leaves it; END is the end of the flow.
WALKS = {
    "how-to-code": ([], [
        ("step-1", press("next")), ("step-2", BACK), ("step-1", press("next")), ("step-2", press("next")), ("step-3", press("next")),
        ("step-4", press("next")), ("start-over", press("finish")), END]),
    "schedule-visit": ([], [
        ("select-visit-type", press("sick")), ("select-pain-level", press("little")), ("faking-it", BACK),
        ("select-pain-level", press("severe")), ("no-appointment-required", press("okay")), END]),
    "pets": ([], [
        ("home", press("schedule-visit")), ("select-visit-type", press("well")), ("no-appointment-required", press("okay")),
        ("home", press("schedule-visit")), ("select-visit-type", BACK), ("home",)]),
    "kanji": ([], [
        ("kanji-list", choose("水")), ("kanji-detail", choose("水曜日")), ("kanji-list", choose("曜")), ("kanji-detail", BACK),
        ("kanji-list", BACK), ("kanji-detail", BACK), ("kanji-list",)]),
    "kanji-list": (["word=日本"], [("kanji-list", choose("本")), ("kanji-detail", BACK), ("kanji-list",)]),
    "kanji-detail": (["kanji=水"], [("kanji-detail", choose("水曜日")), ("kanji-list", BACK), ("kanji-detail",)]),
    "shop": ([], [
        ("welcome", press("log-in")), ("products", choose("lamp")), ("product", press("add-to-basket")), ("product", press("done")),
        ("products", choose("desk")), ("product", BACK), ("products", press("check-out")), END]),
    "log-in": ([], [("welcome", press("log-in")), END]),
    "shop-main": ([], [("products", choose("chair")), ("product", press("done")), ("products",)]),
    "product-details": (["product=lamp"], [("product", press("done")), END]),
    "account": ([], [
        ("log-in", fill("submit", "demo", "open-sesame")), ("user-profile", press("log-out")), ("log-in", press("cancel")), END]),
    "quotes": ([], [
        ("quotes", choose("q3")), ("quote", BACK), ("quotes", press("settings")), ("settings", press("done")), ("quotes",)]),
}


class Walker:
    """Walks with one renderer, and checks the window of the daemon. A renderer defines how it `press`es, `choose`s,
    `fill`s and goes `back`, each with the screen that is on top."""

    def top(self, tree):
        """The screen on top; None if the flow has ended."""
        if self.world.control("show", tree, check=False).returncode:
            return None
        shown = self.world.shown(tree)
        return next(screen for screen in shown["screens"] if screen["id"] == shown["top"])

    def walk(self, flow, eventually):
        """Walks the whole way."""
        arguments, steps = WALKS[flow]
        tree = self.world.control("start", flow, *arguments).stdout.strip()
        self.open(tree)
        passed = None
        for step in steps:
            def arrived():
                screen = self.top(tree)
                if step is END:
                    return screen is None
                # A screen that is still busy with an answer does not count yet.
                there = screen and screen["name"] == step[0] and screen["id"] != passed and "progress" not in screen
                return screen if there and (len(step) == 1 or offers(screen, *step[1])) else None
            screen = eventually(arrived)
            assert screen, f"{flow}: not at {step and step[0]} but at {self.top(tree)}\n{self.seen()}"
            if step is END or len(step) == 1:
                break
            getattr(self, step[1][0])(screen, *step[1][1:])
            # A screen that stays after an answer has a new revision.
            passed = None if step[1] == press("add-to-basket") else screen["id"]
            if passed is None:
                revision = self.world.shown(tree)["revision"]
                eventually(lambda: self.world.shown(tree)["revision"] >= revision and self.top(tree).get("messages"))
        self.world.control("dismiss", tree, check=False)


def offers(screen, way, *what):
    """Whether a step can be taken. Items that a list must find first, such as a network by a scan, may still be
    missing."""
    return way != "choose" or any(entry["id"] == what[0] for entry in screen["items"])


def title_of(screen, kind, name):
    """The title of an action or of an item."""
    return next(entry["title"] for entry in screen[kind] if entry["id"] == name)
