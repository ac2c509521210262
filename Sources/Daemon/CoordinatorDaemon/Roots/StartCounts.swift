/// How many flows that have not ended each client has started; on the system bus, each user.
///
/// A value that decides.
struct StartCounts: Sendable {
  private var counts: [String: Int] = [:]

  /// The number of flows of a client.
  subscript(client: String) -> Int { counts[client] ?? 0 }

  /// Counts a flow that a client starts.
  mutating func add(_ client: String) { counts[client, default: 0] += 1 }

  /// Stops counting a flow of a client. A client that is not counted stays so.
  mutating func remove(_ client: String) {
    guard let count = counts[client] else { return }
    counts[client] = count > 1 ? count - 1 : nil
  }

  /// Stops counting all flows of a client.
  mutating func forget(_ client: String) { counts[client] = nil }
}
