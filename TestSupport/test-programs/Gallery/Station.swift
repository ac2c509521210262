import CoordinatorKit

/// A flow with conditional fields, hints, a list of small objects, and a screen that counts down.
actor Station: Coordinator {
  static let flow = FlowDescription("station", title: "Station", summary: "Fields with conditions, hints and entries.")

  enum Route: RouteValue {
    case network
    case joined(until: Timestamp)
  }

  struct State: FlowState {}

  let context = Context()

  func start() { router.present(.network) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .network: network
    case .joined(let until):
      Screen(
        "joined", kind: .message, title: "The station is on the network", actions: [.primary("okay", "Okay")], until: until)
    }
  }

  private var network: Screen {
    let security = Schema.Rule.choice([
      Schema.Choice("open", title: "Open", annotations: ["description": "Anyone nearby can read along"]),
      Schema.Choice("wpa", title: "WPA", annotations: ["description": "With a passphrase"]),
    ])
    let server = Schema.object(
      Field("ip", .ipAddress(title: "IP address")), Field("port", .integer(title: "Port", range: 1...65535)).optional)
    return .form(
      "network", title: "Join a network",
      form: Form(
        Field(
          "name",
          .string(title: "Name", length: 1...32, pattern: "^[a-z0-9-]+$").example("attic-2")
            .explained("Use small letters, digits and hyphens.")),
        Field("security", Schema(security, title: "Security")),
        Field("passphrase", .secret(title: "Passphrase", length: 8...63).revealable).shown(if: "security", is: "wpa"),
        Field("cache", .integer(title: "Cache", range: 1...64, default: 16).measured(in: "MB")).optional,
        Field("notes", .multilineText(title: "Notes")).optional,
        Field("servers", .array(of: server, title: "Servers", count: 0...4)).optional),
      actions: [.primary("join", "Join")])
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.network, "join"):
      router.present(.joined(until: now + .seconds(3600)))
    default: cancel()
    }
  }
}
