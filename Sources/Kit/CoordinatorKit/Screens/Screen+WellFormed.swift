import Platform

extension Screen {
  /// Throws if renderers could not show the screen, or could not tell which of its parts was meant.
  ///
  /// Whoever describes a screen is held to the same rules: an actor in Swift, a program on the bus, and a script. An action
  /// and a row need an id of their own, an accent is a color and nothing else, and the form has to be one that payloads can
  /// be checked against.
  ///
  /// - Throws: ``MalformedScreen`` for the first problem.
  public func validate() throws(MalformedScreen) { try validate(since: nil) }

  /// Throws if the screen is malformed. What is the same as in an earlier version was validated then.
  ///
  /// - Parameter shown: the version that is shown now; nil for none.
  /// - Throws: ``MalformedScreen`` for the first problem.
  func validate(since shown: Screen?) throws(MalformedScreen) {
    if let accent, accent != shown?.accent, !Self.isColor(accent) {
      throw MalformedScreen(key: "accent", reason: "must be a color as #RRGGBB, such as #2F5BD3")
    }
    if actions != shown?.actions { try Self.requireUnique(actions.lazy.map(\.id), "actions") }
    if let items, items != shown?.items { try Self.requireUnique(items.lazy.map(\.id), "items") }
    guard let form, form != shown?.form else { return }
    do { try form.validate() } catch { throw MalformedScreen(key: "schema", reason: error.description) }
  }

  private static func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#")
      && text.utf8.dropFirst().allSatisfy { $0.hexadecimalDigit != nil }
  }

  private static func requireUnique(_ ids: some Collection<String>, _ key: String) throws(MalformedScreen) {
    guard ids.count > 1 else { return }
    var seen = Set<TextBytes>(minimumCapacity: ids.count)
    for id in ids where !seen.insert(id.bytes).inserted {
      throw MalformedScreen(key: "\(key).id", reason: "'\(id.prefix(100))' occurs twice, so that nobody can tell which was meant")
    }
  }
}
