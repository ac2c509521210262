import CoordinatorKit
import Platform

/// A coordinator that carries out the commands in its events, so that a test can bring a flow tree into any state.
///
/// Every command is accepted with or without a screen. Its argument is in the payload, or after a colon in the name.
actor Probe: Coordinator {
  static let flow = FlowDescription(
    "probe", title: "Probe", input: Form(Field("at", .array(of: .string(title: "Route"), title: "Routes"), isRequired: false)))

  enum Route: Codable, Hashable {
    case named(String)
    case locked
    case form
    case list(count: Int)
  }

  struct State: FlowState {
    var notes: [String] = []
    var outcomes: [String] = []
  }

  struct Input: Codable {
    var at: [String]?
  }

  enum Work: Codable {
    case wait(String)
  }

  typealias Result = [String: String]

  let context = Context()
  private let gates: Gates

  init(gates: Gates = Gates()) { self.gates = gates }

  func start() throws {
    for name in input.at ?? ["first"] {
      switch name {
      case "refuse": throw Refusal.invalidInput(["at": "refuses to start"])
      case "throw": throw Failure(code: "no-start", message: "cannot start")
      case "nothing": break
      case "child": try startChild(Probe.self, input: Input(at: nil))
      default: router.present(.named(name))
      }
    }
  }

  func screen(for route: Route) -> Screen {
    let body = (state.notes + state.outcomes).joined(separator: " ")
    switch route {
    case .named(let name):
      return .message(
        name, title: Text(verbatim: name), body: Text(verbatim: body),
        actions: ProbeCommand.allCases.map { Action($0.rawValue, Text(verbatim: $0.rawValue)) })
    case .locked:
      return .message("locked", title: "Locked", actions: [Action("note:x", "Note")])
    case .form:
      return .form(
        "form", title: "Form",
        form: Form(
          Field("name", .string(title: "Name", length: 1...8)), Field("password", .secret(title: "Password", length: 1...8))),
        values: ["password": .string("must not be shown")], actions: [.primary("submit", "Submit"), Action("note:x", "Note")])
    case .list(let count):
      return .list("list", title: "List", items: (0..<count).map { Item("i\($0)", verbatim: "Item \($0)") })
    }
  }

  func allowsBack(from route: Route) -> Bool { route != .locked }

  func receive(_ event: Event, on route: Route) throws { try command(event) }
  func receive(_ event: Event) throws { try command(event) }
  func receive(_ event: Event, from child: Child) throws {
    guard event.name.hasPrefix("up") else { throw event.notTaken }
    state.notes.append("\(event.name)-from-\(child.path.name)")
    attach(.info("taken", "taken by the parent"))
  }

  func wentBack(from route: Route) throws {
    if state.notes.contains("stay") { throw Refusal.denied("stay here") }
    state.notes.append("back")
  }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    state.outcomes.append("\(child.path.name)=\(outcome.name)")
    if state.notes.contains("cannot-lose-a-child") { throw Failure(code: "lost", message: "lost a child") }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> String {
    guard case .wait(let gate) = work else { return "" }
    context.report(Progress(fraction: 0.5))
    return try await gates.wait(at: gate) + (context.secrets.isEmpty ? "" : "+secret")
  }

  func workEnded(_ work: Work, with result: WorkResult<String>) throws {
    switch result {
    case .done(let word): state.notes.append("work=\(word)")
    case .failed(let error): state.notes.append("work-failed=\(error)")
    }
    if state.notes.contains("cannot-bear-work") { throw Refusal.denied("nobody is there to refuse") }
  }

  // MARK: Commands

  private func command(_ event: Event) throws {
    let words = event.name.split(separator: ":", maxSplits: 1).map(String.init)
    guard let command = words.first.flatMap(ProbeCommand.init(rawValue:)) else {
      if event.name == "submit" { return submit(event) }
      if let id = try? event.selection { return state.notes.append("selected-\(id)") }
      throw event.notTaken
    }
    let argument = words.count > 1 ? words[1] : event.payload.string("a") ?? "x"
    if try route(command, argument) { return }
    try act(command, argument, event)
  }

  private func submit(_ event: Event) {
    let password = event.payload.secret("password").map { "\($0)" } ?? "none"
    state.notes.append("\(event.payload.string("name") ?? "?")/\(event.payload.string("password") ?? "kept")/\(password)")
  }

  private func route(_ command: ProbeCommand, _ argument: String) throws -> Bool {
    switch command {
    case .push: router.present(argument == "locked" ? .locked : .named(argument))
    case .form: router.present(.form)
    case .list: router.present(.list(count: Int(argument) ?? 3))
    case .modal: router.present(.named(argument), as: .modal)
    case .root: router.present(.named(argument), as: .window)
    case .replace: router.replace(with: .named(argument))
    case .pop: router.dismiss()
    case .popTo: try router.dismiss(to: .named(argument))
    case .popAll: router.dismissAll()
    default: return false
    }
    return true
  }

  private func act(_ command: ProbeCommand, _ argument: String, _ event: Event) throws {
    switch command {
    case .child:
      try startChild(Probe.self, input: Input(at: nil), router: RouterKind(rawValue: argument) ?? .navigation)
    case .childAt: try startChild(Probe.self, input: Input(at: [argument]))
    case .endChild: children.last.map { cancelChild($0) }
    case .finish: try finish(["word": argument])
    case .cancel: cancel()
    case .note: state.notes.append(argument)
    case .refuse:
      state.notes.append("refused")
      router.present(.named("refused"))
      throw Refusal.denied("not now")
    case .fail:
      state.notes.append("failed")
      router.present(.named("failed"))
      throw Failure(code: "broken", message: "it broke")
    case .bubble:
      state.notes.append("dropped")
      throw event.notTaken
    case .up: throw event.notTaken
    case .attach: attach(.warning("attached", "an attached message"))
    case .work: try startWork(.wait(argument))
    case .secretWork: try startWork(.wait(argument), secrets: ["word": Secret("swordfish")])
    case .cancelWork: cancelWork()
    default: throw event.notTaken
    }
  }
}

/// The commands of a ``Probe``.
enum ProbeCommand: String, CaseIterable {
  case push, form, list, modal, root, replace, pop, popTo, popAll
  case child, childAt, endChild, finish, cancel, note, refuse, fail, bubble, up, attach, work, secretWork, cancelWork
}

/// Gates at which the work of a ``Probe`` waits until the test opens them.
final class Gates: Sendable {
  private struct Gate {
    var word: String?
    var waiting: [AsyncStream<String>.Continuation] = []
  }
  private let gates = Lock<[String: Gate]>([:])

  /// Waits until the gate is opened, or throws if the task is cancelled first.
  func wait(at name: String) async throws -> String {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let word = gates.withLock { gates in
      gates[name, default: Gate()].waiting.append(continuation)
      return gates[name]?.word
    }
    if let word { return word }
    for await word in stream { return word }
    throw CancellationError()
  }

  /// Opens a gate for all that wait at it now or later.
  func open(_ name: String, saying word: String = "done") {
    let waiting = gates.withLock { gates in
      gates[name, default: Gate()].word = word
      defer { gates[name]?.waiting = [] }
      return gates[name]?.waiting ?? []
    }
    for continuation in waiting {
      continuation.yield(word)
      continuation.finish()
    }
  }
}
