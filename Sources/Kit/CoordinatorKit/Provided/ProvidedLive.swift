/// What running work of a provided flow has found so far: parts of screens that are shown, and not stored.
struct ProvidedLive: Sendable {
  /// The keys of the descriptions of screens, by the key of the screen.
  let screens: [String: [String: JSONValue]]

  /// Returns the description of a screen with the parts that are live.
  func description(of key: String, _ stored: JSONValue) -> JSONValue {
    guard let parts = screens[key], let object = stored.object else { return stored }
    return .object(object.merging(parts) { $1 })
  }
}

extension SharedWorkContext {
  /// Shows parts of screens, in place of those that the work has shown before.
  ///
  /// - Parameter screens: the keys of the descriptions of screens, by the key of the screen.
  package func show(live screens: [String: [String: JSONValue]]) { show(ProvidedLive(screens: screens)) }
}
