import DequeModule

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
