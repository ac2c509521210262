/// A cache of the most recent large answers. An answer is used again for the same request while it is up to date.
///
/// A pure value. Limited by bytes; the least recently used answers are evicted.
struct KeptAnswers<Answer: Sendable>: Sendable {
  private struct Entry: Sendable {
    let stamp: UInt64
    let answer: Answer
    let bytes: Int
    var used: UInt64
  }

  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0
  private(set) var bytes = 0
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// Clears the cache if no answer was used since the last call. Returns whether it did.
  mutating func forgetUnused() -> Bool {
    guard uses > 0 else {
      self = KeptAnswers(capacity: capacity)
      return true
    }
    uses = 0
    for key in entries.keys { entries[key]?.used = 0 }
    return false
  }

  /// Returns the cached answer for a key and a stamp; nil if there is none.
  mutating func answer(_ key: String, stamp: UInt64) -> Answer? {
    guard let entry = entries[key] else { return nil }
    guard entry.stamp == stamp else {
      remove(key)
      return nil
    }
    uses += 1
    entries[key]?.used = uses
    return entry.answer
  }

  /// Caches an answer unless it is larger than the cache, and evicts others to make room.
  mutating func keep(_ answer: Answer, bytes: Int, key: String, stamp: UInt64) {
    remove(key)
    guard bytes <= capacity else { return }
    while self.bytes > capacity - bytes, let oldest = entries.min(by: { $0.value.used < $1.value.used })?.key { remove(oldest) }
    uses += 1
    entries[key] = Entry(stamp: stamp, answer: answer, bytes: bytes, used: uses)
    self.bytes += bytes
  }

  private mutating func remove(_ key: String) {
    if let entry = entries.removeValue(forKey: key) { bytes -= entry.bytes }
  }
}
