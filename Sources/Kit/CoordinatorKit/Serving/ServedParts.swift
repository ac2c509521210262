/// What a coordinator of a provided flow consists of whose provider is a program in Swift, for tests that compare it with
/// one of a built-in flow.
package struct ServedParts: Sendable {
  package let state: JSONValue
  package let work: [JSONValue]
  package let routes: [ScreenID: JSONValue]

  /// Reads the parts of a coordinator; nil if it is another one.
  package init?(_ record: CoordinatorRecord) {
    guard let state = record.state as? ProvidedCoordinator.State, let known = try? VersionedText(state.text),
      let text = try? StoredText.decode(ServedText<JSONValue, JSONValue, JSONValue, JSONValue>.self, from: known.text)
    else { return nil }
    self.state = text.state
    work = (text.work ?? []).map(\.w)
    routes = Dictionary((text.screens ?? []).map { (ScreenID($0.n), $0.r) }, uniquingKeysWith: { $1 })
  }
}
