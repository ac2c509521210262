import ProgramQuestions

/// A question that a program asks on its terminal, where it reads a line.
enum TerminalPrompt: Sendable, Hashable {
  /// dpkg's question about a configuration file.
  case conffile(ConffilePrompt)
  /// A question with two letters, such as apt's question whether to continue.
  case yesNo(YesNoPrompt)

  /// Finds a question at the end of a program's output; returns nil if the output does not end with one.
  init?(output: some Collection<UInt8>) {
    if let prompt = ConffilePrompt(output: output) {
      self = .conffile(prompt)
    } else if let prompt = YesNoPrompt(output: output) {
      self = .yesNo(prompt)
    } else {
      return nil
    }
  }

  var question: ProgramQuestion {
    switch self {
    case .conffile(let prompt): prompt.question
    case .yesNo(let prompt): prompt.question
    }
  }

  /// Returns the keys to type; nil if the screen does not offer the answer.
  func keys(for answer: ProgramAnswer) -> [UInt8]? {
    switch self {
    case .conffile(let prompt): prompt.keys(for: answer)
    case .yesNo(let prompt): prompt.keys(for: answer)
    }
  }
}
