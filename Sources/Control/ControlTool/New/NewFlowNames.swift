import Platform

/// The names in the files of a new flow, which replace those of the template.
struct NewFlowNames: Sendable {
  private let name: String
  private let dependency: String

  /// Derives the names from the name of the flow.
  ///
  /// - Parameters:
  ///   - name: name of the flow, such as `make-coffee`.
  ///   - checkout: directory of the project's sources that a Swift package depends on; nil for the published ones.
  init(_ name: String, checkout: String?) {
    self.name = name
    dependency =
      checkout.map { ".package(name: \"coordinatord\", path: \(Self.literal($0)))" }
      ?? ".package(url: \"https://github.com/coordinatord/coordinatord\", branch: \"main\")"
  }

  /// Returns a path, a command or a file of the template with the names of the flow.
  func put(into text: String) -> String {
    // The path of a checkout comes last, because it may contain any of the earlier search strings.
    [
      ("greet-people", name), ("greet_people", name.bytes.replacing("-", with: "_")), ("GreetPeople", type),
      ("Greet people", title), (#".package(name: "coordinatord", path: "../../..")"#, dependency),
    ].reduce(text) { $0.bytes.replacing($1.0, with: $1.1) }
  }

  /// The name of the coordinator's type: `MakeCoffee`.
  private var type: String { name.bytes.split(separator: "-").map { Self.capitalized($0) }.joined() }

  /// The name as a title: `Make coffee`.
  private var title: String { Self.capitalized(name.bytes.replacing("-", with: " ")) }

  /// Returns a word with its first letter, if that is an ASCII letter, in upper case.
  private static func capitalized(_ word: some StringProtocol) -> String {
    String(decoding: word.utf8.prefix(1).map(\.asciiUppercased) + word.utf8.dropFirst(), as: UTF8.self)
  }

  /// Returns a text as a Swift literal.
  private static func literal(_ text: String) -> String {
    "\"\(text.bytes.replacing("\\", with: "\\\\").bytes.replacing("\"", with: "\\\""))\""
  }
}
