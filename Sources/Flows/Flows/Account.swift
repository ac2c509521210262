import Accounts
import CoordinatorKit

/// A log-in flow that uses an account manager.
///
/// Demonstrates: a form, slow work that runs beside the flow, a busy screen while the work runs, its result, and a
/// secret that is never stored.
actor Account: Coordinator {
  static let flow = FlowDescription("account", title: "Account", summary: "Log in with a name and a password.")

  enum Route: Codable, CaseIterable {
    case logIn, userProfile
  }

  struct State: FlowState {
    var username = ""
    /// The reason why the last check did not let the user in.
    var problem: Problem?
  }

  struct Credentials: Codable {
    var username: String
  }

  struct Result: FormValues {
    var username: String

    static let form = TypedForm<Result>(.text(\.username, title: "User name"))
  }

  enum Work: Codable {
    case check(username: String)
  }

  let context = Context()
  private let accounts: any AccountManager

  init(accounts: any AccountManager) { self.accounts = accounts }

  func start() { router.present(.logIn) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .logIn:
      let form = Screen.form(
        "log-in", title: "Log in",
        form: Form(
          Field("username", .string(title: "User name", length: 1...64)),
          Field("password", .secret(title: "Password", length: 1...128))),
        values: ["username": .string(state.username)],
        actions: [.primary("submit", "Log in"), .cancel("cancel", "Cancel")],
        messages: state.problem.map { [$0.message] } ?? [])
      return runningWork.isEmpty ? form : form.busy("Checking the password")
    case .userProfile:
      return .message(
        "user-profile", title: "Your account", body: Text("You are logged in as {name}.", ["name": state.username]),
        actions: [Action("log-out", "Log out"), .primary("done", "Done")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.logIn, "submit"):
      state = State(username: try event.payload.decoded(as: Credentials.self).username)
      try startWork(.check(username: state.username), secrets: event.payload.secrets)
    case (.logIn, "cancel"):
      cancel()
    case (.userProfile, "log-out"):
      state = State()
      router.replace(with: .logIn)
    case (.userProfile, "done"):
      try finish(Result(username: state.username))
    default:
      throw event.notTaken
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Verdict {
    switch work {
    case .check(let username): try await accounts.check(username, password: context.secret("password"))
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Verdict>) {
    switch result {
    case .done(.accepted): router.replace(with: .userProfile)
    case .done(.wrong): state.problem = .invalidCredentials
    case .done(.tooManyAttempts): state.problem = .tooManyAttempts
    case .failed: state.problem = .unavailable
    }
  }

  func workInterrupted(_ work: Work) { state.problem = .interrupted }
}

extension Account {
  /// The reason why a check did not let the user in. The raw value is the code of the message.
  enum Problem: String, Codable {
    case invalidCredentials = "invalid-credentials"
    case tooManyAttempts = "too-many-attempts"
    case interrupted
    case unavailable

    var message: ScreenMessage {
      switch self {
      case .invalidCredentials: .error(rawValue, "The user name or the password is wrong.")
      case .tooManyAttempts: .error(rawValue, "Too many wrong passwords. Try again in half a minute.")
      case .interrupted: .warning(rawValue, "The check was interrupted. Please type your password again.")
      case .unavailable: .error(rawValue, "Passwords cannot be checked at the moment.")
      }
    }
  }
}
