import DBus

/// The flows that can be started, as `ListFlows` lists them, sorted by the bytes of their names.
///
/// A registration changes the entries of its own flows only, however many others there are.
struct FlowList: Sendable {
  /// A flow of the list.
  struct Entry: Sendable {
    let name: String
    let values: [String: Value]
    /// The size of the values in a message, in bytes.
    let size: Int

    init(_ name: String, _ values: [String: Value]) {
      (self.name, self.values, size) = (name, values, Value.vardict(values).wireSize)
    }
  }

  /// A part of the list.
  struct Page: Sendable {
    let entries: [[String: Value]]
    /// Whether more flows follow.
    let hasMore: Bool
  }

  private(set) var entries: [Entry]
  /// The size of all entries, in bytes.
  private(set) var size: Int
  /// A number that changes whenever the list does.
  private(set) var stamp: UInt64 = 0

  /// Creates a list.
  init(_ entries: [Entry]) {
    self.entries = entries.sorted { Self.precedes($0.name, $1.name) }
    size = entries.reduce(0) { $0 + $1.size }
  }

  /// Replaces the entries of some flows.
  ///
  /// - Parameters:
  ///   - names: the flows.
  ///   - describe: returns the entry of a flow; nil if it is no longer listed.
  mutating func update(_ names: Set<String>, _ describe: (String) -> Entry?) {
    guard !names.isEmpty else { return }
    var new = names.compactMap(describe).sorted { Self.precedes($0.name, $1.name) }[...]
    var merged: [Entry] = []
    merged.reserveCapacity(entries.count + new.count)
    for entry in entries where !names.contains(entry.name) {
      while let first = new.first, Self.precedes(first.name, entry.name) { merged.append(new.removeFirst()) }
      merged.append(entry)
    }
    entries = merged + new
    size = entries.reduce(0) { $0 + $1.size }
    stamp += 1
  }

  /// Returns the values of all entries.
  ///
  /// - Parameter hidden: flows that the caller must not see.
  /// - Returns: the values, in order.
  func values(hiding hidden: Set<String>) -> [[String: Value]] {
    hidden.isEmpty ? entries.map(\.values) : entries.filter { !hidden.contains($0.name) }.map(\.values)
  }

  /// Returns a part of the list.
  ///
  /// - Parameters:
  ///   - name: the last flow of the previous part; "" for none. It need not be in the list any more.
  ///   - count: the maximum number of entries.
  ///   - bytes: the approximate maximum size in bytes. A single entry may be larger.
  ///   - hidden: flows that the caller must not see.
  /// - Returns: the part.
  func page(after name: String, count: Int, bytes: Int, hiding hidden: Set<String>) -> Page {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(name, entries[middle].name) { high = middle } else { low = middle + 1 }
    }
    var (page, size) = ([[String: Value]](), 0)
    for entry in entries[low...] where !hidden.contains(entry.name) {
      guard page.isEmpty || (page.count < count && size + entry.size <= bytes) else { return Page(entries: page, hasMore: true) }
      page.append(entry.values)
      size += entry.size
    }
    return Page(entries: page, hasMore: false)
  }

  private static func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
}
