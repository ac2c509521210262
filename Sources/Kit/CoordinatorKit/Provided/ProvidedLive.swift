import DBusValues

/// What running work of a provided flow has found so far: parts of screens that are shown, and not stored.
struct ProvidedLive: Sendable {
  /// Keys of the descriptions of screens, by the key of the screen.
  let parts: [String: [String: Value]]

  /// Returns a screen with the parts that are live.
  ///
  /// - Throws: ``MalformedScreen`` or `JSONConversionError` if the parts are not those of a screen.
  func screen(_ key: String, _ stored: Screen) throws -> Screen {
    guard let parts = parts[key] else { return stored }
    return try Screen(describedAs: stored.description().merging(parts) { $1 })
  }
}

extension SharedWorkContext {
  /// Shows parts of screens, in place of those that the work has shown before.
  ///
  /// - Parameter parts: keys of the descriptions of screens, by the key of the screen.
  package func show(live parts: [String: [String: Value]]) { show(ProvidedLive(parts: parts)) }
}
