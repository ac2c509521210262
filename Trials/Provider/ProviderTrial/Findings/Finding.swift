/// Something that a provider got wrong.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
  /// What was tried.
  public let check: Check
  /// The name of the flow; nil if it concerns the provider as a whole.
  public let flow: String?
  /// The event, such as `event size ▸ large`.
  public let event: String?
  /// The turn of the question.
  public let turn: UInt64?
  /// What happened, in a sentence without a full stop.
  public let text: String

  /// The finding with its rule, the event, the turn, and what to do.
  public var description: String {
    let place = [flow, event, turn.map { "turn \($0)" }].compactMap(\.self).joined(separator: ", ")
    return "\(check.rule): \(place.isEmpty ? "" : place + ": ")\(text). \(check.advice)"
  }

  /// Whether another finding says the same of another turn.
  func repeats(_ other: Finding) -> Bool {
    check == other.check && flow == other.flow && event == other.event
  }
}
