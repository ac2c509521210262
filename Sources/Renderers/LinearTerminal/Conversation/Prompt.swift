/// A prompt for a line of input.
public struct Prompt: Sendable, Hashable {
  /// The text before the answer.
  public var text: String
  /// Whether the answer must not be echoed.
  public var isSecret: Bool

  /// Creates a prompt.
  public init(_ text: String, isSecret: Bool = false) {
    self.text = text
    self.isSecret = isSecret
  }
}
