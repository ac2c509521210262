import CoordinatorKit

/// Asks who will use the machine. As a root, it adds the user; as a part of another flow, it emits the answers.
actor UserSetup: Coordinator {
  static let flow = FlowDescription(
    "user-setup", title: "Add a user", summary: "Adds somebody who can log in to this machine.",
    input: Form(
      Field("name", .string(title: "Full name", length: 0...64)).optional,
      Field("login", .string(title: "Log-in name", length: 0...32)).optional))

  enum Route: Codable { case user }
  struct Input: Codable {
    var name: String?
    var login: String?
  }
  struct State: FlowState {
    var user = Person()
    var problem: Text?
  }
  typealias Output = Person
  /// The password was lost, and has to be typed again.
  enum Message: Codable { case passwordLost }
  struct Result: FormValues {
    var login: String
    static let form = TypedForm<Result>(.text(\.login, title: "Log-in name"))
  }

  let context = Context()
  private let machine: Machine

  init(machine: Machine) { self.machine = machine }

  func start() {
    state.user = Person(name: input.name ?? "", login: input.login ?? "")
    router.present(.user)
  }

  func screen(for route: Route) -> Screen {
    .form(
      "user", title: "Who will use this machine?", form: Form(Person.self), values: state.user.initialValues,
      actions: [.primary("next", path?.parent == nil ? "Add" : "Next")],
      messages: state.problem.map { [.error("not-added", $0)] } ?? [])
  }

  func receive(_ event: Event, on route: Route) throws {
    let user: Person = try event.payload.decoded()
    guard !machine.choices.systemLogins.contains(user.login) else {
      throw Refusal.invalidPayload(["login": "is taken"])
    }
    let password = try password(in: event.payload)
    keep(password, as: "password")
    state = State(user: user)
    guard path?.parent == nil else { return emit(user, secrets: ["password": password]) }
    try applyOnly([.user, .password], of: Answers(user: user), secrets: [.password: password])
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

  func childEnded(_ child: Child, outcome: Outcome) throws {
    guard case .finished(let applied) = try child.end(of: Applying.self, outcome) else { return }
    state.problem = applied.results.problem
    if state.problem == nil { try finish(Result(login: state.user.login)) }
  }

  func parentSent(_ message: Message) throws {
    state.problem = .secretLost
    try router.dismiss(to: .user)
  }
}
