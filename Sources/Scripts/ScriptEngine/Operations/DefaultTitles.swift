import CoordinatorKit
import Platform

/// The titles that `ask` and `ui` give to actions which the author has not named: users read them in their language.
extension Screen {
  /// The titles by the id of their action.
  private static let defaultTitles: [String: Text] = [
    "okay": Text("Okay"), "continue": Text("Continue"), "submit": Text("Continue"), "cancel": Text("Cancel"),
    "yes": Text("Yes"), "no": Text("No"),
  ]

  /// Returns whether an action has the title that is given to actions which the author has not named.
  ///
  /// - Parameters:
  ///   - id: the id of the action.
  ///   - title: its title.
  /// - Returns: whether it has.
  package static func isDefault(_ id: String, _ title: String) -> Bool {
    defaultTitles[id].map { $0.resolved(in: nil).bytes.equals(title) } ?? false
  }

  /// What `ask` and `ui` say themselves on a screen.
  private static let sentences = Screen.words([
    Text("There is nothing to choose."), Text("This name has another meaning here."),
  ])

  /// The screen with the default titles in the language of the current task. A title that the author has written stays, unless
  /// it is the default one.
  package var withTranslatedDefaults: Screen {
    guard let language = Translation.current else { return self }
    var screen = translated(by: Self.sentences)
    for (index, action) in actions.enumerated() {
      guard let title = Self.defaultTitles[action.id], action.title == title.resolved(in: nil) else { continue }
      screen.actions[index].title = title.resolved(in: language)
    }
    return screen
  }
}
