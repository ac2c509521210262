import DequeModule

/// What happens to flow trees without anybody waiting for an answer (their time is up, their caller has left, their work is done), and when
/// each is handed to its tree: a few at a time, so that others go on; and while nothing can be stored, one a second.
///
/// A value that decides; ``UnawaitedEvents`` does what it says. Whatever cannot be stored comes back into the line, at its end: so the one that
/// is tried next is another one, in case that it was not the store's fault.
struct UnawaitedLine<Event: Sendable>: Sendable {
  /// Stands for an event that was handed out.
  struct Ticket: Sendable, Hashable {
    fileprivate let number: UInt64
  }

  /// What to do next.
  enum Step: Sendable {
    /// Hand it to its tree, and say what became of it.
    case hand(Event, Ticket)
    /// Ask again then.
    case wait(until: ContinuousClock.Instant)
  }

  private enum Store: Sendable {
    case works
    /// Nothing is tried before then.
    case fails(until: ContinuousClock.Instant)
    /// One event is tried, for all that wait.
    case isTried(by: Ticket)
  }

  /// How many are handed out at once.
  static var limit: Int { 16 }
  /// How long nothing is tried when something could not be stored.
  static var pause: Duration { .seconds(1) }

  private var waiting: Deque<Event> = []
  private var handedOut: Set<Ticket> = []
  private var lastTicket: UInt64 = 0
  private var store = Store.works
  private var isTimerSet = false

  /// Adds an event at the end.
  mutating func add(_ event: Event) { waiting.append(event) }

  /// Adds an event at the end that was tried, and could not be stored.
  mutating func addAgain(_ event: Event, at now: ContinuousClock.Instant) {
    waiting.append(event)
    if case .works = store { store = .fails(until: now + Self.pause) }
  }

  /// Notes what became of an event that was handed out.
  mutating func hasEnded(_ ticket: Ticket, _ ending: UnawaitedEnding, at now: ContinuousClock.Instant) {
    guard handedOut.remove(ticket) != nil else { return }
    switch (store, ending) {
    case (.works, .notStored): store = .fails(until: now + Self.pause)
    case (.isTried(by: ticket), .notStored): store = .fails(until: now + Self.pause)
    case (.isTried(by: ticket), .stored): store = .works
    case (.isTried(by: ticket), .untried): store = .fails(until: now)
    // Those that were handed out before it failed say nothing of the store as it is now.
    case (.works, _), (.fails, _), (.isTried, _): break
    }
  }

  /// Notes that the time has come that was asked for.
  mutating func timeHasCome() { isTimerSet = false }

  /// What to do now; to be asked again and again until it is nil.
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

/// What became of an event that nobody waits for.
enum UnawaitedEnding: Sendable {
  case stored
  /// It could not be stored; it comes back into the line.
  case notStored
  /// Its tree has ended meanwhile, so that there was nothing to store.
  case untried
}

extension UnawaitedEnding {
  init(_ result: Result<TreeAnswer, CallError>) {
    switch result {
    case .failure(.notStored): self = .notStored
    case .failure(.unknownCoordinator): self = .untried
    case .success, .failure: self = .stored
    }
  }
}
