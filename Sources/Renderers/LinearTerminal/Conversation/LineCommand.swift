import Platform

/// A line that is a command instead of an answer.
enum LineCommand: Sendable, Hashable {
  /// Go back.
  case back
  /// Leave; the flow continues.
  case quit
  /// Print the help.
  case help
  /// List the answers of a form so far.
  case answers

  /// What is before an answer that is never taken for a command.
  static let literalMark = "="

  /// Reads a command that is written with its mark, such as `:b`; nil if the line is none.
  init?(marked line: String) {
    switch line.bytes.lowercased {
    case ":b", ":back": self = .back
    case ":q", ":quit": self = .quit
    case ":?", ":h", ":help": self = .help
    case ":a", ":answers": self = .answers
    default: return nil
    }
  }

  /// Reads a command without its mark, which may be an answer as well; nil if the line is none.
  init?(bare line: String) {
    switch line {
    case "b": self = .back
    case "q": self = .quit
    case "?": self = .help
    default: return nil
    }
  }
}
