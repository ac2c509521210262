import CoordinatorKit
import Forms

/// A question that a program waits for.
package struct AskedQuestion: Sendable, Hashable, Codable {
  /// The id, which stays the same while the question is open.
  package var id: String
  package var screen: Screen
  /// Whether the program can go back to the question before.
  package var allowsBack: Bool
  /// The time in seconds that the program waits; nil if it waits forever.
  package var timeout: Int?

  /// The maximum number of bytes of a question, which must fit into a coordinator's state.
  private static let maxSize = 120 * 1024

  /// Reads a question; returns nil if the object is not one.
  init?(_ object: [String: JSONValue]) {
    guard let id = object["id"]?.string, let description = object["screen"]?.object else { return nil }
    self.id = id
    allowsBack = object["back"]?.boolean ?? false
    timeout = object["timeout"]?.integer.map(Int.init(clamping:))
    screen = Self.fitting(Screen(ofProgram: description))
  }

  /// Shortens the texts of a screen that is too long to be stored.
  private static func fitting(_ screen: Screen) -> Screen {
    var screen = screen
    func isTooLong() -> Bool { (try? JSONText.encode(screen)).map { $0.utf8.count > maxSize } ?? true }
    guard isTooLong() else { return screen }
    screen.markup = nil
    if screen.body.utf8.count > 16_384 {
      screen.body = String(decoding: screen.body.utf8.prefix(16_384), as: UTF8.self) + "\n…"
    }
    guard isTooLong() else { return screen }
    // Nobody can choose from so many rows.
    (screen.kind, screen.items, screen.choosing, screen.suggested) = (.message, nil, nil, nil)
    (screen.form, screen.values) = (nil, [:])
    screen.body = "This question has too many rows or fields to be shown."
    screen.title = String(screen.title.unicodeScalars.prefix(200))
    screen.actions = screen.actions.filter { $0.role == .cancel || $0.role == .primary }.suffix(2)
    return screen
  }
}

extension Screen {
  /// Reads what a keeper tells of a screen. What a program only shows need not have a title. What cannot be read must not
  /// keep the program from being ended: it is a screen that says that it cannot be shown.
  init(ofProgram description: [String: JSONValue]) {
    let titled = description.merging([ScreenKey.title.rawValue: ""]) { given, _ in given }
    self = (try? Screen(describedAs: titled)) ?? .ofUnknownKind("", title: "", body: "")
  }
}
