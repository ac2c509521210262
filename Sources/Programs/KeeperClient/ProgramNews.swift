import CoordinatorKit
import Forms

/// The new state of a program.
package enum ProgramNews: Sendable, Hashable, Codable {
  case asking(AskedQuestion, sequence: UInt64)
  case working(sequence: UInt64)
  case ended(ProgramEnd)

  /// Reads the reply to a watch; returns nil if it is not one.
  init?(_ reply: [String: JSONValue]) {
    guard let number = reply["sequence"]?.integer, let sequence = UInt64(exactly: number) else { return nil }
    if let question = reply["question"]?.object {
      guard let asked = AskedQuestion(question) else { return nil }
      self = .asking(asked, sequence: sequence)
    } else if reply["working"] != nil {
      self = .working(sequence: sequence)
    } else if let ending = reply["ended"]?.object {
      self = .ended(
        ProgramEnd(
          ending, lines: reply["lines"]?.array?.compactMap(\.string) ?? [],
          isCut: reply["cut"]?.boolean, troubles: reply["troubles"]?.array?.compactMap(\.string)))
    } else {
      return nil
    }
  }
}

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
    // So many rows are not usable.
    (screen.kind, screen.items, screen.choosing, screen.suggested) = (.message, nil, nil, nil)
    (screen.form, screen.values) = (nil, [:])
    screen.body = "This question has too many rows or fields to be shown."
    screen.title = String(screen.title.unicodeScalars.prefix(200))
    let standard = screen.defaultChoice
    screen.actions = screen.actions.filter { $0.role == .cancel || $0.role == .primary || $0.id == standard }.suffix(2)
    return screen
  }
}

extension Screen {
  /// Reads a keeper's description of a screen. A screen without a question need not have a title. An invalid description must
  /// not prevent the program from being ended, so it results in a screen that states that it cannot be shown.
  init(ofProgram description: [String: JSONValue]) {
    let titled = description.merging([ScreenKey.title.rawValue: ""]) { given, _ in given }
    self = (try? Screen(describedAs: titled)) ?? .ofUnknownKind("", title: "", body: "")
  }
}

/// The state of a program that works and does not ask. Never stored.
package struct ProgramProgress: Sendable, Hashable, Codable {
  /// The last lines of its output.
  package var lines: [String]
  /// The screen that the program shows without asking: an infobox, a gauge, a package's progress; nil for none.
  package var screen: Screen?
  package var fraction: Double?
  package var text: String?
  /// Whether the program runs as root.
  package var isOfRoot = false

  /// Reads progress. The object does not contain the user who runs the program.
  init(_ object: [String: JSONValue]) {
    lines = object["lines"]?.array?.compactMap(\.string) ?? []
    screen = (object["screen"]?.object).map { Screen(ofProgram: $0) }
    fraction = object["fraction"]?.number
    text = object["text"]?.string
  }
}
