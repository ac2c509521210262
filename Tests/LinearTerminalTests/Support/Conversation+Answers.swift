import CoordinatorKit
import RendererKit
import ScreenSamples

@testable import LinearTerminal

extension Conversation {
  /// Returns a conversation that shows a screen at revision 1.
  static func showing(_ screen: Screen, back: Bool = true, isInteractive: Bool = true) -> Conversation {
    var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: isInteractive)
    _ = conversation.handle(.event(.window(Samples.window(1, Samples.presented(screen, back: back)))))
    return conversation
  }

  /// Gives several answers and returns the effects of the last one.
  mutating func answer(_ lines: String...) -> [Effect] {
    var effects: [Effect] = []
    for line in lines { effects = handle(.line(line)) }
    return effects
  }
}

extension [Conversation.Effect] {
  /// All printed lines.
  var lines: [String] {
    flatMap { effect -> [String] in if case .print(let lines) = effect { lines } else { [] } }
  }

  var prompt: Prompt? {
    for case .prompt(let prompt) in self { return prompt }
    return nil
  }

  var delegation: Delegation? {
    for case .delegate(let delegation) in self { return delegation }
    return nil
  }

  var exit: ToolExit? {
    for case .leave(let exit) in self { return exit }
    return nil
  }
}
