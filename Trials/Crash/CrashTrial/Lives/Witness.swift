import CoordinatorBus
import DBus

/// Hears everything that is said on the bus, in its order: whoever hears of a daemon's death from it knows that all that the dead one
/// has said was heard before.
actor Witness {
  private let connection: Connection
  /// The unique name of the daemon that serves.
  private(set) var daemon: String?
  private var newest: [ObjectPath: UInt64] = [:]
  private var lastEnded = 0
  private var isOver = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Listens on a connection of its own.
  init(_ connection: Connection) async throws {
    self.connection = connection
    let signals = try await connection.signals(matching: MatchRule(), bufferSize: 1_000_000)
    Task {
      for await delivery in signals { self.receive(delivery) }
      self.close()
    }
  }

  /// The newest revision that a tree's router has told of; 0 for none.
  func heard(_ router: ObjectPath) -> UInt64 { newest[router] ?? 0 }

  /// Waits until a tree's router tells of a revision.
  ///
  /// - Parameters:
  ///   - revision: A higher one than this.
  ///   - router: The router.
  ///   - life: The unique name of the daemon that is waited for.
  ///   - limit: How long to wait at most.
  /// - Returns: Whether it has told; nil if that daemon is gone.
  func hears(above revision: UInt64, of router: ObjectPath, from life: String, limit: Duration) async -> Bool? {
    let end = ContinuousClock.now + limit
    let alarm = Task {
      try await Task.sleep(until: end)
      self.wake()
    }
    defer { alarm.cancel() }
    while !isOver, daemon == life {
      if heard(router) > revision { return true }
      guard .now < end else { return false }
      await withCheckedContinuation { waiters.append($0) }
    }
    return nil
  }

  /// Waits for a daemon that serves.
  ///
  /// - Parameters:
  ///   - previous: Not this one.
  ///   - life: The number of the process that is waited for; nil for whichever comes.
  /// - Returns: Its unique name; nil when there will be none.
  func daemon(after previous: String?, of life: Int? = nil) async -> String? {
    while !isOver, life.map({ $0 > lastEnded }) ?? true {
      if let daemon, daemon != previous { return daemon }
      await withCheckedContinuation { waiters.append($0) }
    }
    return nil
  }

  /// Notes that a process of the daemon has ended; they are numbered 1, 2, 3 …
  func hasEnded(_ life: Int) {
    lastEnded = max(lastEnded, life)
    wake()
  }

  /// Lets nobody wait any longer.
  func close() {
    isOver = true
    wake()
  }

  private func receive(_ delivery: SignalDelivery) {
    // Of a million signals none is dropped; and a gap would only make the judgement milder.
    guard case .signal(let signal) = delivery else { return }
    switch (signal.interface, signal.member) {
    case ("org.freedesktop.DBus", "NameOwnerChanged") where signal.body.first?.string == Contract.busName:
      daemon = signal.body.last?.string.flatMap { $0.isEmpty ? nil : $0 }
      wake()
    case (Contract.routerInterface, _):
      guard case .settled(let revision, _)? = RouterSignal(member: signal.member, body: signal.body) else { return }
      newest[signal.path] = revision
      wake()
    default: break
    }
  }

  private func wake() {
    defer { waiters = [] }
    for waiter in waiters { waiter.resume() }
  }
}
