import HeapModule

/// When which flow's time is up: by the clock on the wall, in microseconds since 1970.
///
/// A value that decides: the host has one alarm, sets it to the first time, and ends what is due.
struct DeadlineQueue: Sendable {
  private struct Entry: Sendable, Comparable {
    let time: UInt64
    /// Of two with the same time the one that was set first comes first.
    let order: UInt64
    let name: String

    static func < (one: Entry, other: Entry) -> Bool { (one.time, one.order) < (other.time, other.order) }
  }

  /// What was removed stays in the heap until it comes up, or until most of the heap is such.
  private var heap = Heap<Entry>()
  private var valid: [String: Entry] = [:]
  private var lastOrder: UInt64 = 0

  /// How many entries are held, removed ones included.
  var heldCount: Int { heap.count }

  /// The first time; nil if there is none.
  var next: UInt64? {
    mutating get {
      dropRemoved()
      return heap.min?.time
    }
  }

  /// Sets the time of a flow, or another one.
  mutating func set(_ name: String, at time: UInt64) {
    lastOrder += 1
    let entry = Entry(time: time, order: lastOrder, name: name)
    valid[name] = entry
    heap.insert(entry)
    compact()
  }

  /// Forgets a flow, if it has a time.
  mutating func remove(_ name: String) {
    guard valid.removeValue(forKey: name) != nil else { return }
    compact()
  }

  /// Takes the flows whose time has come.
  ///
  /// - Parameter now: microseconds since 1970; may be less than it was before.
  /// - Returns: their names, in order.
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
