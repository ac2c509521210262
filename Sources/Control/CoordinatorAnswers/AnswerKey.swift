/// Where in an answers file something stands, or should.
public struct AnswerKey: Sendable, Hashable {
  /// The flow, as it is written in the file.
  public var flow: String
  /// Which coordinator of the flow, counted from 0, if the file tells them apart.
  public var coordinator: Int?
  /// The name of the screen.
  public var screen: String
  /// Which of the answers to the screen, counted from 0, if there are several.
  public var position: Int?

  /// A place in a file.
  public init(flow: String, coordinator: Int? = nil, screen: String, position: Int? = nil) {
    self.flow = flow
    self.coordinator = coordinator
    self.screen = screen
    self.position = position
  }

  /// The keys from the outside in; `#2` is the second element of a list.
  public var path: [String] {
    ["answers", flow] + (coordinator.map { ["#\($0 + 1)"] } ?? []) + [screen] + (position.map { ["#\($0 + 1)"] } ?? [])
  }
}

extension AnswerKey: CustomStringConvertible {
  /// As people read it: `answers: schedule-visit: select-pain-level`.
  public var description: String { path.joined(separator: ": ") }
}
