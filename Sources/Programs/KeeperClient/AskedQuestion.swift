import Forms

/// A question that a program waits for.
package struct AskedQuestion: Sendable, Hashable, Codable {
  /// The id, which stays the same while the question is open.
  package var id: String
  /// The screen as an object of the contract.
  package var screen: JSONValue
  /// Whether the program can go back to the previous question.
  package var allowsBack: Bool
  /// The time in seconds that the program waits; nil if it waits forever.
  package var timeout: Int?

  /// The maximum number of bytes of a question, which must fit into a coordinator's state.
  private static let maxSize = 120 * 1024

  /// Reads a question; returns nil if the object is not one.
  init?(_ object: [String: JSONValue]) {
    guard let id = object["id"]?.string, let screen = object["screen"]?.object else { return nil }
    self.id = id
    allowsBack = object["back"]?.boolean ?? false
    timeout = object["timeout"]?.integer.map(Int.init(clamping:))
    self.screen = .object(Self.fitting(screen))
  }

  /// Returns a screen with shorter texts if it is too long to be stored.
  private static func fitting(_ screen: [String: JSONValue]) -> [String: JSONValue] {
    var screen = screen
    func size() -> Int { JSONValue.object(screen).text(omittingNulls: false).utf8.count }
    guard size() > maxSize else { return screen }
    screen["blocks"] = nil
    if let body = screen["body"]?.string, body.utf8.count > 16_384 {
      screen["body"] = .string(String(decoding: body.utf8.prefix(16_384), as: UTF8.self) + "\n…")
    }
    guard size() > maxSize else { return screen }
    // No user can choose from so many rows.
    screen["kind"] = "message"
    for key in ["items", "schema", "fields", "values", "suggested", "choose"] { screen[key] = nil }
    screen["body"] = "This question has too many rows or fields to be shown."
    screen["title"] = screen["title"]?.string.map { .string(String($0.unicodeScalars.prefix(200))) }
    screen["actions"] = .array(
      (screen["actions"]?.array ?? []).filter { ["cancel", "primary"].contains($0.object?["role"]?.string) }.suffix(2))
    return screen
  }
}
