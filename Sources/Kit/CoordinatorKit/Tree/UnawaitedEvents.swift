import Platform

/// Delivers events for which no caller waits to the flow trees of a daemon, through a single queue: events that cannot
/// be stored are not lost, and thousands of them are not retried thousands of times. May be used from any thread.
package final class UnawaitedEvents: Sendable {
  /// Delivers an event to its tree, and reports the result.
  typealias Event = @Sendable (_ hasEnded: @escaping @Sendable (UnawaitedEnding) -> Void) -> Void

  fileprivate struct State: Sendable {
    var line = UnawaitedLine<Event>()
    /// Whether a thread is consuming the queue, and will reach what is added.
    var isTaken = false
  }

  private let state = Lock(State())
  private let now: @Sendable () -> ContinuousClock.Instant
  private let wake: @Sendable (_ after: Duration, _ body: @escaping @Sendable () -> Void) -> Void

  /// Creates an empty queue.
  ///
  /// - Parameters:
  ///   - now: returns the time.
  ///   - wake: calls a closure after a delay.
  package init(
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    wake: @escaping @Sendable (_ after: Duration, _ body: @escaping @Sendable () -> Void) -> Void
  ) {
    (self.now, self.wake) = (now, wake)
  }

  /// Creates an empty queue that waits in tasks of the global pool.
  package convenience init() {
    self.init { delay, body in
      Task(executorPreference: globalConcurrentExecutor) {
        try? await Task.sleep(for: delay)
        body()
      }
    }
  }

  /// Adds an event.
  func add(_ event: @escaping Event) {
    state.withLock { $0.line.add(event) }
    run()
  }

  /// Adds an event that was tried but could not be stored.
  func addAgain(_ event: @escaping Event) {
    let now = now()
    state.withLock { $0.line.addAgain(event, at: now) }
    run()
  }

  /// Consumes the queue in a loop instead of recursively, however many events end at once: the consuming thread
  /// continues with what others add.
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
  /// Starts consuming the queue; returns false if another thread is already consuming it.
  fileprivate mutating func take() -> Bool {
    defer { isTaken = true }
    return !isTaken
  }

  /// Returns what to do next; nil if there is nothing, in which case the queue is no longer being consumed.
  fileprivate mutating func next(at now: ContinuousClock.Instant) -> UnawaitedLine<UnawaitedEvents.Event>.Step? {
    let step = line.next(at: now)
    isTaken = step != nil
    return step
  }
}
