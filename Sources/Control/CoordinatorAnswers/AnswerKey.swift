/// The location of an answer in an answers file.
public struct AnswerKey: Sendable, Hashable {
  /// The name of the flow as written in the file.
  public var flow: String
  /// The index of the coordinator, counted from 0, if the file distinguishes the flow's coordinators.
  public var coordinator: Int?
  /// The name of the screen.
  public var screen: String
  /// The index of the answer, counted from 0, if the screen has several.
  public var position: Int?

  /// Creates a key.
  public init(flow: String, coordinator: Int? = nil, screen: String, position: Int? = nil) {
    self.flow = flow
    self.coordinator = coordinator
    self.screen = screen
    self.position = position
  }

  /// The keys from the outermost to the innermost; `#2` is the second element of a list.
  public var path: [String] {
    ["answers", flow] + (coordinator.map { ["#\($0 + 1)"] } ?? []) + [screen] + (position.map { ["#\($0 + 1)"] } ?? [])
  }
}

extension AnswerKey: CustomStringConvertible {
  /// The key for users: `answers: schedule-visit: select-pain-level`.
  public var description: String { path.joined(separator: ": ") }
}
