import HeapModule

/// The deadlines of flows, which are wall-clock times in microseconds since 1970.
///
/// A value type that decides: the host has one alarm, sets it to the earliest deadline, and ends the flows that are
/// due.
struct DeadlineQueue: Sendable {
  private struct Entry: Sendable, Comparable {
    let time: UInt64
    /// Breaks ties: of two entries with the same time, the one that was set first comes first.
    let order: UInt64
    let name: String

    static func < (one: Entry, other: Entry) -> Bool { (one.time, one.order) < (other.time, other.order) }
  }

  /// Removed entries stay in the heap until they come up, or until they make up most of it.
  private var heap = Heap<Entry>()
  private var valid: [String: Entry] = [:]
  private var lastOrder: UInt64 = 0

  /// The number of entries in memory, including removed ones.
  var heldCount: Int { heap.count }

  /// The earliest deadline; nil if there is none.
  var next: UInt64? {
    mutating get {
      dropRemoved()
      return heap.min?.time
    }
  }

  /// Sets or replaces the deadline of a flow.
  mutating func set(_ name: String, at time: UInt64) {
    lastOrder += 1
    let entry = Entry(time: time, order: lastOrder, name: name)
    valid[name] = entry
    heap.insert(entry)
    compact()
  }

  /// Removes the deadline of a flow, if it has one.
  mutating func remove(_ name: String) {
    guard valid.removeValue(forKey: name) != nil else { return }
    compact()
  }

  /// Removes and returns the flows whose deadline has passed.
  ///
  /// - Parameter now: the current time, which may be earlier than in a previous call.
  /// - Returns: the names of the flows, in the order of their deadlines.
  mutating func takeDue(at now: UInt64) -> [String] {
    var due: [String] = []
    while let time = next, time <= now, let entry = heap.popMin() {
      valid[entry.name] = nil
      due.append(entry.name)
    }
    return due
  }

  private mutating func dropRemoved() {
    while let first = heap.min, valid[first.name] != first { heap.removeMin() }
  }

  private mutating func compact() {
    if heap.count > 2 * valid.count + 64 { heap = Heap(valid.values) }
  }
}
