import CoordinatorKit

/// A parent that listens to its children, and answers them if that is enabled.
actor Listener: Coordinator {
  static let flow = FlowDescription("listener", title: "Listener")

  enum Route: Codable { case first, next }
  struct State: FlowState {
    var heard: [String] = []
    /// What to do with each value: `note`, `answer`, `refuse`, `fail`, `next`, `end`.
    var manner = "note"
  }

  let context = Context()

  func start() throws {
    router.present(.first)
    try startChild(Teller.self)
  }

  func screen(for route: Route) -> Screen { .message("\(route)", title: Text(verbatim: state.heard.joined(separator: " "))) }

  func receive(_ event: Event) throws {
    switch event.name {
    case "manner": state.manner = event.payload.string("a") ?? "note"
    case "ask":
      for child in children { try send(event.payload.string("a") ?? "", to: child, of: Teller.self) }
    case "greet":
      if let child = try startChild(Teller.self) { try send("greeting", to: child, of: Teller.self) }
    case "ask-and-dismiss":
      for child in children {
        try send("late", to: child, of: Teller.self)
        cancelChild(child)
      }
    case "mistake": try children.first.map { try send("x", to: $0, of: Listener.self) }
    default: throw event.notTaken
    }
  }

  func childEmitted(_ output: ChildOutput) throws {
    guard let value = output.value(from: Teller.self) else { return state.heard.append("other") }
    state.heard.append(value.text)
    switch state.manner {
    case "answer": try send(value.text, to: output.child, of: Teller.self)
    case "refuse": throw Refusal.denied("not now")
    case "fail": throw Failure(code: "deaf", message: "cannot hear")
    case "next": router.present(.next)
    case "end": cancel()
    default: break
    }
  }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    switch try child.end(of: Teller.self, outcome) {
    case .finished(let result): state.heard.append("finished=\(result.count)")
    case .cancelled: state.heard.append("cancelled")
    case .failed(let failure): state.heard.append("failed=\(failure.code)")
    case nil: state.heard.append("unknown")
    }
  }

  func parentSent(_ message: String) { state.heard.append(message) }
}

/// A child that sends messages to its parent, and repeats the answers.
actor Teller: Coordinator {
  static let flow = FlowDescription("teller", title: "Teller")

  enum Route: Codable { case page }
  struct State: FlowState {
    var told: [String] = []
    var repeats = false
  }
  struct Output: Codable { var text: String }
  struct Result: Codable { var count: Int }
  typealias Message = String

  let context = Context()

  func start() {
    state.told = ["started"]
    router.present(.page)
  }

  func screen(for route: Route) -> Screen { .message("page", title: Text(verbatim: state.told.joined(separator: " "))) }

  func receive(_ event: Event) throws {
    let text = event.payload.string("a") ?? "x"
    switch event.name {
    case "say": emit(Output(text: text))
    case "count": for number in 1...(Int(text) ?? 1) { emit(Output(text: "\(number)")) }
    case "say-and-finish":
      emit(Output(text: text))
      try finish(Result(count: 1))
    case "finish-and-say":
      try finish(Result(count: 1))
      emit(Output(text: text))
    case "repeat": state.repeats = true
    default: throw event.notTaken
    }
  }

  func parentSent(_ message: String) {
    state.told.append(message)
    if state.repeats { emit(Output(text: message)) }
  }
}
