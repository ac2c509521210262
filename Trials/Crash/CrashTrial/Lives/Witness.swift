import CoordinatorBus
import DBus

/// Observes all messages on the bus, in order. Once it reports a daemon's death, it has received all messages of this daemon.
actor Witness {
  private let connection: Connection
  /// The unique name of the daemon that serves; nil if none does.
  private(set) var daemon: String?
  private var newest: [ObjectPath: UInt64] = [:]
  private var lastEnded = 0
  private var isOver = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Starts observing on a dedicated connection.
  init(_ connection: Connection) async throws {
    self.connection = connection
    let signals = try await connection.signals(matching: MatchRule(), bufferSize: 1_000_000)
    Task {
      for await delivery in signals { self.receive(delivery) }
      self.close()
    }
  }

  /// Returns the newest revision that a tree's router has reported; 0 for none.
  func heard(_ router: ObjectPath) -> UInt64 { newest[router] ?? 0 }

  /// Waits until a tree's router reports a revision.
  ///
  /// - Parameters:
  ///   - revision: the revision to exceed.
  ///   - router: the path of the router.
  ///   - life: the unique name of the daemon.
  ///   - limit: the maximum time to wait.
  /// - Returns: whether it was reported; nil if that daemon is gone.
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

  /// Waits for a serving daemon.
  ///
  /// - Parameters:
  ///   - previous: the unique name of a daemon that does not count.
  ///   - life: the number of the process to wait for; nil for any.
  /// - Returns: the unique name of the daemon; nil if there will be none.
  func daemon(after previous: String?, of life: Int? = nil) async -> String? {
    while !isOver, life.map({ $0 > lastEnded }) ?? true {
      if let daemon, daemon != previous { return daemon }
      await withCheckedContinuation { waiters.append($0) }
    }
    return nil
  }

  /// Records that a process of the daemon has ended. The processes are numbered 1, 2, 3 …
  func hasEnded(_ life: Int) {
    lastEnded = max(lastEnded, life)
    wake()
  }

  /// Ends all waits, current and future.
  func close() {
    isOver = true
    wake()
  }

  private func receive(_ delivery: SignalDelivery) {
    // A buffer of a million signals drops none, and a gap would only make the checks more lenient.
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
