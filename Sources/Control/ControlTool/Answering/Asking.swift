import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import LinearTerminal
import RendererKit

/// A conversation with the user about a screen for which the answers file has no answer.
struct Asking {
  private var conversation: Conversation
  private var terminal: ConversationTerminal
  private var hasPrompt = false

  /// Creates a conversation that has not started.
  init(tree: ObjectPath, person: AnswerSession.Person) {
    conversation = Conversation(
      tree: TreeSelector.name(tree), style: person.screen.style, isInteractive: person.screen.kind != .pipe, farewell: [])
    terminal = ConversationTerminal(person.screen.kind, reader: person.reader, write: person.write)
  }

  /// Handles an input and writes the resulting output.
  ///
  /// - Returns: all effects of the conversation.
  mutating func hear(_ input: Conversation.Input) -> [Conversation.Effect] {
    switch input {
    case .line(let line):
      terminal.answered(line)
      hasPrompt = false
    case .endOfInput:
      terminal.answered(nil)
      hasPrompt = false
    default: break
    }
    conversation.now = .now
    let effects = conversation.handle(input)
    for effect in effects {
      terminal.show(effect)
      switch effect {
      case .prompt: hasPrompt = true
      case .withdrawPrompt: hasPrompt = false
      default: break
      }
    }
    return effects
  }

  /// Withdraws the open prompt after the screen was answered by other means.
  mutating func withdraw() {
    if hasPrompt { terminal.show(.withdrawPrompt) }
    hasPrompt = false
  }
}
