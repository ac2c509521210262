import Locking

/// Hands to flow trees what happens without anybody waiting for an answer, all trees of a daemon through one line: what cannot be stored is not
/// lost, and thousands that cannot be stored are not tried thousands of times. May be used from any thread.
package final class UnawaitedEvents: Sendable {
  /// Hands an event to its tree, and tells what became of it.
  typealias Event = @Sendable (_ hasEnded: @escaping @Sendable (UnawaitedEnding) -> Void) -> Void

  fileprivate struct State: Sendable {
    var line = UnawaitedLine<Event>()
    /// Whether somebody takes from the line, and will come to what is added.
    var isTaken = false
  }

  private let state = Lock(State())
  private let now: @Sendable () -> ContinuousClock.Instant
  private let wake: @Sendable (_ after: Duration, _ body: @escaping @Sendable () -> Void) -> Void

  /// An empty line.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - wake: calls a closure after a while.
  package init(
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    wake: @escaping @Sendable (_ after: Duration, _ body: @escaping @Sendable () -> Void) -> Void
  ) {
    (self.now, self.wake) = (now, wake)
  }

  /// An empty line that goes by tasks of the global pool.
  package convenience init() {
    self.init { delay, body in
      Task(executorPreference: globalConcurrentExecutor) {
        try? await Task.sleep(for: delay)
        body()
      }
    }
  }

  /// Adds what has happened to a tree.
  func add(_ event: @escaping Event) {
    state.withLock { $0.line.add(event) }
    run()
  }

  /// Adds what was tried, and could not be stored.
  func addAgain(_ event: @escaping Event) {
    let now = now()
    state.withLock { $0.line.addAgain(event, at: now) }
    run()
  }

  /// Not one inside the other, however many end at once: whoever takes goes on with what others add.
  private func run() {
    guard state.withLock({ $0.take() }) else { return }
    while let step = state.withLock({ [now] in $0.next(at: now()) }) {
      switch step {
      case .hand(let event, let ticket):
        event { ending in
          self.state.withLock { [now = self.now] in $0.line.hasEnded(ticket, ending, at: now()) }
          self.run()
        }
      case .wait(let end):
        wake(max(.zero, now().duration(to: end))) {
          self.state.withLock { $0.line.timeHasCome() }
          self.run()
        }
      }
    }
  }
}

extension UnawaitedEvents.State {
  /// Whether nobody took from the line before.
  fileprivate mutating func take() -> Bool {
    defer { isTaken = true }
    return !isTaken
  }

  /// What to do next; nil when the line is let go of.
  fileprivate mutating func next(at now: ContinuousClock.Instant) -> UnawaitedLine<UnawaitedEvents.Event>.Step? {
    let step = line.next(at: now)
    isTaken = step != nil
    return step
  }
}
