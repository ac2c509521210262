import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

@testable import CoordinatorTools

/// Sample screens and windows.
enum Samples {
  static let root: ObjectPath = "/org/coordinatord/Coordinator1/flows/pets_1"

  static let menu = Screen(
    "select-visit-type", kind: .menu, title: "What is the visit for?",
    actions: [Action("well", "A check-up"), Action("sick", "My pet is sick")])

  static let note = Screen(
    "home", kind: .message, title: "Home", body: "Welcome.\nAll is well.",
    actions: [Action("go", "Go on", role: .primary)])

  static let list = Screen(
    "products", kind: .list, title: "Products", actions: [Action("check-out", "Check out", role: .primary)],
    items: [Item("lamp", "Lamp", subtitle: "bright"), Item("desk", "Desk")])

  static let logIn = Screen(
    "log-in", kind: .form, title: "Log in",
    actions: [Action("submit", "Log in", role: .primary), Action("cancel", "Never mind", role: .cancel)],
    form: Form(
      Field("username", .string(title: "Name", length: 1...8)),
      Field("password", .secret(title: "Password", length: 1...128))),
    values: ["username": "demo"])

  static let busy = Screen(
    "log-in", kind: .form, title: "Log in", actions: [Action("cancel", "Never mind", role: .cancel)],
    progress: Progress(text: "Asking"))

  static func presented(_ screen: Screen, id: UInt64 = 1, back: Bool = true) -> PresentedScreen {
    PresentedScreen(id: id, coordinator: root, style: .push, layer: 0, back: back, screen: screen)
  }

  static func window(_ revision: UInt64, _ screens: PresentedScreen...) -> MirroredWindow {
    MirroredWindow(revision: revision, screens: screens)
  }

  static func unknownObject() -> ClientError { .failed(.unknownObject("gone")) }
}

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
