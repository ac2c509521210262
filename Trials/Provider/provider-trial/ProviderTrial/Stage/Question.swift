import CoordinatorKit
import DBus

/// The arguments of a `Decide` except for its turn, in the form in which they are sent on the bus.
struct Question: Sendable, Hashable {
  var flow: String
  var instance: String
  var state: String
  var event: [String: Value]
  var context: [String: Value]

  /// Creates a question from a question of the kit.
  init(_ question: FlowQuestion, deadline: Duration) throws {
    let arguments = try question.arguments(deadline: deadline)
    flow = question.instance.flow
    instance = question.instance.name
    state = question.state
    event = arguments[4].vardict ?? [:]
    context = arguments[5].vardict ?? [:]
  }

  /// The kind of the event.
  var kind: String { event["kind"]?.string ?? "" }
  /// The names of the secrets that the provider may give to work.
  var secrets: Set<String> {
    Set([event["secrets"], context["secrets"]].flatMap { $0?.elements?.compactMap(\.string) ?? [] })
  }
  /// The keys of the coordinator's screens.
  var screens: [String] { context["screens"]?.elements?.compactMap(\.string) ?? [] }

  /// Whether a caller may wait for the result of the event, so that the provider can refuse it.
  var isAwaited: Bool {
    !["work-ended", "work-interrupted", "secrets-gone", "timer", "looking", "language", "migrate"].contains(kind)
  }

  /// The event for people, such as `event size ▸ large`.
  var place: String {
    let parts = ["key", "name", "timer", "work", "outcome"].compactMap { event[$0]?.string }
    return ([kind] + (parts.isEmpty ? [] : [parts.joined(separator: " ▸ ")])).joined(separator: " ")
  }

  /// The question without the instance: the same question to two instances differs only in their names.
  var essence: Question {
    var essence = self
    essence.instance = ""
    return essence
  }

  /// Returns the arguments in the order of the contract.
  func arguments(turn: UInt64) -> [Value] {
    [.string(flow), .string(instance), .uint64(turn), .string(state), .vardict(event), .vardict(context)]
  }

  /// Returns the same situation with another event.
  func asking(_ kind: String, _ rest: [String: Value] = [:]) -> Question {
    var question = self
    question.event = rest.merging(["kind": .string(kind)]) { $1 }
    return question
  }
}
