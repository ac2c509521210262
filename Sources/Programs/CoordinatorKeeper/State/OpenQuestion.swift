import ProgramQuestions

/// A question that a program waits for.
struct OpenQuestion: Sendable, Hashable {
  /// The part of the program that waits for the answer.
  enum Asker: Sendable, Hashable {
    case call(ConnectionID)
    /// A block of a connection of debconf.
    case debconf(ConnectionID, block: Int)
    /// The program itself, on its terminal.
    case terminal(TerminalPrompt)

    /// Whether the question ends with a connection.
    func belongs(to connection: ConnectionID) -> Bool {
      switch self {
      case .call(let id), .debconf(let id, _): id == connection
      case .terminal: false
      }
    }
  }

  let id: QuestionID
  let asker: Asker
  let question: ProgramQuestion

  /// Whether the program itself asks, on its terminal.
  var isOnTerminal: Bool { if case .terminal = asker { true } else { false } }
}
