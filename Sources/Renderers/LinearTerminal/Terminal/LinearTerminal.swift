import RendererKit

/// Renders the effects of a conversation as text for a terminal or a pipe: lines one after the other. Nothing that was
/// written is written over, so that a screen reader says each line once, and a log of the terminal can be read.
public struct LinearTerminal: Sendable, Hashable {
  /// Where the answers come from.
  public enum Kind: Sendable, Hashable {
    /// A terminal, which echoes what is typed.
    case terminal
    /// Standard input is not a terminal, so nothing echoes the answers.
    case pipe
  }

  private let kind: Kind
  private var prompt: Prompt?

  /// Creates a terminal on which nothing has been written.
  public init(_ kind: Kind) {
    self.kind = kind
  }

  /// Returns the text that writes lines.
  public func print(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  /// Returns the text that writes a prompt. The answer follows on the same line.
  public mutating func ask(_ prompt: Prompt) -> String {
    self.prompt = prompt
    return prompt.text
  }

  /// Returns the text that completes the line of the prompt after an answer. A terminal has already echoed the answer;
  /// over a pipe it is written here, unless it is secret.
  public mutating func answered(_ line: String?) -> String {
    let isSecret = prompt?.isSecret ?? false
    prompt = nil
    guard kind == .pipe || line == nil else { return "" }
    return (isSecret ? "" : (line ?? "").printable) + "\n"
  }

  /// Returns the text that leaves the prompt, so that other lines can follow.
  public mutating func leavePrompt() -> String {
    prompt = nil
    return "\n"
  }
}
