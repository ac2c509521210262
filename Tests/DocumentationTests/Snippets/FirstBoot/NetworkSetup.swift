import CoordinatorKit

/// The step of ``FirstBoot`` that joins a wireless network, which is chosen from a live list.
actor NetworkSetup: Coordinator {
  static let flow = FlowDescription("network-setup", title: "Network", isInternal: true)

  enum Route: Codable, Hashable { case networks, passphrase(WirelessNetwork) }
  struct State: FlowState { var problem: Text? }
  enum Work: Codable { case scan, join(WirelessNetwork) }
  typealias Live = [WirelessNetwork]
  struct Output: Codable { var network: String? }
  enum Do: String { case select, skip, join }

  let context = Context()
  private let machine: any Machine

  init(machine: any Machine) { self.machine = machine }

  func start() throws {
    router.present(.networks)
    try startWork(.scan, key: .scan)
  }

  func screen(for route: Route) -> Screen {
    let messages = state.problem.map { [ScreenMessage.error("not-joined", $0)] } ?? []
    let screen =
      switch route {
      case .networks:
        Screen.list(
          "networks", title: "Choose a network", items: live?.map(\.item) ?? [],
          actions: [Action(Do.skip, "Skip this step")], messages: messages)
      case .passphrase(let network):
        Screen.form(
          "passphrase", title: Text("Join {network}", ["network": network.name]),
          form: Form(Passphrase.self), actions: [.primary(Do.join, "Join")],
          messages: messages)
      }
    return (runningWork(.join) == nil ? screen : screen.busy("Joining")).step(5, of: 6)
  }

  func receive(_ event: Event, on route: Route) throws {
    state.problem = nil
    switch (route, try event.action(as: Do.self)) {
    case (.networks, .select):
      let name = try event.selection
      guard let network = live?.first(where: { $0.name == name }) else { throw Refusal.denied("\(name) is out of reach") }
      if network.isSecured { router.present(.passphrase(network)) } else { try startWork(.join(network), key: .join) }
    case (.networks, .skip):
      cancelWork(.join)
      emit(Output())
    case (.passphrase(let network), .join): try startWork(.join(network), key: .join, secrets: event.payload.secrets)
    default: throw event.notTaken
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    switch work {
    case .scan:
      while true {
        try await context.untilWatched()
        report(await machine.networks(), in: context)
        try await context.sleep(for: .seconds(2))
      }
    case .join(let network): try await machine.join(network, passphrase: context.secrets["passphrase"])
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) throws {
    switch (work, result) {
    case (.join(let network), .done): emit(Output(network: network.name))
    case (.join(let network), .failed): state.problem = Text("{network} does not let this machine in.", ["network": network.name])
    case (.scan, _): break
    }
  }

  func workInterrupted(_ work: Work) { state.problem = "Please type the passphrase again." }
}

extension WorkKey {
  fileprivate static let scan: WorkKey = "scan"
  fileprivate static let join: WorkKey = "join"
}
