import CoordinatorBus
import CoordinatorClient
import DBus

/// A conversation with a person about a screen that an answers file knows nothing of.
struct Asking {
  private var conversation: Conversation
  private var terminal: ConversationTerminal
  private var hasPrompt = false

  /// A conversation that has not begun.
  init(tree: ObjectPath, person: AnswerSession.Person) {
    conversation = Conversation(
      tree: TreeSelector.name(tree), style: person.screen.style, isInteractive: person.screen.kind != .pipe, farewell: [])
    terminal = ConversationTerminal(person.screen.kind, reader: person.reader, write: person.write)
  }

  /// Takes something that happened, and writes what there is to write.
  ///
  /// - Returns: Everything that the conversation wants done.
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

  /// Takes the open prompt back: the screen has been answered otherwise.
  mutating func withdraw() {
    if hasPrompt { terminal.show(.withdrawPrompt) }
    hasPrompt = false
  }
}
