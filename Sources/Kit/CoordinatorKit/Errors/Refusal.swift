/// The error that a handler throws to refuse a call. The transition is dropped, the caller receives the refusal, and no
/// coordinator ends (rule 3).
///
/// ```swift
/// guard !state.basket.isEmpty else { throw Refusal.denied("the basket is empty") }
/// ```
public enum Refusal: Error, Sendable, Hashable {
  /// A guard refused the call, for the given reason.
  case denied(String)
  /// The payload is invalid in a way that the schema cannot express; the reasons are keyed by field.
  case invalidPayload([String: String])
  /// The flow does not accept its input; the reasons are keyed by input key.
  case invalidInput([String: String])
  /// A limit is exceeded.
  case limitExceeded(String)
  /// The screen or the coordinator cannot be left this way.
  case notDismissable(String)
  /// No flow has that name.
  case unknownFlow(String)
}

extension Refusal {
  /// The refusal of a call that starts an internal flow; see ``FlowDescription/isInternal``.
  package static func isInternal(_ flow: String) -> Refusal {
    .denied("the flow \(flow) is internal: only other flows start it")
  }

  /// Whether a limit is exceeded.
  var isLimit: Bool { if case .limitExceeded = self { true } else { false } }

  /// The refusal of an event whose handlers set off others without end (rule 1).
  static func tooManyHandlers(_ limits: Limits) -> Refusal {
    .limitExceeded("an event must not trigger more than \(limits.maxHandlers) handlers")
  }
}

extension Refusal: CustomStringConvertible {
  /// One line for people.
  public var description: String {
    switch self {
    case .denied(let reason), .limitExceeded(let reason), .notDismissable(let reason): reason
    case .invalidPayload(let reasons): "the payload is not valid: \(Self.list(reasons))"
    case .invalidInput(let reasons): "the flow does not accept this input: \(Self.list(reasons))"
    case .unknownFlow(let name): "the catalogue has no flow '\(name)'"
    }
  }

  private static func list(_ reasons: [String: String]) -> String {
    reasons.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
  }
}
