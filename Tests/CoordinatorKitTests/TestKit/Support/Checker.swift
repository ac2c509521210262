import CoordinatorKit

/// A flow that checks a word with work that takes time and can be cancelled meanwhile.
actor Checker: Coordinator {
  static let flow = FlowDescription("checker", title: "Checker")

  enum Route: Codable, CaseIterable {
    case word, right
  }

  struct State: FlowState {
    var wasWrong = false
  }

  enum Work: Codable {
    case check(String)
  }

  let context = Context()
  private let check: @Sendable (String) async -> Bool

  init(_ check: @escaping @Sendable (String) async -> Bool) { self.check = check }

  func start() { router.present(.word) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .word:
      let screen = Screen.form(
        "word", title: "Word",
        form: Form(Field("word", .string(title: "Word", length: 1...8)), Field("pin", .secret(title: "Pin", length: 4...4))),
        actions: [.primary("check", "Check"), .cancel("stop", "Stop")],
        messages: state.wasWrong ? [.error("wrong", "That is not the word.")] : [])
      return runningWork.isEmpty ? screen : screen.busy()
    case .right:
      return .message("right", title: "Right", actions: [.primary("okay", "Okay")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.word, "check"):
      state.wasWrong = false
      try startWork(.check(event.payload.string("word") ?? ""))
    case (.word, "stop") where runningWork.isEmpty: cancel()
    case (.word, "stop"): cancelWork()
    case (.right, "okay"): finish()
    default: throw event.notTaken
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Bool {
    guard case .check(let word) = work else { return false }
    return await check(word)
  }

  func workEnded(_ work: Work, with result: WorkResult<Bool>) throws {
    switch result {
    case .done(true): router.replace(with: .right)
    case .done(false): state.wasWrong = true
    case .failed: throw Failure(code: "no-check", message: "the word could not be checked")
    }
  }
}
