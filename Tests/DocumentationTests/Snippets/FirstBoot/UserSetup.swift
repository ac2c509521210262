import CoordinatorKit

/// The step of ``FirstBoot`` that asks who will use the machine.
actor UserSetup: Coordinator {
  static let flow = FlowDescription("user-setup", title: "User", isInternal: true)

  enum Route: Codable, CaseIterable { case user, weak }
  struct State: FlowState {
    var user = Person()
    var isPasswordLost = false
  }
  typealias Output = Person
  enum Do: String { case next, use, change }

  let context = Context()

  func start() { router.present(.user) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .user:
      .form(
        "user", title: "Who will use this machine?", form: Form(Person.self), values: state.user.initialValues,
        actions: [.primary(Do.next, "Next")],
        messages: state.isPasswordLost ? [.warning("password-lost", "Please type the password again.")] : []
      ).step(3, of: 6)
    case .weak:
      .message(
        "weak-password", title: "Use this password?", body: "It has fewer than ten characters.",
        actions: [Action(Do.use, "Use it anyway"), .cancel(Do.change, "Choose another one")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch try event.action(as: Do.self) {
    case .next:
      let password = try password(in: event.payload)
      keep(password, as: "password")
      state = State(user: try event.payload.decoded())
      if password.isWeak { router.present(.weak, as: .modal) } else { emit(state.user, secrets: ["password": password]) }
    case .use:
      guard let password = keptSecret("password") else { throw Refusal.denied("the password has to be typed again") }
      router.dismiss()
      emit(state.user, secrets: ["password": password])
    case .change:
      forgetSecret("password")
      router.dismiss()
    }
  }

  /// Returns the password that was typed twice, or the one that was typed before the user came back here.
  private func password(in payload: Payload) throws -> Secret {
    switch (payload.secret(Person.Secrets.password), payload.secret(Person.Secrets.repeated)) {
    case (let password?, let repeated?) where password.matches(repeated): return password
    case (nil, nil):
      guard let kept = keptSecret("password") else { throw Refusal.invalidPayload(["password": "is required"]) }
      return kept
    default: throw Refusal.invalidPayload(["repeated": "is not the same as the password"])
    }
  }

  func secretsLost(_ names: Set<String>) throws {
    state.isPasswordLost = true
    try router.dismiss(to: .user)
  }
}

extension Secret {
  fileprivate var isWeak: Bool { withBytes { $0.count < 10 } }
}
