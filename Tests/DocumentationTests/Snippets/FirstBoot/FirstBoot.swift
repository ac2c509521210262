import CoordinatorKit

/// Sets up a machine when it is started for the first time: a wizard of six steps, two of which are separate flows.
///
/// These flows emit their answers and stay alive, so Back leads into them.
actor FirstBoot: Coordinator {
  static let flow = FlowDescription(
    "first-boot", title: "Set up this machine", summary: "Asks what a new machine needs to know.", canBeLeft: false,
    isSingleton: true)

  enum Route: Codable, CaseIterable { case welcome, timeZone, hostName, summary, done }
  struct State: FlowState {
    var setup = Setup()
    var problem: Text?
  }
  typealias Result = Setup
  enum Work: Codable { case apply(Setup) }
  enum Timer: Codable { case restart }
  enum Do: String { case begin, next, apply, restart }

  let context = Context()
  private let machine: any Machine

  init(machine: any Machine) { self.machine = machine }

  func start() { router.present(.welcome) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .welcome:
      .message("welcome", title: "Welcome", actions: [.primary(Do.begin, "Begin")])
        .with(Markup("This takes **two minutes**. You can change every answer before anything happens."))
        .step(1, of: 6)
    case .timeZone:
      .list("time-zone", title: "Where are you?", items: machine.timeZones.map(\.item))
        .choosing(initial: [state.setup.timeZone])
        .step(2, of: 6)
    case .hostName:
      .form(
        "host-name", title: "What is this machine called?", form: Form(Host.self), values: state.setup.host.initialValues,
        actions: [.primary(Do.next, "Next")]
      ).step(4, of: 6)
    case .summary: summary
    case .done:
      .message("done", title: "This machine is ready", actions: [.primary(Do.restart, "Restart now")])
        .with(Markup(Text("Log in as **{name}**.", ["name": state.setup.user.login])))
        .with(.code("https://\(state.setup.host.name).local"))
        .countingDown(to: due(.restart))
    }
  }

  private var summary: Screen {
    let network = children.first { $0.isInstance(of: NetworkSetup.self) }
    let chosen = [
      ReviewRow("Time zone", Text(verbatim: state.setup.timeZone), on: router.screen(of: .timeZone)),
      ReviewRow("Network", state.setup.network.map { Text(verbatim: $0) } ?? "none", on: network.flatMap(router.screen(of:))),
    ]
    let screen = Screen.message(
      "summary", title: "Check your answers",
      actions: [.primary(Do.apply, "Apply").confirming("Set up this machine with these answers?")],
      messages: state.problem.map { [.error("not-applied", $0)] } ?? []
    ).reviewing(chosen + review()).step(6, of: 6)
    return runningWork(.apply) == nil ? screen : screen.busy("Setting up this machine")
  }

  func receive(_ event: Event, on route: Route) throws {
    switch route {
    case .welcome: router.present(.timeZone)
    case .timeZone:
      state.setup.timeZone = try event.selection
      try startChild(UserSetup.self)
    case .hostName:
      state.setup.host = try event.payload.decoded()
      try startChild(NetworkSetup.self)
    case .summary:
      guard let password = keptSecret("password") else { throw Refusal.denied("the password has to be typed again") }
      state.problem = nil
      try startWork(.apply(state.setup), key: .apply, secrets: ["password": password])
    case .done: try finish(state.setup)
    }
  }

  func childEmitted(_ output: ChildOutput) throws {
    if let user = output.value(from: UserSetup.self) {
      state.setup.user = user
      if let password = passedSecret("password") { keep(password, as: "password") }
      router.present(.hostName)
    } else if let joined = output.value(from: NetworkSetup.self) {
      state.setup.network = joined.network
      router.present(.summary)
    }
  }

  func allowsBack(from route: Route) -> Bool { route != .done && runningWork(.apply) == nil }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    switch work {
    case .apply(let setup):
      context.report(Progress(fraction: 0, text: "Setting the time zone"))
      try await machine.setTimeZone(setup.timeZone)
      context.report(Progress(fraction: 0.3, text: "Setting the host name"))
      try await machine.setHostName(setup.host.name)
      context.report(Progress(fraction: 0.6, text: Text("Adding {name}", ["name": setup.user.login])))
      try await machine.add(setup.user, password: context.secret("password"))
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) throws {
    switch result {
    case .done:
      forgetSecret("password")
      try startTimer(.restart, after: .seconds(30))
      router.present(.done)
    case .failed: state.problem = "This machine could not be set up."
    }
  }

  /// The user types the password again (``UserSetup/secretsLost(_:)``), and applies the answers once more.
  func workInterrupted(_ work: Work) {}

  func timerFired(_ timer: Timer) throws { try finish(state.setup) }
}

extension WorkKey {
  fileprivate static let apply: WorkKey = "apply"
}
