import CoordinatorJournal
import CoordinatorKit
import DBus

/// The held roots, by name. A value type that decides which operations on them are allowed.
struct HeldRoots: Sendable {
  private var roots: [String: HeldRoot] = [:]

  subscript(name: String) -> HeldRoot? { roots[name] }

  var count: Int { roots.count }

  var isEmpty: Bool { roots.isEmpty }

  /// All held roots, in no particular order.
  var all: Dictionary<String, HeldRoot>.Values { roots.values }

  /// The roots to retry, in the order in which they were started. Roots whose end is being stored are omitted, as are roots
  /// whose own row cannot be read: for those, nothing can change before the next start.
  var retryable: [StoredRoot] {
    roots.values.compactMap { held in
      guard !held.isEnding, case .known(let root) = held.origin else { return nil }
      return root
    }.sorted { $0.sequence < $1.sequence }
  }

  /// Adds a held root.
  mutating func hold(_ root: HeldRoot) { roots[root.name] = root }

  /// Updates a root after another attempt to restore it has failed.
  ///
  /// - Returns: the previous value; nil if the root is no longer held.
  mutating func holdAgain(_ name: String, _ outline: TreeOutline?, reason: String) -> HeldRoot? {
    guard let before = roots[name] else { return nil }
    roots[name]?.hold(outline, reason: reason)
    return before
  }

  /// Removes a root that has been restored.
  ///
  /// - Returns: the removed root; nil if it is no longer held, or its end is being stored.
  mutating func letGo(_ name: String) -> HeldRoot? {
    guard roots[name]?.isEnding == false else { return nil }
    return roots.removeValue(forKey: name)
  }

  /// Changes the clients of a root.
  ///
  /// - Returns: the result of `change`; nil if there is no such root.
  mutating func updateClients<Result>(of name: String, _ change: (inout RootClients) -> Result) -> Result? {
    guard let index = roots.index(forKey: name) else { return nil }
    return change(&roots.values[index].clients)
  }

  // MARK: Ending

  /// Marks a root as ending.
  ///
  /// - Returns: the root, whose end the caller must store; nil if it is not held, or its end is already being stored.
  ///   In the latter case call ``wait(_:for:)``.
  mutating func beginEnd(_ name: String) -> HeldRoot? {
    guard roots[name]?.isEnding == false else { return nil }
    roots[name]?.isEnding = true
    return roots[name]
  }

  /// Makes a call wait until it is known whether a root has ended.
  mutating func wait(_ call: IncomingCall, for name: String) { roots[name]?.waitingCalls.append(call) }

  /// Removes a root whose end has been stored.
  ///
  /// - Returns: the removed root.
  mutating func hasEnded(_ name: String) -> HeldRoot? { roots.removeValue(forKey: name) }

  /// Marks a root whose end could not be stored as held again.
  ///
  /// - Returns: the calls that waited.
  mutating func hasNotEnded(_ name: String) -> [IncomingCall] {
    defer { roots[name]?.waitingCalls = [] }
    roots[name]?.isEnding = false
    return roots[name]?.waitingCalls ?? []
  }
}
