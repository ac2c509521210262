import CoordinatorKit
import Forms

/// The state of a program that works and does not ask. Never stored.
package struct ProgramProgress: Sendable, Hashable, Codable {
  /// The last lines of its output.
  package var lines: [String]
  /// What it shows without asking: an infobox, a gauge, a package's progress; nil for nothing.
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
