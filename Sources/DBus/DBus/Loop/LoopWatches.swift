import Glibc

/// The descriptors that a loop waits for. Entries are few (two for each connection).
struct WatchTable: Sendable {
  struct Watch: Sendable {
    var descriptor: Int32
    /// `POLLIN`, `POLLOUT`, or 0 to be told of errors alone.
    var events: Int16
    /// Called as a serial job with what `poll` returned, again and again until the reason is gone (level-triggered).
    var body: @Sendable (Int16) -> Void
  }

  private(set) var watches: [UInt64: Watch] = [:]
  /// Changes whenever the table does, so that the poll set is not built anew on every turn.
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

  /// Waits, `.max` meaning for ever, and empties the eventfd if it was written to.
  ///
  /// - Returns: How many watches have something to do.
  mutating func poll(_ timeout: UInt64) -> Int {
    // Rounded up, so that a timer is due when the wait for it ends. A time beyond the range ends early and is waited for again.
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
  /// Begins to wait for a descriptor. To change what is waited for, remove the watch and add another.
  func addWatch(descriptor: Int32, events: Int16, _ body: @escaping @Sendable (Int16) -> Void) -> UInt64 {
    let (key, sleeping) = state.withLock { state in
      (state.watches.insert(.init(descriptor: descriptor, events: events, body: body)), state.takeSleeping())
    }
    wake(if: sleeping)
    return key
  }

  /// Ends a watch. Its body may be called once more in the turn that runs now: whoever owns the body has to bear that.
  func removeWatch(_ key: UInt64) {
    let removed = state.withLock { $0.watches.remove(key) }
    // The body is released here, outside the lock.
    withExtendedLifetime(removed) {}
  }
}
