/// A mistake of a provider.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
  /// The check that found it.
  public let check: Check
  /// The name of the flow; nil if it concerns the provider as a whole.
  public let flow: String?
  /// The event, such as `event size ▸ large`.
  public let event: String?
  /// The turn of the question.
  public let turn: UInt64?
  /// A description of the mistake, in a sentence without a full stop.
  public let text: String

  /// The finding with its rule, the event, the turn, and the advice.
  public var description: String {
    let place = [flow, event, turn.map { "turn \($0)" }].compactMap(\.self).joined(separator: ", ")
    return "\(check.rule): \(place.isEmpty ? "" : place + ": ")\(text). \(check.advice)"
  }

  /// Returns whether another finding is the same for another turn.
  func repeats(_ other: Finding) -> Bool {
    check == other.check && flow == other.flow && event == other.event
  }
}
