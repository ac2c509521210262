/// What several requests use together, by key: a watch begins for the first of them, and ends some time after the last one.
/// A value that counts; its owner begins and ends.
struct SharedWatches<Key: Hashable & Sendable, Watch: Sendable>: Sendable {
  /// A watch in use.
  struct Entry: Sendable {
    /// Tells it from others of the same key, before and after it.
    let number: Int
    var watch: Watch
    /// The number of those who use it.
    var users = 0
    /// The task that ends it after its last use.
    var farewell: Task<Void, Never>?
  }

  private var entries: [Key: Entry] = [:]
  private var last = 0

  /// The number of watches.
  var count: Int { entries.count }

  /// Any key whose watch is not in use; nil if there is none.
  var unused: Key? { entries.first { $0.value.users == 0 }?.key }

  /// The watch of a key; nil if there is none.
  subscript(key: Key) -> Watch? { entries[key]?.watch }

  /// Uses the watch of a key.
  ///
  /// - Parameters:
  ///   - key: key of the watch.
  ///   - begin: closure that begins it if there is none.
  /// - Returns: the watch with its number.
  mutating func retain(_ key: Key, _ begin: () -> Watch) -> Entry {
    var entry = entries[key] ?? begun(begin)
    entry.users += 1
    entry.farewell?.cancel()
    entry.farewell = nil
    entries[key] = entry
    return entry
  }

  /// Forgets a watch that could not begin. Each of those who have waited for it may say so: another one that has begun in
  /// its place since then is not touched.
  mutating func forget(_ key: Key, _ number: Int) { if entries[key]?.number == number { entries[key] = nil } }

  /// Puts a new watch in the place of one that is over, with the same users. Does nothing if somebody else has done so.
  ///
  /// - Returns: the watch that is over, to be ended; nil if nothing was done.
  mutating func replace(_ key: Key, _ number: Int, _ begin: () -> Watch) -> Watch? {
    guard let old = entries[key], old.number == number else { return nil }
    var new = begun(begin)
    new.users = old.users
    entries[key] = new
    return old.watch
  }

  /// Stops using the watch of a key.
  ///
  /// - Parameters:
  ///   - key: what is watched.
  ///   - farewell: closure that starts a task which ends the watch later; called after the last use.
  /// - Returns: whether nobody uses it now.
  mutating func release(_ key: Key, _ farewell: () -> Task<Void, Never>) -> Bool {
    guard var entry = entries[key] else { return false }
    entry.users -= 1
    if entry.users == 0 { entry.farewell = farewell() }
    entries[key] = entry
    return entry.users == 0
  }

  /// Removes a watch that nobody uses.
  ///
  /// - Returns: the watch, to be ended; nil if somebody uses it.
  mutating func remove(_ key: Key) -> Watch? {
    guard let entry = entries[key], entry.users == 0 else { return nil }
    entries[key] = nil
    entry.farewell?.cancel()
    return entry.watch
  }

  private mutating func begun(_ begin: () -> Watch) -> Entry {
    last += 1
    return Entry(number: last, watch: begin())
  }
}
