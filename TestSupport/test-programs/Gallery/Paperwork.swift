import CoordinatorKit

/// A flow with the features of screens beyond texts and fields: steps, groups, several choices, entries, questions, structured
/// texts, pictures, and answers to check.
actor Paperwork: Coordinator {
  static let flow = FlowDescription("paperwork", title: "Paperwork", summary: "Everything that a screen can say.")

  enum Route: RouteValue {
    case desk
    case zone
    case packages
    case servers
    case check
    case manual
    case code
    case done(String)
  }

  struct State: FlowState {
    /// The number of times that the rows of the packages have been replaced.
    var scans = 0
    /// The item that was taken from the desk last.
    var taken: String?
  }

  let context = Context()

  func start() { router.present(.desk) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .desk: desk
    case .zone: zones
    case .packages: packages
    case .servers: servers
    case .check:
      Screen.message(
        "check", title: "Check your answers",
        actions: [.primary("apply", "Apply").confirming("Apply this to the machine?"), .cancel("back", "Not yet")]
      ).reviewing(review()).step(3, of: 3)
    case .manual: manual
    case .code:
      Screen.message("code", title: "Scan this", actions: [.primary("okay", "Okay")])
        .with(.code("WIFI:T:WPA;S:attic;P:correct horse;;"))
    case .done(let text): .message("done", title: "Thank you", body: Text(verbatim: text), actions: [.primary("okay", "Okay")])
    }
  }

  private var desk: Screen {
    .menu(
      "desk", title: "What is on the desk?",
      choices: [
        Action("zone", "Time zone").explained("Where the machine is"), Action("packages", "Packages"),
        Action("servers", "Servers"), Action("manual", "Manual"), Action("code", "Code"),
        Action("stamp", "Stamp").disabled(because: "The stamp is at the repair shop."),
        .destructive("erase", "Erase everything").confirming("Erase everything on this machine?"),
        Action("burn", "Burn the desk").disabled(because: "There are no matches."),
      ], suggested: state.taken)
  }

  private var zones: Screen {
    Screen.list(
      "zone", title: "Which time zone?",
      items: [
        Item("Europe/Berlin", "Berlin", group: "Europe"), Item("Europe/Paris", "Paris", group: "Europe"),
        Item("Europe/Atlantis", "Atlantis", subtitle: "Under water", group: "Europe", disabled: "It has sunk."),
        Item("Asia/Tokyo", "Tokyo", group: "Asia"), Item("UTC", "None of these"),
      ]
    ).choosing(initial: ["Europe/Paris"]).step(1, of: 3)
  }

  private var packages: Screen {
    let others = (0..<state.scans).map { Item("new-\($0)", Text(verbatim: "New package \($0)"), group: "Editors") }
    return Screen.list(
      "packages", title: "Which packages?",
      items: others + [
        Item("vim", "vim", subtitle: "Visual", group: "Editors"), Item("ed", "ed", group: "Editors"),
        Item("gcc", "gcc", group: "Compilers"), Item("cc", "cc", group: "Compilers", disabled: "It is part of gcc."),
      ], actions: [Action("none", "Skip").confirming("Install no packages?"), Action("scan", "Look again")]
    ).choosing(1...2, initial: ["ed"])
  }

  private var servers: Screen {
    let server = Schema.object(
      Field("ip", .ipAddress(title: "IP address")), Field("port", .integer(title: "Port", range: 1...65535)).optional,
      Field("secure", .boolean(title: "Encrypted")).optional)
    return Screen.form(
      "servers", title: "Which servers?",
      form: Form(
        Field("name", .string(title: "Name", length: 1...32)),
        Field("servers", .array(of: server, title: "Servers", count: 0...3)).optional,
        Field("password", .secret(title: "Password", length: 4...32))),
      actions: [
        .primary("use", "Use them").confirming("Use these servers from now on?"), Action("scan", "Scan"),
        Action("print", "Print").disabled(because: "The printer is out of paper."), .cancel("never", "Never mind"),
      ]
    ).step(2, of: 3)
  }

  private var manual: Screen {
    let text = Markup(
      """
      Log in as **ada** and run `make`. See the [manual](https://example.org/a?b=1&c=2) or [write](mailto:ada@example.org).

      - First this
      - Then **that**

      ```
      $ make check
      all is well    and this line is so long that it cannot be on a telephone without scrolling to its end
      ```
      """)
    return Screen.message("manual", title: "How it works", actions: [.primary("okay", "Okay")])
      .with(text).with(Picture.board.map { .image($0, description: "A chessboard") })
  }

  func receive(_ event: Event, on route: Route) throws {
    if route == .desk { state.taken = event.name }
    switch (route, event.name) {
    case (.desk, "zone"): router.present(.zone)
    case (.desk, "packages"): router.present(.packages)
    case (.desk, "servers"): router.present(.servers)
    case (.desk, "manual"): router.present(.manual)
    case (.desk, "code"): router.present(.code)
    case (.desk, "erase"): router.present(.done("Everything is erased."))
    case (.zone, Event.select): router.present(.done(try event.selection))
    case (.packages, "scan"): state.scans += 1
    case (.packages, Event.select): router.present(.done(try event.selections.joined(separator: ", ")))
    case (.packages, "none"): router.present(.done("No packages."))
    case (.servers, "use"): router.present(.check)
    case (.servers, "scan"): state.scans += 1
    case (.check, "apply"): router.present(.done("It is applied."))
    default: router.dismiss()
    }
  }
}
