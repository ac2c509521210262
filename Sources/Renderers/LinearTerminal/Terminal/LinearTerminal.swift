import RendererKit

/// Renders the effects of a conversation as text for a terminal, a dumb terminal, or a pipe.
public struct LinearTerminal: Sendable, Hashable {
  /// The kind of the output.
  public enum Kind: Sendable, Hashable {
    /// A terminal that supports escape sequences.
    case smart
    /// A terminal that does not support escape sequences.
    case dumb
    /// Standard input is not a terminal, so nothing echoes the answers.
    case pipe
  }

  private let kind: Kind
  private var prompt: Prompt?
  /// Whether the line above the prompt shows progress and can be replaced.
  private var hasProgressLine = false

  /// Creates a terminal on which nothing has been written.
  public init(_ kind: Kind) {
    self.kind = kind
  }

  /// Returns the text that writes lines.
  public mutating func print(_ lines: [String]) -> String {
    hasProgressLine = false
    return lines.map { $0 + "\n" }.joined()
  }

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
    hasProgressLine = false
    guard kind == .pipe || line == nil else { return "" }
    return (isSecret ? "" : (line ?? "").printable) + "\n"
  }

  /// Returns the text that erases the prompt.
  public mutating func withdrawPrompt() -> String {
    prompt = nil
    hasProgressLine = false
    return kind == .smart ? "\r\u{1B}[K" : "\n"
  }

  /// Returns the text that leaves the prompt, and what has been typed so far, so that other lines can follow.
  public mutating func interruptPrompt() -> String {
    prompt = nil
    hasProgressLine = false
    return "\n"
  }

  /// Returns the text that shows progress in a line above the prompt. Empty unless the terminal is smart and a prompt
  /// is open.
  public mutating func show(progress line: String) -> String {
    guard kind == .smart, let prompt else { return "" }
    if hasProgressLine { return "\u{1B}7\u{1B}[1A\r\u{1B}[K\(line)\u{1B}8" }
    hasProgressLine = true
    return "\r\u{1B}[K\(line)\n\(prompt.text)"
  }
}
