import DequeModule

/// Decides what to do with calls, given what is known about their senders. A pure value: its owner queries the bus and
/// evaluates the rule.
///
/// Unique names are never reused on a bus, so a verdict about a sender is final. The calls of a sender that is not
/// known yet wait in order; those of other senders pass them.
struct Admission<Call> {
  /// The verdict on a sender.
  enum Verdict: Sendable, Hashable {
    case admitted(PeerCredentials)
    case refused(PeerCredentials)
  }

  /// The result of a call's arrival.
  enum Arrival: Sendable, Hashable {
    /// The sender is known.
    case decided(Verdict)
    /// The call is held. If it is the sender's first one, the caller must look the sender up.
    case waits(isFirst: Bool)
    /// Too many calls or bytes wait already.
    case tooMuch
  }

  /// The result of looking up a sender whose calls wait.
  enum Answer: Sendable, Hashable {
    case verdict(Verdict)
    /// The bus could not answer. The sender's next call causes another look-up.
    case unknown
    /// The sender has left the bus.
    case gone
  }

  struct Limits: Sendable, Hashable {
    /// The minimum number of senders to remember.
    var remembered = 2_048
    /// The maximum size of the waiting calls of one sender, in bytes; a sender's first call may be larger.
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

  /// Decides what happens to a call that has arrived.
  ///
  /// - Parameters:
  ///   - call: the call, which is stored if it waits.
  ///   - sender: the unique name of its sender.
  ///   - size: the number of bytes to count towards the limits.
  /// - Returns: what happens to the call.
  mutating func arrive(_ call: Call, from sender: String, size: Int) -> Arrival {
    if let verdict = known[sender] { return .decided(verdict) }
    guard waitingSize + size <= limits.waiting || waitingSize == 0 else { return .tooMuch }
    let isFirst = queues[sender] == nil
    guard isFirst || queues[sender, default: Queue()].size + size <= limits.waitingPerSender else { return .tooMuch }
    queues[sender, default: Queue()].add(call, size)
    waitingSize += size
    return .waits(isFirst: isFirst)
  }

  /// Records the result of looking up a sender whose calls wait. Remove them with ``next(of:)``; calls that arrive
  /// meanwhile wait behind them.
  mutating func settle(_ sender: String, _ answer: Answer) { queues[sender]?.answer = answer }

  /// Removes the next call of a sender that has been looked up.
  ///
  /// - Parameter sender: the sender's unique name.
  /// - Returns: the call and the result of the look-up; nil if no call is left or the sender has not been looked up.
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
