import Forms

/// A question that a program waits for.
package struct AskedQuestion: Sendable, Hashable, Codable {
  /// The same for as long as the question is open.
  package var id: String
  /// The screen as an object of the contract.
  package var screen: JSONValue
  /// Whether the program can go back to the question before.
  package var allowsBack: Bool
  /// For how many seconds the program waits; nil for ever.
  package var timeout: Int?

  /// The most bytes of a question: a coordinator's state has to have room for it.
  private static let maxSize = 120 * 1024

  /// Reads a question; nil if it is not one.
  init?(_ object: [String: JSONValue]) {
    guard let id = object["id"]?.string, let screen = object["screen"]?.object else { return nil }
    self.id = id
    allowsBack = object["back"]?.boolean ?? false
    timeout = object["timeout"]?.integer.map(Int.init(clamping:))
    self.screen = .object(Self.fitting(screen))
  }

  /// Shortens the texts of a screen that is too long to be stored.
  private static func fitting(_ screen: [String: JSONValue]) -> [String: JSONValue] {
    var screen = screen
    func size() -> Int { JSONValue.object(screen).text(omittingNulls: false).utf8.count }
    guard size() > maxSize else { return screen }
    screen["blocks"] = nil
    if let body = screen["body"]?.string, body.utf8.count > 16_384 {
      screen["body"] = .string(String(decoding: body.utf8.prefix(16_384), as: UTF8.self) + "\n…")
    }
    guard size() > maxSize else { return screen }
    // Nobody can choose from so many rows.
    screen["kind"] = "message"
    for key in ["items", "schema", "fields", "values", "suggested", "choose"] { screen[key] = nil }
    screen["body"] = "This question has too many rows or fields to be shown."
    screen["title"] = screen["title"]?.string.map { .string(String($0.unicodeScalars.prefix(200))) }
    screen["actions"] = .array(
      (screen["actions"]?.array ?? []).filter { ["cancel", "primary"].contains($0.object?["role"]?.string) }.suffix(2))
    return screen
  }
}
