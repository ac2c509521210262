import CoordinatorKit

/// Asks which network to join. As a root, it joins the network; as a part of another flow, it emits the plan.
actor NetworkSetup: Coordinator {
  static let flow = FlowDescription("network-setup", title: "Network", summary: "Connects this machine to a network.")

  enum Route: Codable, Hashable { case networks, details(Network) }
  struct State: FlowState {
    var plan: NetworkPlan?
    var problem: Text?
  }
  enum Work: Codable { case scan }
  struct Live {
    var networks: [Network] = []
    var problem: Text?
  }
  /// The plan, nil if the user skips the network; its passphrase is the secret `passphrase`.
  struct Output: Codable { var plan: NetworkPlan? }
  /// The passphrase was lost, and has to be typed again.
  enum Message: Codable { case passphraseLost }
  struct Result: FormValues {
    var network: String?
    static let form = TypedForm<Result>(.text(\.network, title: "Network"))
  }
  enum Do: String { case select, skip, join }

  let context = Context()
  private let machine: Machine

  init(machine: Machine) { self.machine = machine }

  func start() throws {
    router.present(.networks)
    try startWork(.scan)
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .networks:
      .list(
        "networks", title: "Which network?", body: live == nil ? "Looking for networks" : "",
        items: live?.networks.map(\.item) ?? [], actions: [Action(Do.skip, "Without a network")],
        messages: (live?.problem.map { [.warning("no-scan", $0)] } ?? []) + problem)
    case .details(let network):
      .form(
        "network-details", title: Text("Join {network}", ["network": network.name]), form: form(of: network),
        values: state.plan?.addressing.initialValues ?? [:],
        actions: [.primary(Do.join, path?.parent == nil ? "Join" : "Next")],
        messages: problem)
    }
  }

  private var problem: [ScreenMessage] { state.problem.map { [.error("not-joined", $0)] } ?? [] }

  private func form(of network: Network) -> Form {
    guard network.isSecured else { return Form(Addressing.self) }
    let passphrase = Field("passphrase", .secret(title: "Passphrase", length: 8...63, pattern: "^[ -~]*$").revealable)
    return Form([keptSecret("passphrase") == nil ? passphrase : passphrase.optional] + Form(Addressing.self).fields)
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, try event.action(as: Do.self)) {
    case (.networks, .select):
      let name = try event.selection
      guard let network = live?.networks.first(where: { $0.name == name }) else {
        throw Refusal.denied("\(name) is out of reach")
      }
      if network.name != state.plan?.network.name {
        state = State()
        forgetSecret("passphrase")
      }
      router.present(.details(network))
    case (.networks, .skip):
      state = State()
      if path?.parent == nil { try finish(Result()) } else { emit(Output()) }
    case (.details(let network), .join):
      if let passphrase = event.payload.secret("passphrase") { keep(passphrase, as: "passphrase") }
      let secret = network.isSecured ? keptSecret("passphrase") : nil
      let plan = NetworkPlan(network: network, addressing: try event.payload.decoded())
      state = State(plan: plan)
      if path?.parent == nil {
        try applyOnly([.network], of: Answers(network: plan), secrets: secret.map { [.network: $0] } ?? [:])
      } else {
        emit(Output(plan: plan), secrets: secret.map { ["passphrase": $0] } ?? [:])
      }
    default: throw event.notTaken
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    while true {
      try await context.untilWatched()
      do {
        report(Live(networks: try await machine.networks.reachable()), in: context)
      } catch {
        report(Live(problem: Problem.text(of: error)), in: context)
      }
      try await context.sleep(for: .seconds(2))
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}

  func childEnded(_ child: Child, outcome: Outcome) throws {
    guard case .finished(let applied) = try child.end(of: Applying.self, outcome) else { return }
    state.problem = applied.results.problem
    forgetSecret("passphrase")
    if state.problem == nil { try finish(Result(network: state.plan?.network.name)) }
  }

  func parentSent(_ message: Message) throws {
    state.problem = .secretLost
    guard let plan = state.plan else { return }
    try router.dismiss(to: .details(plan.network))
  }
}

extension Network {
  fileprivate var item: Item {
    Item(
      name, Text(verbatim: name), subtitle: isWired ? "Cable" : Text(verbatim: "\(strength) %"),
      group: isWired ? "Wired" : isSecured ? "Secured" : "Open")
  }
}
