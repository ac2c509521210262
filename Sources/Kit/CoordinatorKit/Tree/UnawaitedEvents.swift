import DequeModule
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

/// The queue of events for which no caller waits (timeouts, callers that left, completed work). Determines when each is
/// delivered to its tree: a few at a time, so that other events can proceed, and one per second while the store fails.
///
/// A value that makes decisions; ``UnawaitedEvents`` acts on them. An event that cannot be stored returns to the end of
/// the queue, so that another one is tried next, in case the store was not at fault.
struct UnawaitedLine<Event: Sendable>: Sendable {
  /// Identifies a delivered event.
  struct Ticket: Sendable, Hashable {
    fileprivate let number: UInt64
  }

  /// What to do next.
  enum Step: Sendable {
    /// Deliver the event to its tree, and report the result.
    case hand(Event, Ticket)
    /// Ask again at that time.
    case wait(until: ContinuousClock.Instant)
  }

  private enum Store: Sendable {
    case works
    /// No event is tried before that time.
    case fails(until: ContinuousClock.Instant)
    /// One event is being tried on behalf of all that wait.
    case isTried(by: Ticket)
  }

  /// The maximum number of events being delivered at a time.
  static var limit: Int { 16 }
  /// The delay before the next attempt after an event could not be stored.
  static var pause: Duration { .seconds(1) }

  private var waiting: Deque<Event> = []
  private var handedOut: Set<Ticket> = []
  private var lastTicket: UInt64 = 0
  private var store = Store.works
  private var isTimerSet = false

  /// Appends an event.
  mutating func add(_ event: Event) { waiting.append(event) }

  /// Appends an event that was tried but could not be stored.
  mutating func addAgain(_ event: Event, at now: ContinuousClock.Instant) {
    waiting.append(event)
    if case .works = store { store = .fails(until: now + Self.pause) }
  }

  /// Records the result of a delivered event.
  mutating func hasEnded(_ ticket: Ticket, _ ending: UnawaitedEnding, at now: ContinuousClock.Instant) {
    guard handedOut.remove(ticket) != nil else { return }
    switch (store, ending) {
    case (.works, .notStored): store = .fails(until: now + Self.pause)
    case (.isTried(by: ticket), .notStored): store = .fails(until: now + Self.pause)
    case (.isTried(by: ticket), .stored): store = .works
    case (.isTried(by: ticket), .untried): store = .fails(until: now)
    // Events delivered before the store failed say nothing about its present condition.
    case (.works, _), (.fails, _), (.isTried, _): break
    }
  }

  /// Records that the requested time has come.
  mutating func timeHasCome() { isTimerSet = false }

  /// Returns what to do now. Call it repeatedly until it returns nil.
  mutating func next(at now: ContinuousClock.Instant) -> Step? {
    guard !waiting.isEmpty else { return nil }
    switch store {
    case .works:
      guard handedOut.count < Self.limit else { return nil }
      return hand().map { .hand($0, $1) }
    case .fails(let end) where end <= now:
      guard let (event, ticket) = hand() else { return nil }
      store = .isTried(by: ticket)
      return .hand(event, ticket)
    case .fails(let end):
      guard !isTimerSet else { return nil }
      isTimerSet = true
      return .wait(until: end)
    case .isTried:
      return nil
    }
  }

  private mutating func hand() -> (Event, Ticket)? {
    guard let event = waiting.popFirst() else { return nil }
    lastTicket += 1
    let ticket = Ticket(number: lastTicket)
    handedOut.insert(ticket)
    return (event, ticket)
  }
}

/// The result of an event for which no caller waits.
enum UnawaitedEnding: Sendable {
  case stored
  /// The event could not be stored; it returns to the queue.
  case notStored
  /// The tree had ended in the meantime, or holds the coordinator of the event, so there was nothing to store.
  case untried
}

extension UnawaitedEnding {
  init(_ result: Result<TreeAnswer, CallError>) {
    switch result {
    case .failure(.notStored): self = .notStored
    case .failure(.unknownCoordinator), .failure(.held): self = .untried
    case .success, .failure: self = .stored
    }
  }
}

/// An item that was posted to a flow tree: the cause of a transition, and the closure that receives the result.
struct Posted: Sendable {
  let cause: Cause
  /// The number of times that the event was posted again, because its transition was dropped when another coordinator failed.
  let repeats: Int
  /// Called from any thread when the tree waits for a provider, which may take a long time.
  let whenWaiting: (@Sendable () -> Void)?
  /// Called once, from any thread.
  let reply: FlowTree.Reply

  init(
    _ cause: Cause, repeats: Int = 0, whenWaiting: (@Sendable () -> Void)? = nil, _ reply: @escaping FlowTree.Reply = { _ in }
  ) {
    self.cause = cause
    self.repeats = repeats
    self.whenWaiting = whenWaiting
    self.reply = reply
  }

  /// Posts an event for which no caller waits, in turn with those of other trees. The event leaves the queue when it has ended,
  /// or when it must wait for a provider, so that it does not block other events.
  init(_ cause: Cause, inTurn hasEnded: @escaping @Sendable (UnawaitedEnding) -> Void) {
    self.init(cause, whenWaiting: { hasEnded(.untried) }) { hasEnded(UnawaitedEnding($0)) }
  }

  /// Answers a caller whose call came after the end of the tree.
  ///
  /// - Parameter root: the root coordinator of the tree.
  func answerAfterEnd(root: CoordinatorPath) { reply(.failure(.unknownCoordinator(cause.coordinator ?? root))) }
}
