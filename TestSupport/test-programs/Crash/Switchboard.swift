import CoordinatorKit
import Languages

/// A flow that exchanges values with its child in the same transitions. It reveals a daemon that delivers a value twice, or
/// stores half of an exchange.
actor Switchboard: Coordinator {
  static let flow = FlowDescription("switchboard", title: "Switchboard", summary: "Answers what its child says.")

  enum Route: Codable { case log }
  struct State: FlowState { var heard = 0 }

  struct Result: Codable {
    var heard: Int
    var counted: Int
  }

  let context = Context()

  func start() throws {
    router.present(.log)
    try startChild(Extension.self)
  }

  func screen(for route: Route) -> Screen {
    .message("log", title: "Switchboard", body: Text(verbatim: "\(state.heard) heard, \(language?.description ?? "no language")"))
  }

  func allowsBack(from route: Route) -> Bool { false }

  func childEmitted(_ output: ChildOutput) throws {
    guard case .said(let count)? = output.value(from: Extension.self) else { return }
    state.heard += 1
    setLanguage(try LanguageTag(count.isMultiple(of: 2) ? "en" : "de"))
    try send(.heard(state.heard), to: output.child, of: Extension.self)
  }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    guard let end = try child.end(of: Extension.self, outcome) else { return }
    guard case .finished(let result) = end else { return cancel() }
    try finish(Result(heard: state.heard, counted: result.said))
  }
}

/// The child of ``Switchboard``.
actor Extension: Coordinator {
  static let flow = FlowDescription("extension", title: "Extension", isInternal: true)

  enum Route: Codable { case line }

  struct State: FlowState {
    var said = 0
    var answered = 0
  }

  struct Result: Codable { var said: Int }
  enum Output: Codable { case said(Int) }
  enum Message: Codable { case heard(Int) }

  let context = Context()

  func start() { router.present(.line) }

  func screen(for route: Route) -> Screen {
    .message(
      "line", title: "Line", body: Text(verbatim: "\(state.said) said, \(state.answered) answered"),
      actions: [.primary("say", "Say"), Action("hang-up", "Hang up")])
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "say":
      state.said += 1
      emit(.said(state.said))
    case "hang-up": try finish(Result(said: state.said))
    default: throw event.notTaken
    }
  }

  func parentSent(_ message: Message) {
    guard case .heard(let count) = message else { return }
    state.answered = count
  }
}
