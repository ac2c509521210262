import CoordinatorKit

/// How much each provider has stored (P23). A value that counts; its owner tells it what changes.
struct StateLedger: Sendable {
  private struct Entry: Sendable {
    let server: String
    var size: StoredSize
  }

  private let limit: Int
  private var entries: [CoordinatorPath: Entry] = [:]
  private var totals: [String: Int] = [:]

  /// Creates an empty ledger.
  ///
  /// - Parameter limit: the most bytes that the coordinators of one provider may have together.
  init(limit: Int = 64 * 1024 * 1024) { self.limit = limit }

  /// Records what is stored of a coordinator now; nothing if it has ended, or its flow is built in.
  mutating func set(_ record: CoordinatorRecord?, at path: CoordinatorPath) {
    set(record?.storedByProvider.map { Entry(server: $0.server, size: $0.size) }, at: path)
  }

  /// Adds what an answer stores of a coordinator, if that does not exceed the limit.
  ///
  /// A transition that changes no screens is not published, so its answer is counted here. The text of the state replaces
  /// the former one; how much of the screens remains is known when the transition is published.
  ///
  /// - Parameters:
  ///   - size: the size of the answer.
  ///   - path: the coordinator. One that is being started counts when that is published.
  ///   - server: the well-known name of the provider.
  /// - Returns: false if the provider would store more than it may.
  mutating func take(_ size: StoredSize, of path: CoordinatorPath, by server: String) -> Bool {
    let own = entries[path].flatMap { $0.server == server ? $0.size : nil }
    guard (totals[server] ?? 0) - (own?.total ?? 0) + size.total <= limit else { return false }
    guard let own else { return true }
    let both = StoredSize(state: size.state, screens: own.screens + size.screens)
    set(Entry(server: server, size: both), at: path)
    return true
  }

  private mutating func set(_ entry: Entry?, at path: CoordinatorPath) {
    if let old = entries[path] {
      let rest = (totals[old.server] ?? 0) - old.size.total
      totals[old.server] = rest > 0 ? rest : nil
    }
    if entry != nil || entries[path] != nil { entries[path] = entry }
    if let entry { totals[entry.server, default: 0] += entry.size.total }
  }
}
