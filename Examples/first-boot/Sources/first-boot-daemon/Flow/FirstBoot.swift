import CoordinatorKit

/// Sets a machine up when it is started for the first time. Changes nothing on the machine before the user has reviewed the
/// answers.
actor FirstBoot: Coordinator {
  static let flow = FlowDescription(
    "first-boot", title: "Set up this machine", summary: "Asks what a new machine needs to know, and sets it up.",
    canBeLeft: false, isSingleton: true)

  enum Route: Codable, CaseIterable { case language, keyboard, timeZone, hostName, review, done }
  struct State: FlowState {
    var answers = Answers()
    var results: [SetupStep: StepResult] = [:]
  }
  typealias Result = Summary
  enum Do: String {
    case select, next, apply, change, finish
    // Answers that say `finish` are not the answer to a screen that tells what has failed.
    case finishWithout = "finish-without"
  }

  let context = Context()
  let machine: Machine

  init(machine: Machine) { self.machine = machine }

  func start() { router.present(.language) }

  func screen(for route: Route) -> Screen {
    let answers = state.answers
    let screen: Screen =
      switch route {
      case .language:
        .list("language", title: "Which language?", items: machine.choices.languages.map { Item($0.locale, verbatim: $0.name) })
          .choosing(initial: [answers.language].filter { !$0.isEmpty })
      case .keyboard:
        .list("keyboard", title: "Which keyboard?", items: machine.choices.keyboards.map { Item($0.layout, verbatim: $0.name) })
          .choosing(initial: [answers.keyboard])
      case .timeZone:
        .list("time-zone", title: "Where is this machine?", items: machine.choices.timeZones.map(Item.init(timeZone:)))
          .choosing(initial: [answers.timeZone])
      case .hostName:
        .form(
          "host-name", title: "What is this machine called?", form: Form(Host.self), values: answers.host.initialValues,
          actions: [.primary(Do.next, "Next")])
      case .review: reviewScreen
      case .done: doneScreen
      }
    return Route.allCases.firstIndex(of: route).flatMap { [1, 2, 3, 4, 7, nil][$0] }.map { screen.step($0, of: 7) } ?? screen
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, try event.action(as: Do.self)) {
    case (.language, .select):
      let locale = try event.selection
      if locale != state.answers.language, let language = machine.choices.languages.first(where: { $0.locale == locale }) {
        (state.answers.keyboard, state.answers.timeZone) = (language.keyboard, language.timeZone)
        if let tag = try? LanguageTag(locale) { setLanguage(tag) }
      }
      answer(\.language, locale, of: .language)
      router.present(.keyboard)
    case (.keyboard, .select):
      answer(\.keyboard, try event.selection, of: .keyboard)
      router.present(.timeZone)
    case (.timeZone, .select):
      answer(\.timeZone, try event.selection, of: .timeZone)
      router.present(.hostName)
    case (.hostName, .next):
      answer(\.host, try event.payload.decoded(), of: .hostName)
      try startChild(NetworkSetup.self)
    case (.review, .apply), (.done, .apply): try apply()
    case (.done, .change):
      try router.dismiss(to: .hostName)
      router.present(.review)
    case (.done, .finish), (.done, .finishWithout): try finish(Summary(of: state.answers, state.results))
    default: throw event.notTaken
    }
  }

  /// Stores an answer. A step that was applied before is applied again if its answer differs now.
  private func answer<Value: Equatable>(_ path: WritableKeyPath<Answers, Value>, _ value: Value, of step: SetupStep) {
    if state.answers[keyPath: path] != value { state.results[step] = nil }
    state.answers[keyPath: path] = value
  }

  func childEmitted(_ output: ChildOutput) throws {
    if let chosen = output.value(from: NetworkSetup.self) {
      answer(\.network, chosen.plan, of: .network)
      // A different network must not receive the passphrase of the previous one.
      if let passphrase = passedSecret("passphrase") {
        keep(passphrase, as: SetupStep.network.rawValue)
      } else {
        forgetSecret(SetupStep.network.rawValue)
      }
      try askForUser()
    } else if let user = output.value(from: UserSetup.self) {
      guard !state.isUserFixed || user == state.answers.user else {
        throw Refusal.denied("\(state.answers.user.login) has been added already; only the password is missing")
      }
      answer(\.user, user, of: .user)
      if let password = passedSecret("password") { keep(password, as: SetupStep.password.rawValue) }
      router.present(.review)
    }
  }

  /// Asks for the user, or presents the review if the user is already set up.
  private func askForUser(again: Bool = false) throws {
    guard !state.isApplied(.password) else { return router.present(.review) }
    let user = state.answers.user
    guard let child = try startChild(UserSetup.self, input: .init(name: user.name, login: user.login)), again else { return }
    try send(.passwordLost, to: child, of: UserSetup.self)
  }

  private func apply() throws {
    let steps = SetupStep.allCases.filter { !state.isApplied($0) && ($0 != .network || state.answers.network != nil) }
    let secrets = Dictionary(uniqueKeysWithValues: steps.compactMap { step in keptSecret(step.rawValue).map { (step, $0) } })
    try applyOnly(steps, of: state.answers, secrets: secrets)
  }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    guard case .finished(let applied) = try child.end(of: Applying.self, outcome) else { return }
    state.results.merge(applied.results) { $1 }
    for step in SetupStep.allCases where state.isApplied(step) { forgetSecret(step.rawValue) }
    // The states of the children, including secrets, are released with them.
    try router.dismiss(to: .hostName)
    if state.results[.network] == .needsSecret {
      guard let child = try startChild(NetworkSetup.self) else { return }
      try send(.passphraseLost, to: child, of: NetworkSetup.self)
    } else if state.results[.password] == .needsSecret {
      try askForUser(again: true)
    } else {
      router.present(.done)
    }
  }

  /// A restart has lost secrets: asks for them now, unless they are just being used.
  func secretsLost(_ names: Set<String>) throws {
    guard !children.contains(where: { $0.isInstance(of: Applying.self) }) else { return }
    for child in children {
      if names.contains(SetupStep.network.rawValue), child.isInstance(of: NetworkSetup.self) {
        return try send(.passphraseLost, to: child, of: NetworkSetup.self)
      } else if names.contains(SetupStep.password.rawValue), child.isInstance(of: UserSetup.self) {
        try send(.passwordLost, to: child, of: UserSetup.self)
      }
    }
  }

  func allowsBack(from route: Route) -> Bool { route != .done }
}

extension FirstBoot.State {
  func isApplied(_ step: SetupStep) -> Bool { results[step]?.isApplied == true }

  /// Whether the user stays: one who has been added does, but not one who was there before and has another password.
  var isUserFixed: Bool {
    if results[.user] == .wasSo, case .failed = results[.password] { false } else { isApplied(.user) }
  }
}
