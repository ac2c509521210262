import CoordinatorKit

/// A flow that shows every kind of screen, and every kind of field on one of them.
actor Gallery: Coordinator {
  static let flow = FlowDescription("gallery", title: "Gallery", summary: "Every kind of screen.")

  enum Route: Codable, CaseIterable { case menu, fields, list, hostile, progress, waiting, message, confirm }
  struct State: FlowState {
    /// The number of times that the user has pressed `again` on the form.
    var count = 0
    var isLoading = false
  }
  struct Work: Codable {}

  let context = Context()

  func start() { router.present(.menu) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .menu:
      .menu(
        "menu", title: "What do you want to see?", body: "Each of these is a kind of screen.\n\nBack leads here again.",
        choices: [
          Action("fields", "Fields"), Action("list", "A long list"), Action("hostile", "Hostile texts"),
          Action("progress", "Progress"), Action("waiting", "Waiting"), Action("message", "A message"),
          Action("confirm", "Something modal"),
          .cancel("leave", "Leave"),
        ])
    case .fields: fields
    case .list:
      .list(
        "list", title: "Many rows",
        items: (1...300).map { Item("row-\($0)", Text(verbatim: "Row \($0)"), subtitle: Text(verbatim: "Number \($0) of 300")) })
    case .hostile: hostile
    case .progress:
      .progress(
        "progress", title: "Copying", body: "This takes a moment.", progress: Progress(fraction: 0, text: "Getting ready"),
        actions: [.cancel("stop", "Stop")])
    case .waiting:
      .progress(
        "waiting", title: "Waiting for the card", progress: Progress(text: "Hold it to the reader"),
        actions: [.cancel("stop", "Stop")])
    case .message:
      .message(
        "message", title: "All is set", body: "Nothing is left to do.",
        actions: [.primary("okay", "Okay"), Action("more", "More")],
        messages: [.info("saved", "Your changes are saved."), .warning("space", "There is not much space left.")],
        accent: "#ED8212")
    case .confirm:
      .message(
        "confirm", title: "Delete everything?", body: "It cannot be brought back.",
        actions: [.destructive("delete", "Delete"), .cancel("keep", "Keep it")])
    }
  }

  private var fields: Screen {
    let few: [(String, Text)] = [("small", "Small"), ("medium", "Medium"), ("large", "Large")]
    let many = (1...12).map { ("city-\($0)", Text(verbatim: "City \($0)")) }
    let toppings = Schema.choice(title: "Topping", [("nuts", "Nuts"), ("cream", "Cream"), ("sauce", "Sauce")])
    return .form(
      "fields", title: "Tell us about yourself", body: Text(verbatim: "Counted \(state.count) times."),
      form: Form(
        Field("name", .string(title: "Name", summary: "As on your passport.", length: 1...64)),
        Field("mail", .email(title: "E-mail address")).optional, Field("age", .integer(title: "Age", range: 0...150)),
        Field("height", .number(title: "Height in metres")).optional,
        Field("size", .choice(title: "Size", few)),
        Field("colour", .choice(title: "Colour", [("red", "Red"), ("blue", "Blue")])).optional,
        Field("city", .choice(title: "City", many)).optional,
        Field("toppings", .array(of: toppings, title: "Toppings", isUnique: true)).optional,
        Field("guests", .array(of: .string(title: "Guest"), title: "Guests")).optional,
        Field("about", .string(title: "About you", length: 0...2000)).optional,
        Field("news", .boolean(title: "Send me the news")).optional, Field("pin", .secret(title: "PIN", length: 4...8))),
      values: ["age": 42], actions: [.primary("send", "Send"), Action("again", "Count again"), .cancel("never", "Never mind")])
  }

  private var hostile: Screen {
    let text = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)> &amp; \u{202E}evil"
    return .list(
      "hostile", title: Text(verbatim: text), body: Text(verbatim: text),
      items: [Item("\"><script>alert(3)</script>", Text(verbatim: text), subtitle: Text(verbatim: text))],
      actions: [Action("x\" onclick=\"alert(4)", Text(verbatim: text))], messages: [.info("x", Text(verbatim: text))])
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.menu, "leave"): cancel()
    case (.menu, "confirm"): router.present(.confirm, as: .modal)
    case (.menu, "progress"):
      router.present(.progress)
      try startWork(Work())
    case (.menu, "waiting"): router.present(.waiting)
    case (.menu, "fields"): router.present(.fields)
    case (.menu, "list"): router.present(.list)
    case (.menu, "hostile"): router.present(.hostile)
    case (.menu, "message"): router.present(.message)
    case (.fields, "again"): state.count += 1
    default: router.dismiss()
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    for step in 1...20 {
      try await Task.sleep(for: .milliseconds(150))
      context.report(Progress(fraction: Double(step) / 20, text: Text(verbatim: "File \(step) of 20")))
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) { router.present(.message) }
}
