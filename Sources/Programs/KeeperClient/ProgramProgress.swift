import Forms

/// The state of a program that works and does not ask. Never stored.
package struct ProgramProgress: Sendable, Hashable, Codable {
  /// The last lines of its output.
  package var lines: [String]
  /// The screen without a question, as an object of the contract: an infobox, a gauge, a package's progress.
  package var screen: [String: JSONValue]
  package var fraction: Double?
  package var text: String?
  /// Whether the program runs as root.
  package var isOfRoot = false

  /// Reads progress. The object does not contain the user who runs the program.
  init(_ object: [String: JSONValue]) {
    lines = object["lines"]?.array?.compactMap(\.string) ?? []
    screen = object["screen"]?.object ?? [:]
    fraction = object["fraction"]?.number
    text = object["text"]?.string
  }
}
