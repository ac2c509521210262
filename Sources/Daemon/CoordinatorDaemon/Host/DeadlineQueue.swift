import HeapModule

/// Deadlines by one clock, which are times in microseconds.
///
/// A value type that decides: the host has one alarm, sets it to the earliest deadline, and acts on those that
/// are due.
struct DeadlineQueue<Key: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable, Comparable {
    let time: UInt64
    /// The tie-breaker: of two entries with the same time, the one that was set first comes first.
    let order: UInt64
    let key: Key

    static func < (one: Entry, other: Entry) -> Bool { (one.time, one.order) < (other.time, other.order) }
  }

  /// Removed entries stay in the heap until they come up, or until they make up most of it.
  private var heap = Heap<Entry>()
  private var valid: [Key: Entry] = [:]
  private var lastOrder: UInt64 = 0

  /// The number of entries in memory, including removed ones.
  var heldCount: Int { heap.count }

  /// Whether no deadline is set.
  var isEmpty: Bool { valid.isEmpty }

  /// The earliest deadline; nil if there is none.
  var next: UInt64? {
    mutating get {
      dropRemoved()
      return heap.min?.time
    }
  }

  /// Sets or replaces a deadline.
  mutating func set(_ key: Key, at time: UInt64) {
    lastOrder += 1
    let entry = Entry(time: time, order: lastOrder, key: key)
    valid[key] = entry
    heap.insert(entry)
    compact()
  }

  /// Removes a deadline, if it is set.
  mutating func remove(_ key: Key) {
    guard valid.removeValue(forKey: key) != nil else { return }
    compact()
  }

  /// Removes and returns the deadlines that have passed.
  ///
  /// - Parameter now: the current time, which may be earlier than in a previous call.
  /// - Returns: the deadlines that are due, in order.
  mutating func takeDue(at now: UInt64) -> [Key] {
    var due: [Key] = []
    while let time = next, time <= now, let entry = heap.popMin() {
      valid[entry.key] = nil
      due.append(entry.key)
    }
    return due
  }

  private mutating func dropRemoved() {
    while let first = heap.min, valid[first.key] != first { heap.removeMin() }
  }

  private mutating func compact() {
    if heap.count > 2 * valid.count + 64 { heap = Heap(valid.values) }
  }
}
