/// The request that was read from a call to look up its request key, kept so that the object need not read it again.
struct ReadAhead: Sendable {
  private var entry: (sender: String, serial: UInt32, request: TreeRequest)?

  /// Keeps the request of a call.
  mutating func keep(_ request: TreeRequest, sender: String, serial: UInt32) { entry = (sender, serial, request) }

  /// Removes what is kept, which may contain a secret.
  mutating func forget() { entry = nil }

  /// Removes what is kept. Returns it if it was read from this call, otherwise nil.
  mutating func take(sender: String, serial: UInt32) -> TreeRequest? {
    guard let entry = entry.take(), entry.sender == sender, entry.serial == serial else { return nil }
    return entry.request
  }
}
