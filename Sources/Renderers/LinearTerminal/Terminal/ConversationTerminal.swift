import Glibc
import RendererKit

/// The terminal of a conversation. Writes its output, and reads a line whenever it prompts for one.
package struct ConversationTerminal {
  private let kind: LinearTerminal.Kind
  private let reader: LineReader
  private let write: @Sendable (String) -> Void
  private var terminal: LinearTerminal

  /// Creates a terminal on which nothing has been written.
  package init(_ kind: LinearTerminal.Kind, reader: LineReader, write: @escaping @Sendable (String) -> Void) {
    self.kind = kind
    self.reader = reader
    self.write = write
    terminal = LinearTerminal(kind)
  }

  /// Handles a line, or nil for the end of the input. To be called before the conversation handles it.
  package mutating func answered(_ line: String?) {
    TerminalEcho.turnOn()
    write(terminal.answered(line))
  }

  /// Performs an effect that concerns the terminal, and ignores all others.
  package mutating func show(_ effect: Conversation.Effect) {
    switch effect {
    case .print(let lines): write(terminal.print(lines))
    case .prompt(let prompt):
      if prompt.isSecret { TerminalEcho.turnOff() }
      write(terminal.ask(prompt))
      reader.request()
    case .withdrawPrompt:
      TerminalEcho.turnOn()
      // Input typed so far was meant for the screen that is gone.
      if kind != .pipe { tcflush(STDIN_FILENO, TCIFLUSH) }
      write(terminal.leavePrompt())
    case .interruptPrompt: write(terminal.leavePrompt())
    case .delegate, .saveDraft, .back, .countOthers, .leave: break
    }
  }
}
