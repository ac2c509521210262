import Glibc

/// The descriptors that a loop polls. Entries are few (two for each connection).
struct WatchTable: Sendable {
  struct Watch: Sendable {
    var descriptor: Int32
    /// `POLLIN`, `POLLOUT`, or 0 to be notified of errors only.
    var events: Int16
    /// Called as a serial job with the events that `poll` returned, repeatedly until their cause is gone
    /// (level-triggered).
    var body: @Sendable (Int16) -> Void
  }

  private(set) var watches: [UInt64: Watch] = [:]
  /// Incremented whenever the table changes, so that the poll set is not rebuilt on every turn.
  private(set) var version: UInt64 = 0
  private var lastKey: UInt64 = 0

  mutating func insert(_ watch: Watch) -> UInt64 {
    lastKey += 1
    version += 1
    watches[lastKey] = watch
    return lastKey
  }

  mutating func remove(_ key: UInt64) -> Watch? {
    version += 1
    return watches.removeValue(forKey: key)
  }
}

/// The argument of `poll`, kept between turns.
struct PollSet {
  private var entries: [pollfd]
  private var keys: [UInt64] = []
  private var version: UInt64 = 0

  init(wakeUp: Int32) { entries = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)] }

  mutating func update(from table: WatchTable) {
    guard table.version != version else { return }
    version = table.version
    keys = table.watches.keys.sorted()
    entries.removeLast(entries.count - 1)
    for key in keys {
      guard let watch = table.watches[key] else { continue }
      entries.append(pollfd(fd: watch.descriptor, events: watch.events, revents: 0))
    }
  }

  /// Waits for up to `timeout` nanoseconds, where `.max` means indefinitely, and drains the eventfd if it was written
  /// to.
  ///
  /// - Returns: the number of watches that are ready.
  mutating func poll(_ timeout: UInt64) -> Int {
    // Rounded up, so that a timer is due when the wait for it ends. A wait beyond the range of `poll` ends early and is
    // repeated.
    let milliseconds = min(timeout / 1_000_000 + (timeout % 1_000_000 == 0 ? 0 : 1), UInt64(Int32.max))
    let count = Glibc.poll(&entries, UInt(entries.count), timeout == .max ? -1 : Int32(milliseconds))
    guard count > 0 else { return 0 }
    guard entries[0].revents != 0 else { return Int(count) }
    var value: UInt64 = 0
    _ = read(entries[0].fd, &value, 8)
    return Int(count) - 1
  }

  func readyBodies(in table: WatchTable) -> [@Sendable () -> Void] {
    zip(keys, entries.dropFirst()).compactMap { key, entry in
      guard entry.revents != 0, let watch = table.watches[key] else { return nil }
      let (body, events) = (watch.body, entry.revents)
      return { body(events) }
    }
  }
}

extension LoopCore {
  /// Starts polling a descriptor. To change the events, remove the watch and add another.
  func addWatch(descriptor: Int32, events: Int16, _ body: @escaping @Sendable (Int16) -> Void) -> UInt64 {
    let (key, sleeping) = state.withLock { state in
      (state.watches.insert(.init(descriptor: descriptor, events: events, body: body)), state.takeSleeping())
    }
    wake(if: sleeping)
    return key
  }

  /// Stops polling a descriptor. The body may be called once more in the current turn, which its owner must tolerate.
  func removeWatch(_ key: UInt64) {
    let removed = state.withLock { $0.watches.remove(key) }
    // The body is released here, outside the lock.
    withExtendedLifetime(removed) {}
  }
}
