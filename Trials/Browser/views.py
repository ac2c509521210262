"""Every kind of screen: the way to it, and the actions there in a terminal and in a browser."""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class View:
    """A screen for pictures and trials."""

    name: str
    #: A description, for readers who cannot see the picture.
    about: str
    #: The flow to start; "" for a view without one.
    flow: str
    #: The answers of the second actor that lead to the screen.
    sent: tuple[tuple[str, ...], ...] = ()
    #: Keys, by the names that tmux has for them, and texts; None for a view that only the browser shows.
    keys: tuple[str, ...] | None = ()
    #: The actions on the page.
    page: typing.Callable = lambda page: None
    #: The number of rows of the large terminal.
    rows: int = 20
    #: The language of the user.
    language: str = "en"


def types(**texts):
    """Types into fields, each given by its place in the form."""
    def fill(page):
        for name, text in texts.items():
            page.one(f"#{name.replace('_', '-')}").send_keys(text)
    return fill


def presses(event):
    return lambda page: page.press(event)


def fill_servers(page):
    types(field_0="attic", field_1_0_0="192.0.2.7", field_1_0_1="8443")(page)
    page.one("#field-1-0-2").click()
    page.one("#field-2").send_keys("correct horse")


def fill_network(page):
    page.one("#field-0").send_keys("attic-2")
    page.one("#field-1-1").click()
    page.one("#field-2").send_keys("correct horse")
    page.one(".reveal").click()


SERVERS = ("use", "name=attic", 'servers:=[{"ip":"192.0.2.7","port":8443,"secure":true}]', "password=correct horse")

VIEWS = (
    View("home", "What runs and what can be started", ""),
    View("menu", "A menu in a modal layer", "pets", (("schedule-visit",), ("sick",)), ("Down",)),
    View("form", "A form with a secret", "account", (), ("demo", "Tab", "secret"), types(field_0="demo", field_1="secret")),
    View("errors", "Answers that are missing", "account", (), ("Tab", "Tab", "Enter"), presses("submit")),
    View("fields", "Fields with hints, a unit, and a condition", "station", (),
         ("attic-2", "Tab", "Down", "Space", "Tab", "correct horse", "C-r"), fill_network, 30),
    View("entries", "Entries that have fields of their own", "paperwork", (("servers",),),
         ("attic", "Tab", "ip=192.0.2.7 port=8443 secure=true"), fill_servers, 24),
    View("list", "A list that is filtered", "kanji", (), ("water",), types(filter_text="water")),
    View("groups", "A list with groups, a preselected row and a disabled one", "paperwork", (("zone",),)),
    View("several", "A list from which several rows are chosen", "paperwork", (("packages",),), ("Space", "Down")),
    View("disabled", "Choices that cannot be made now, with the reason", "paperwork", (("manual",), ("okay",))),
    View("question", "A question before something is done", "paperwork", (), ("7",), presses("erase")),
    View("review", "Answers to check", "paperwork", (("servers",), SERVERS)),
    View("message", "Messages", "gallery", (("message",),)),
    View("text", "A structured text and an image", "paperwork", (("manual",),), (), rows=24),
    View("code", "A QR code", "paperwork", (("code",),), (), rows=28),
    View("settings", "A modal form", "quotes", (("settings",),), ("Down",)),
    View("progress", "Progress", "copying"),
    View("busy", "An answer that is being checked", "network", (("skip",), ("join", "user=ada", "key=4711", "city=city-1"))),
    View("countdown", "A screen that goes on by itself", "station", (("join", "name=attic-2", "security=open"),)),
    View("live", "A list that work fills while it is shown", "radio"),
    View("german", "What is missing, in German", "account", (), ("Tab", "Tab", "Enter"), presses("submit"), language="de"),
    View("french", "A list in French", "shop-main", language="fr"),
    View("japanese", "A menu in Japanese", "pets", (("schedule-visit",), ("sick",)), ("Down",), language="ja"),
    View("arabic", "A form from right to left", "arabic", (("form",),), language="ar"),
    View("end", "The end of a flow", "schedule-visit", (("sick",), ("moderate",), ("okay",)), None),
)
