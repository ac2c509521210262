import CoordinatorKit

/// Joins a wireless network; Docs/writing-flows.md shows parts of it.
actor JoinNetwork: Coordinator {
  static let flow = FlowDescription(
    "join-network", title: "Join a network", summary: "Connects this device to a wireless network.", version: 2)

  enum Route: Codable, CaseIterable {
    case network, joined
  }

  struct State: FlowState {
    var network = ""
    var problem: Text?
  }

  struct Network: Codable {
    var name: String
    var security: Security
  }

  enum Work: Codable {
    case join(Network)
  }

  static func migrate(_ stored: inout StoredFlow, from version: Int) {
    // Version 1 called the network `ssid`.
    stored.state = ["network": stored.state["ssid"] ?? ""]
  }

  let context = Context()
  private let radio: any Radio

  init(radio: any Radio) { self.radio = radio }

  func start() { router.present(.network) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .network:
      let form = Screen.form(
        "network", title: "Which network?", form: networkForm, values: ["name": .string(state.network)],
        actions: [.primary("join", "Join"), .cancel("stop", "Stop")],
        messages: state.problem.map { [.error("not-joined", $0)] } ?? [])
      return runningWork.isEmpty ? form : form.busy(Text("Joining {network}", ["network": state.network]))
    case .joined:
      return .message(
        "joined", title: "Connected", body: Text("This device is in the network {network}.", ["network": state.network]),
        actions: [.primary("okay", "Okay")])
    }
  }

  private var networkForm: Form {
    Form(
      Field("name", .string(title: "Name", length: 1...32)),
      Field("security", .choice(title: "Security", of: Security.allCases, default: .wpa)),
      Field("passphrase", .secret(title: "Passphrase", length: 8...63, pattern: "^[ -~]*$")).optional)
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.network, "join"):
      let network = try event.payload.decoded(as: Network.self)
      if network.security == .wpa, event.payload.secret("passphrase") == nil {
        throw Refusal.invalidPayload(["passphrase": "is required by this network"])
      }
      state = State(network: network.name)
      try startWork(.join(network), secrets: event.payload.secrets)
    case (.network, "stop"):
      if runningWork.isEmpty { cancel() } else { cancelWork() }
    case (.joined, "okay"):
      finish()
    default:
      throw event.notTaken
    }
  }

  func allowsBack(from route: Route) -> Bool { route != .joined }

  var canBeCancelled: Bool { runningWork.isEmpty }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    switch work {
    case .join(let network):
      context.report(Progress(fraction: 0.5, text: Text("Talking to {network}", ["network": network.name])))
      try await radio.join(network.name, passphrase: context.secrets["passphrase"])
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {
    switch result {
    case .done: router.replace(with: .joined)
    case .failed: state.problem = "The network does not let this device in."
    }
  }

  func workInterrupted(_ work: Work) { state.problem = "Please type the passphrase again." }
}

/// How a network is protected.
enum Security: String, Codable, CaseIterable, MenuChoice {
  case wpa, open

  var title: Text { self == .wpa ? "WPA" : "None" }
}

/// What joins networks.
protocol Radio: Sendable {
  /// Joins a network.
  ///
  /// - Parameters:
  ///   - network: its name.
  ///   - passphrase: what lets the device in; nil for a network that is open.
  /// - Throws: what kept the device out.
  func join(_ network: String, passphrase: Secret?) async throws
}
