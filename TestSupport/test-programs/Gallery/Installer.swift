import CoordinatorKit

/// A flow of steps with the features of a wizard: structured text, an image and a QR code, lists with groups and suggestions,
/// several choices, answers to check, and confirmations.
actor Installer: Coordinator {
  static let flow = FlowDescription("installer", title: "Installer", summary: "Steps, choices, answers to check, pictures.")

  enum Route: RouteValue {
    case guide, machine, zone, packages, summary, code
  }

  struct State: FlowState {
    var zone = ""
    var packages: [String] = []
  }

  let context = Context()

  func start() { router.present(.guide) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .guide:
      .message(
        "guide", title: "Before you begin",
        actions: [
          .primary("begin", "Begin"), Action("repair", "Repair").disabled(because: "There is nothing to repair."),
        ]
      ).with(Self.guide).with(Self.image)
    case .machine:
      .form(
        "machine", title: "The machine",
        form: Form(
          Field("name", .string(title: "Name", length: 1...32)), Field("owner", .string(title: "Owner", length: 1...64)).optional),
        actions: [.primary("next", "Next")]
      ).step(1, of: 4)
    case .zone: .list("zone", title: "Time zone", items: Self.zones).choosing(initial: ["Europe/Berlin"]).step(2, of: 4)
    case .packages:
      .list("packages", title: "Packages", items: Self.packages).choosing(1...2, initial: ["vim"]).step(3, of: 4)
    case .summary:
      .message(
        "summary", title: "Check your answers",
        actions: [
          .destructive("install", "Install").confirming("Erase the disk sda, and install?"),
          Action("later", "Later").confirming("Keep the answers for later?"),
        ]
      ).reviewing(
        review() + [
          ReviewRow("Time zone", Text(verbatim: state.zone)),
          ReviewRow("Packages", Text(verbatim: state.packages.joined(separator: "\n"))),
        ]
      )
      .step(4, of: 4)
    case .code:
      .message("code", title: "Pair your telephone", body: "Read this code.", actions: [.primary("done", "Done")])
        .with(.code("https://example.org/pair?key=4711"))
    }
  }

  private static let guide = Markup(
    """
    Everything on the disk is **erased**. Find its name with `lsblk`, and read the \
    [manual](https://example.org/manual) first.

    - Connect the machine to the power supply, and leave it connected until the installation has ended.
    - Have the password of the network ready.

    ```
    NAME   SIZE
    sda     64G   internal
    ```
    """)

  private static let image = Picture.board.map {
    Picture.image($0, description: "The back of the machine, with its three sockets")
  }

  private static let zones = [
    Item("Europe/Paris", "Paris", group: "Europe"), Item("Europe/Berlin", "Berlin", group: "Europe"),
    Item("Asia/Tokyo", "Tokyo", group: "Asia"),
    Item("Asia/Pyongyang", "Pyongyang", group: "Asia", disabled: "There are no mirrors nearby."), Item("UTC", "UTC"),
  ]

  private static let packages = [
    Item("vim", "vim", subtitle: "an editor", group: "Editors"), Item("ed", "ed", subtitle: "the editor", group: "Editors"),
    Item("gcc", "gcc", subtitle: "a compiler", group: "Tools"),
    Item("swift", "swift", group: "Tools", disabled: "The disk is too small."),
  ]

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.guide, "begin"): router.present(.machine)
    case (.machine, "next"): router.present(.zone)
    case (.zone, Event.select):
      state.zone = event.payload.string("id") ?? ""
      router.present(.packages)
    case (.packages, Event.select):
      state.packages = try event.selections
      router.present(.summary)
    case (.summary, "install"): router.present(.code)
    case (.summary, "later"): cancel()
    case (.code, "done"): finish()
    default: throw event.notTaken
    }
  }
}
