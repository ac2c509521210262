/// Watches that several requests share, by key: a watch begins for the first of them, and ends some time after the last one. A
/// value that counts; its owner begins and ends the watches.
struct SharedWatches<Key: Hashable & Sendable, Watch: Sendable>: Sendable {
  /// A watch in use.
  struct Entry: Sendable {
    /// The number that distinguishes it from earlier and later watches of the same key.
    let number: Int
    var watch: Watch
    /// The number of its users.
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

  /// Removes a watch that could not begin. All of its users may report this; a watch that has since replaced it is not
  /// affected.
  mutating func forget(_ key: Key, _ number: Int) { if entries[key]?.number == number { entries[key] = nil } }

  /// Replaces a watch that has ended by a new one with the same users. Does nothing if another user has already done so.
  ///
  /// - Returns: the previous watch, to be closed; nil if nothing was done.
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
  ///   - key: key of the watch.
  ///   - farewell: closure that starts a task which ends the watch later; called after the last use.
  /// - Returns: whether the watch is now unused.
  mutating func release(_ key: Key, _ farewell: () -> Task<Void, Never>) -> Bool {
    guard var entry = entries[key] else { return false }
    entry.users -= 1
    if entry.users == 0 { entry.farewell = farewell() }
    entries[key] = entry
    return entry.users == 0
  }

  /// Removes an unused watch.
  ///
  /// - Returns: the watch, to be ended; nil if it is in use.
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
