import ProgramQuestions

/// A question that a program asks on its terminal, where it waits for a line.
enum TerminalPrompt: Sendable, Hashable {
  /// dpkg asks what to do with a configuration file.
  case conffile(ConffilePrompt)
  /// A question with two letters, such as apt's whether to continue.
  case yesNo(YesNoPrompt)

  /// Finds a question at the end of what a program has written; nil if it does not end with one.
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

  /// Returns what to type; nil if the screen does not offer the answer.
  func keys(for answer: ProgramAnswer) -> [UInt8]? {
    switch self {
    case .conffile(let prompt): prompt.keys(for: answer)
    case .yesNo(let prompt): prompt.keys(for: answer)
    }
  }
}
