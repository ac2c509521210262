import CoordinatorJournal
import CoordinatorKit

/// The requested end of a held tree: the change to store, and the answers to remember.
struct HeldDismissal: Sendable {
  /// The data of the root, to store with its end.
  let root: StoredRoot
  /// The change to store.
  let change: StoredChange
  /// The answers to remember once it is stored.
  let requests: RequestLedger

  /// Computes the end of a held tree.
  ///
  /// - Parameters:
  ///   - held: the held root.
  ///   - request: the request that dismisses it.
  ///   - caller: the caller.
  ///   - time: the time, in microseconds since 1970.
  /// - Throws: `EncodingError` if the answer cannot be stored under the request key.
  init(of held: HeldRoot, _ request: TreeRequest, by caller: Caller, at time: UInt64) throws {
    var requests = held.requests
    var stored: StoredRequest?
    if let key = request.key {
      let entry = try requests.keep(.revision(held.revision), to: request.call, key: key)
      stored = StoredRequest(key: key, number: 1, entry: entry)
    }
    root = held.asStored
    change = StoredChange(dismissing: held.outline, flow: held.flow, request: stored, by: caller, at: time)
    self.requests = requests
  }
}
