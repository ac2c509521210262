import CoordinatorJournal
import CoordinatorKit
import DBus

/// The roots that are held, by name: a value that decides what may be done with them.
struct HeldRoots: Sendable {
  private var roots: [String: HeldRoot] = [:]

  subscript(name: String) -> HeldRoot? { roots[name] }

  var count: Int { roots.count }

  var isEmpty: Bool { roots.isEmpty }

  /// In no order.
  var all: Dictionary<String, HeldRoot>.Values { roots.values }

  /// Those to try again, in the order in which they were started: not one whose end is being stored. Of one whose own row cannot be
  /// read there is nothing to try before the next start.
  var retryable: [StoredRoot] {
    roots.values.compactMap { held in
      guard !held.isEnding, case .known(let root) = held.origin else { return nil }
      return root
    }.sorted { $0.sequence < $1.sequence }
  }

  /// Holds a root.
  mutating func hold(_ root: HeldRoot) { roots[root.name] = root }

  /// Notes that a root was tried again, and is held still.
  ///
  /// - Returns: the root as it was; nil if it is not held any more.
  mutating func holdAgain(_ name: String, _ outline: TreeOutline?, reason: String) -> HeldRoot? {
    guard let before = roots[name] else { return nil }
    roots[name]?.hold(outline, reason: reason)
    return before
  }

  /// Lets a root go that can be taken up.
  ///
  /// - Returns: the root as it was; nil if it is not held any more, or about to end.
  mutating func letGo(_ name: String) -> HeldRoot? {
    guard roots[name]?.isEnding == false else { return nil }
    return roots.removeValue(forKey: name)
  }

  /// Changes the clients of a root.
  ///
  /// - Returns: what `change` returns; nil if there is no such root.
  mutating func updateClients<Result>(of name: String, _ change: (inout RootClients) -> Result) -> Result? {
    guard let index = roots.index(forKey: name) else { return nil }
    return change(&roots.values[index].clients)
  }

  // MARK: Ending

  /// Begins to end a root.
  ///
  /// - Returns: the root whose end is to be stored; nil if it is not held, or its end is being stored already: then ``wait(_:for:)``.
  mutating func beginEnd(_ name: String) -> HeldRoot? {
    guard roots[name]?.isEnding == false else { return nil }
    roots[name]?.isEnding = true
    return roots[name]
  }

  /// Has a call wait until it is clear whether a root has ended.
  mutating func wait(_ call: IncomingCall, for name: String) { roots[name]?.waitingCalls.append(call) }

  /// Notes that the end of a root is stored.
  ///
  /// - Returns: the root as it was.
  mutating func hasEnded(_ name: String) -> HeldRoot? { roots.removeValue(forKey: name) }

  /// Notes that the end of a root could not be stored: it is held as before.
  ///
  /// - Returns: the calls that have waited.
  mutating func hasNotEnded(_ name: String) -> [IncomingCall] {
    defer { roots[name]?.waitingCalls = [] }
    roots[name]?.isEnding = false
    return roots[name]?.waitingCalls ?? []
  }
}
