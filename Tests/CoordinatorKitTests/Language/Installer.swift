import CoordinatorKit

/// A flow whose first screen asks for the language, and whose other screens use each kind of text.
actor Installer: Coordinator {
  static let flow = FlowDescription("installer", title: "Install")

  enum Route: Codable, Hashable { case language, owner, summary }

  struct State: FlowState {
    var disks = 1
    var note: Text?
  }

  enum Disk: String, CaseIterable, MenuChoice {
    case first, second
    var title: Text { self == .first ? "First disk" : "Second disk" }
  }

  let context = Context()

  /// A constant, as forms often are: it must be in the language of each tree that shows it.
  static let form = Form(
    Field("name", .string(title: "Your name", summary: "As you sign letters.", length: 1...64).explained("Type a name.")),
    Field("disk", .choice(title: "Disk", of: Disk.allCases)).optional)

  func start() { router.present(.language) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .language:
      .list("language", title: "Language", items: languages.map { Item($0.tag.description, verbatim: $0.name) })
    case .owner:
      .form("owner", title: "Who are you?", form: Self.form, actions: [.primary("next", "Next"), Action("deep", "Deep")])
    case .summary:
      .message(
        "summary", title: "Summary",
        body: Text(one: "{count} disk is erased.", other: "{count} disks are erased.", count: state.disks),
        actions: [
          .destructive("erase", "Erase").confirming("Erase everything?"), Action("german", "German"), Action("note", "Note"),
        ],
        messages: state.note.map { [.info("note", $0)] } ?? []
      ).reviewing(review()).with(Markup(Text("Hello **{name}**.", ["name": "*ada* **x**"])))
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.language, _):
      setLanguage(try LanguageTag(event.selection))
      router.present(.owner)
    case (.owner, "deep"): try startChild(Installer.self, router: .modal)
    case (.owner, _): router.present(.summary)
    case (_, "german"): setLanguage(try LanguageTag("de"))
    case (_, "note"): state.note = Text("Welcome, {name}.", ["name": "Ada"])
    case (_, "erase"): throw Refusal.denied(Text("There is no disk.").string)
    default: throw event.notTaken
    }
  }
}

extension Translations {
  /// German for the texts of ``Installer``.
  static func german() throws -> Translations {
    let texts = MessageCatalogue([
      "Language": "Sprache", "Who are you?": "Wer sind Sie?", "Your name": "Ihr Name", "First disk": "Erste Platte",
      "As you sign letters.": "Wie in Briefen.", "Type a name.": "Bitte einen Namen.", "Summary": "Zusammenfassung",
      "Erase everything?": "Alles löschen?", "Welcome, {name}.": "Willkommen, {name}.", "Next": "Weiter",
      "{count} disk is erased.": "Platten: {count}.", "Hello **{name}**.": "Hallo **{name}**.",
      "There is no disk.": "Es gibt keine Platte.",
    ])
    return Translations([try LanguageTag("de"): [texts]])
  }
}
