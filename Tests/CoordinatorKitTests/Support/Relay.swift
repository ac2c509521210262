import CoordinatorKit
import Platform

/// A chain of coordinators that hand on to the root what the lowest one says, and write down in what order it is
/// delivered.
actor Relay: Coordinator {
  static let flow = FlowDescription("relay", title: "Relay", input: Form(Field("depth", .integer(title: "Depth"))))

  /// What was delivered, in order.
  final class Record: Sendable {
    private let words = Lock<[String]>([])
    var delivered: [String] { words.withLock(\.self) }
    func note(_ word: String) { words.withLock { $0.append(word) } }
  }

  enum Route: Codable, Hashable { case page(Int) }
  struct Input: Codable { var depth: Int }
  struct State: FlowState { var heard: [String] = [] }
  typealias Output = String
  typealias Message = String

  let context = Context()
  private let record: Record

  init(record: Record) { self.record = record }

  func start() throws {
    router.present(.page(1))
    if input.depth > 1 { try startChild(Relay.self, input: Input(depth: input.depth - 1)) }
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .page(let number): .message("page-\(number)", title: Text(verbatim: state.heard.joined(separator: " ")))
    }
  }

  func receive(_ event: Event) throws {
    switch event.name {
    case "say": emit(event.payload.string("a") ?? "")
    case "turn": router.present(.page(2))
    case "both":
      for word in ["a", "b", "c"] {
        emit("\(word)-up")
        for child in children { try send("\(word)-down", to: child, of: Relay.self) }
      }
    case "tell":
      state.heard.append("told")
      emit("told")
      for child in children { try send(event.payload.string("a") ?? "", to: child, of: Relay.self) }
    default: throw event.notTaken
    }
  }

  func childEmitted(_ output: ChildOutput) throws {
    guard let word = output.value(from: Relay.self) else { return }
    record.note(word)
    state.heard.append(word)
    emit(word)
  }

  func parentSent(_ message: String) throws {
    record.note(message)
    if message == "no" { throw Refusal.denied("not now") }
    state.heard.append(message)
  }

  func wentBack(from route: Route) {
    if case .page(let number) = route { emit("left-\(number)") }
  }

  func childEnded(_ child: Child, outcome: Outcome) { state.heard.append(outcome.name) }
}
