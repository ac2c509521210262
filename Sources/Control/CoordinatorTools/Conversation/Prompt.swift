/// What a person is asked for, in the line that they answer in.
public struct Prompt: Sendable, Hashable {
  /// What stands before the answer.
  public var text: String
  /// Whether the answer must not be seen.
  public var isSecret: Bool

  /// A question.
  public init(_ text: String, isSecret: Bool = false) {
    self.text = text
    self.isSecret = isSecret
  }
}
