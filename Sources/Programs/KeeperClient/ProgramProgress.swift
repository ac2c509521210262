import Forms

/// What a program shows while it asks nothing. Never stored.
package struct ProgramProgress: Sendable, Hashable, Codable {
  /// The last lines that it has printed.
  package var lines: [String]
  /// What it shows without asking, as an object of the contract: an infobox, a gauge, a package's progress.
  package var screen: [String: JSONValue]
  package var fraction: Double?
  package var text: String?
  /// Whether the program runs as root.
  package var isOfRoot = false

  /// Reads progress. Who runs the program is not said there.
  init(_ object: [String: JSONValue]) {
    lines = object["lines"]?.array?.compactMap(\.string) ?? []
    screen = object["screen"]?.object ?? [:]
    fraction = object["fraction"]?.number
    text = object["text"]?.string
  }
}
