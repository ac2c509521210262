import CoordinatorKit

/// A wizard of two child flows: the children emit what was chosen and stay alive, so Back leads into both of them.
actor FirstBoot: Coordinator {
  static let flow = FlowDescription("first-boot", title: "Set up this device", isRehearsable: true)

  enum Route: Codable, Hashable { case welcome, summary(user: String, network: String) }
  struct Result: Codable { var user, network: String }
  enum Do: String { case begin, apply }

  let context = Context()

  func start() { router.present(.welcome) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .welcome:
      .message("welcome", title: "Welcome", actions: [.primary(Do.begin, "Begin")])
    case .summary(let user, let network):
      .message(
        "summary", title: "Check your answers", body: Text(verbatim: "User: \(user)\nNetwork: \(network)"),
        actions: [.primary(Do.apply, "Apply")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, try event.action(as: Do.self)) {
    case (.welcome, .begin): try startChild(UserSetup.self)
    case (.summary(let user, let network), .apply): try finish(Result(user: user, network: network))
    default: throw event.notTaken
    }
  }

  func childEmitted(_ output: ChildOutput) throws {
    if let user = output.value(from: UserSetup.self) {
      try startChild(NetworkSetup.self, input: .init(user: user.name))
    } else if let network = output.value(from: NetworkSetup.self) {
      router.present(.summary(user: network.user, network: network.name))
    }
  }
}

/// A step that tells its parent the name of a user.
actor UserSetup: Coordinator {
  static let flow = FlowDescription("user-setup", title: "User", isRehearsable: true)

  enum Route: Codable { case name }
  struct State: FlowState { var name = "" }
  struct Output: Codable { var name: String }
  enum Do: String { case next }

  let context = Context()

  func start() { router.present(.name) }

  func screen(for route: Route) -> Screen {
    .form(
      "user-name", title: "Who will use this device?",
      form: Form(Field("name", .string(title: "Name", length: 1...32))), values: ["name": .string(state.name)],
      actions: [.primary(Do.next, "Next")])
  }

  func receive(_ event: Event, on route: Route) throws {
    let output = try event.payload.decoded(as: Output.self)
    state.name = output.name
    emit(output)
  }
}

/// A step that tells its parent which network was chosen for which user.
actor NetworkSetup: Coordinator {
  static let flow = FlowDescription(
    "network-setup", title: "Network", input: Form(Field("user", .string(title: "User"))), isRehearsable: true)

  enum Route: Codable { case networks }
  struct Input: Codable { var user: String }
  struct Output: Codable { var user, name: String }

  let context = Context()

  func start() { router.present(.networks) }

  func screen(for route: Route) -> Screen {
    .list(
      "networks", title: Text(verbatim: "Which network for \(input.user)?"),
      items: [Item("home", "Home"), Item("office", "Office")])
  }

  func receive(_ event: Event, on route: Route) throws {
    emit(Output(user: input.user, name: try event.selection))
  }
}
