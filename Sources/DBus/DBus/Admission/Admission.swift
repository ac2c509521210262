import DequeModule

/// What is to be done with calls, given what is known of their senders. A value: whoever holds it asks the bus, and decides.
///
/// A unique name is never used again on a bus, so what was decided of one stands. The calls of a sender that is not known yet wait, in
/// order, and those of others pass.
struct Admission<Call> {
  /// What was decided of a sender.
  enum Verdict: Sendable, Hashable {
    case admitted(PeerCredentials)
    case refused(PeerCredentials)
  }

  /// What becomes of a call that has just come.
  enum Arrival: Sendable, Hashable {
    /// The sender is known.
    case decided(Verdict)
    /// The call is kept. Whoever sent it is to be found out, if this is its first one.
    case waits(isFirst: Bool)
    /// Too much waits already.
    case tooMuch
  }

  /// What was found out of a sender whose calls wait.
  enum Answer: Sendable, Hashable {
    case verdict(Verdict)
    /// The bus could not tell. Its next call asks again.
    case unknown
    /// It has left the bus.
    case gone
  }

  struct Limits: Sendable, Hashable {
    /// How many senders are remembered, at least.
    var remembered = 2_048
    /// The sizes of the calls of one sender that wait, and of all. A first call may be of any size.
    var waitingPerSender = 8 << 20
    var waiting = 64 << 20
  }

  private struct Queue {
    var calls: Deque<(call: Call, size: Int)> = []
    var size = 0
    var answer: Answer?

    mutating func add(_ call: Call, _ size: Int) {
      calls.append((call, size))
      self.size += size
    }

    mutating func take() -> (call: Call, size: Int)? {
      guard let next = calls.popFirst() else { return nil }
      size -= next.size
      return next
    }
  }

  private var known: RecentlyUsed<Verdict>
  private var queues: [String: Queue] = [:]
  private var waitingSize = 0
  private let limits: Limits

  init(limits: Limits = Limits()) {
    self.limits = limits
    known = RecentlyUsed(capacity: limits.remembered)
  }

  /// Whether no call waits.
  var isEmpty: Bool { queues.isEmpty }

  /// A call has come.
  ///
  /// - Parameters:
  ///   - call: The call, which is kept if it waits.
  ///   - sender: The unique name of its sender.
  ///   - size: What it takes of the limits.
  /// - Returns: What becomes of it.
  mutating func arrive(_ call: Call, from sender: String, size: Int) -> Arrival {
    if let verdict = known[sender] { return .decided(verdict) }
    guard waitingSize + size <= limits.waiting || waitingSize == 0 else { return .tooMuch }
    let isFirst = queues[sender] == nil
    guard isFirst || queues[sender, default: Queue()].size + size <= limits.waitingPerSender else { return .tooMuch }
    queues[sender, default: Queue()].add(call, size)
    waitingSize += size
    return .waits(isFirst: isFirst)
  }

  /// A sender whose calls wait is known now, as far as it can be. They are taken with ``next(of:)``; what comes meanwhile waits
  /// behind them.
  mutating func settle(_ sender: String, _ answer: Answer) { queues[sender]?.answer = answer }

  /// Takes the next call of a sender that has been settled.
  ///
  /// - Parameter sender: The unique name of the sender.
  /// - Returns: The call and what was found out of its sender; nil if none is left, or nothing is settled.
  mutating func next(of sender: String) -> (Call, Answer)? {
    guard let answer = queues[sender]?.answer else { return nil }
    guard let (call, size) = queues[sender]?.take() else {
      queues[sender] = nil
      if case .verdict(let verdict) = answer { known[sender] = verdict }
      return nil
    }
    waitingSize -= size
    return (call, answer)
  }

  /// Forgets everything.
  mutating func clear() { self = Admission(limits: limits) }
}
