/// Turns the effects of a conversation into what is written, for a terminal, for a dumb one, and for a pipe.
public struct LinearTerminal: Sendable, Hashable {
  /// What there is to write to.
  public enum Kind: Sendable, Hashable {
    /// A terminal that understands escape sequences.
    case smart
    /// A terminal that does not.
    case dumb
    /// No terminal on at least one side: nobody echoes the answers.
    case pipe
  }

  private let kind: Kind
  private var prompt: Prompt?
  /// Whether the line above the prompt is about progress, and can be replaced.
  private var hasProgressLine = false

  /// A terminal on which nothing has been written.
  public init(_ kind: Kind) {
    self.kind = kind
  }

  /// Writes lines.
  public mutating func print(_ lines: [String]) -> String {
    hasProgressLine = false
    return lines.map { $0 + "\n" }.joined()
  }

  /// Writes a prompt; the answer follows on the same line.
  public mutating func ask(_ prompt: Prompt) -> String {
    self.prompt = prompt
    return prompt.text
  }

  /// Ends the line of the prompt after the answer: a terminal has echoed it, nobody else has.
  public mutating func answered(_ line: String?) -> String {
    let isSecret = prompt?.isSecret ?? false
    prompt = nil
    hasProgressLine = false
    guard kind == .pipe || line == nil else { return "" }
    return (isSecret ? "" : (line ?? "").printable) + "\n"
  }

  /// Takes the prompt back.
  public mutating func withdrawPrompt() -> String {
    prompt = nil
    hasProgressLine = false
    return kind == .smart ? "\r\u{1B}[K" : "\n"
  }

  /// Leaves the prompt, with what has been typed so far, for other lines.
  public mutating func interruptPrompt() -> String {
    prompt = nil
    hasProgressLine = false
    return "\n"
  }

  /// Shows progress in a line of its own above the prompt; nothing but a smart terminal can do that.
  public mutating func show(progress line: String) -> String {
    guard kind == .smart, let prompt else { return "" }
    if hasProgressLine { return "\u{1B}7\u{1B}[1A\r\u{1B}[K\(line)\u{1B}8" }
    hasProgressLine = true
    return "\r\u{1B}[K\(line)\n\(prompt.text)"
  }
}
