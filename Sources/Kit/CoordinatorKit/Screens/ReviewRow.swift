/// One answer under review: what was asked, and what was answered. See ``Coordinator/review()``.
public struct ReviewRow: Sendable, Hashable {
  /// The event that a renderer sends to change an answer; its payload is `{id}`. The runtime handles it.
  public static let change = "change"

  /// The screen on which the answer can be changed; nil if it cannot.
  public var screen: ScreenID?
  /// What was asked.
  public var title: String
  /// What was answered; several lines if it is a list.
  public var value: String

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - title: what was asked.
  ///   - value: what was answered.
  ///   - screen: the screen on which the answer can be changed, below the one that shows the row; nil for none.
  public init(_ title: Text, _ value: Text, on screen: ScreenID? = nil) {
    self.title = title.string
    self.value = value.string
    self.screen = screen
  }

  /// A row that stands for those of ``Coordinator/review()`` where only the daemon knows them.
  package static let forms = ReviewRow("", "", on: ScreenID(0))
}
