import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

@testable import CoordinatorTerminal
@testable import RendererKit

/// Sample screens and windows.
enum Samples {
  static let root: ObjectPath = "/org/coordinatord/Coordinator1/flows/pets_1"

  static let home = Screen(
    "home", kind: .message, title: "Happy Tails Animal Clinic", body: "We look after your pet.",
    actions: [.primary("schedule-visit", "Schedule a visit")],
    messages: [.info("visit-cancelled", "No visit was scheduled.")])

  static let menu = Screen(
    "select-visit-type", kind: .menu, title: "What is the visit for?",
    actions: [Action("well", "A check-up"), Action("sick", "My pet is sick")])

  static let logIn = Screen(
    "log-in", kind: .form, title: "Log in",
    actions: [.primary("submit", "Log in"), .cancel("cancel", "Cancel")],
    form: Form(
      Field("username", .string(title: "User name", length: 1...64)),
      Field("password", .secret(title: "Password", length: 1...128))))

  static let kanji = Screen(
    "kanji-list", kind: .list, title: "日本人",
    items: [
      Item("日", "日", subtitle: "day, sun"), Item("本", "本", subtitle: "book, origin"), Item("人", "人", subtitle: "person"),
    ])

  static let quotes = Screen(
    "quotes", kind: .list, title: "Quotes", actions: [Action("settings", "Settings")],
    items: [
      Item("q1", "The unexamined life is not worth living.", subtitle: "Socrates"),
      Item("q4", "If I have seen further, it is by standing on the shoulders of giants.", subtitle: "Isaac Newton"),
      Item("q3", "I think, therefore I am.", subtitle: "René Descartes"),
    ])

  static let everything = Screen(
    "everything", kind: .form, title: "Everything", body: "All kinds of fields.",
    actions: [
      .primary("send", "Send"), .destructive("erase", "Erase all"), .cancel("cancel", "Never mind"), Action("more", "More"),
    ],
    form: Form(
      Field("name", .string(title: "Name", summary: "As on your card.", length: 1...8)),
      Field("mail", .email(title: "E-mail"), isRequired: false),
      Field("age", .integer(title: "Age", range: 0...150)),
      Field("news", .boolean(title: "Send me news")),
      Field("order", .choice(title: "Order", [("original", "As written"), ("author", "By author"), ("random", "Shuffled")])),
      Field(
        "days", .array(of: .choice(title: "Day", [("mo", "Monday"), ("tu", "Tuesday")]), title: "Days", isUnique: true),
        isRequired: false),
      Field("tags", .array(of: .string(title: "Tag"), title: "Tags"), isRequired: false)),
    values: ["order": "author"],
    messages: [.warning("late", "It is late."), .error("taken", "is taken", field: "name")])

  static let busy = Screen(
    "log-in", kind: .form, title: "Log in", actions: [.cancel("cancel", "Cancel")],
    form: logIn.form, values: ["username": "demo"], progress: Progress(text: "Checking the password"))

  static let installing = Screen(
    "installing", kind: .progress, title: "Installing", actions: [.cancel("cancel", "Cancel")],
    progress: Progress(fraction: 0.45, text: "Copying files"))

  static let long = Screen(
    "terms", kind: .message, title: "Terms", body: (1...40).map { "Line \($0)" }.joined(separator: "\n"),
    actions: [.primary("accept", "Accept"), .destructive("delete", "Delete my account")], accent: "#F5001C")

  static let unknown = Screen("map", kind: .list, title: "A map")

  static let numbers = Screen(
    "numbers", kind: .list, title: "Numbers", items: (1...1000).map { Item("\($0)", verbatim: "Number \($0)") })

  static let rich = Screen.message(
    "rich", title: "Check your answers",
    actions: [
      .primary("apply", "Apply").confirming("Apply now?"), Action("stop", "Stop").disabled(because: "It is too late."),
      Action("more", "More").explained("Shows more."),
    ]
  ).with(Markup("**Read** the `manual` at [home](https://example.org).\n\n- one\n- two\n\n```\na   b\n```"))
    .with(.code("https://example.org")).step(2, of: 3)
    .reviewing([ReviewRow("Name", "Ada", on: ScreenID(3)), ReviewRow("Notes", "one\ntwo"), ReviewRow("水", "", on: ScreenID(4))])

  static let packages = Screen.list(
    "packages", title: "Packages",
    items: [
      Item("vim", "vim", subtitle: "an editor", group: "Editors"), Item("日", "日本", group: "Editors", disabled: "It is gone."),
      Item("gcc", "gcc", group: "Tools"), Item("none", "Nothing"),
    ], actions: [Action("skip", "Skip").explained("Installs nothing.")]
  ).choosing(1...2, initial: ["gcc"])

  static let all = [home, menu, logIn, kanji, quotes, everything, busy, installing, long, unknown, numbers, rich, packages]

  static func presented(
    _ screen: Screen, id: UInt64 = 1, layer: UInt32 = 0, back: Bool = true
  ) -> PresentedScreen {
    PresentedScreen(
      id: id, coordinator: root, style: layer > 0 ? .modal : .push, layer: layer, back: back, screen: screen)
  }

  /// The menu of a flow in which an earlier question was answered.
  static let answered = window(2, presented(menu))

  static func window(_ revision: UInt64, _ screens: PresentedScreen...) -> MirroredWindow {
    MirroredWindow(revision: revision, screens: screens)
  }
}

extension Display {
  /// Returns a display that shows a screen at revision 1.
  static func showing(_ screen: Screen, back: Bool = true, isUnicode: Bool = true) -> Display {
    showing(Samples.window(1, Samples.presented(screen, back: back)), isUnicode: isUnicode)
  }

  static func showing(_ window: MirroredWindow, isUnicode: Bool = true) -> Display {
    var display = Display(tree: "pets_1", isUnicode: isUnicode)
    _ = display.handle(.event(.window(window)))
    _ = display.draw(in: Size(columns: 80, rows: 24))
    return display
  }

  /// Presses keys and returns the effects of the last one.
  @discardableResult
  mutating func press(_ keys: Key...) -> [Effect] {
    var effects: [Effect] = []
    for key in keys {
      effects = handle(.key(key))
      _ = draw(in: frame.size)
    }
    return effects
  }

  /// Types a string and returns the effects of its last character.
  @discardableResult
  mutating func type(_ text: String) -> [Effect] {
    var effects: [Effect] = []
    for character in text { effects = press(.character(character)) }
    return effects
  }

  /// Returns the visible lines.
  mutating func lines(_ columns: Int = 80, _ rows: Int = 24) -> [String] { draw(in: Size(columns: columns, rows: rows)).lines }

  /// Returns the visible text without blank lines.
  mutating func text(_ columns: Int = 80, _ rows: Int = 24) -> String {
    lines(columns, rows).filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

extension [Display.Effect] {
  var delegation: Delegation? {
    for case .delegate(let delegation) in self { return delegation }
    return nil
  }

  var draft: [String: JSONValue]? {
    for case .saveDraft(_, let draft) in self { return draft }
    return nil
  }

  var exit: ToolExit? {
    for case .leave(let exit, _) in self { return exit }
    return nil
  }
}
