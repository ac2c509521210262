/// The number of flows that have not ended for each client that started them; on the system bus, for each user.
///
/// A value that decides.
struct StartCounts: Sendable {
  private var counts: [String: Int] = [:]

  /// The number of flows of a client.
  subscript(client: String) -> Int { counts[client] ?? 0 }

  /// Counts a flow that a client starts.
  mutating func add(_ client: String) { counts[client, default: 0] += 1 }

  /// Stops counting a flow of a client. Does nothing for a client that is not counted.
  mutating func remove(_ client: String) {
    guard let count = counts[client] else { return }
    counts[client] = count > 1 ? count - 1 : nil
  }

  /// Stops counting all flows of a client.
  mutating func forget(_ client: String) { counts[client] = nil }
}
