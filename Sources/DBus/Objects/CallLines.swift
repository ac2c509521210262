import DequeModule

/// The calls of others that have not been answered: each sender has a line of its own, so that one who sends thousands at once waits for
/// itself and nobody else does.
///
/// A value that decides: the connection does what it says. Calls that are answered at once, as most are, are not entered, and while there
/// are no others cost nothing here but a look.
struct CallLines: Sendable {
  /// What calls take up: how many they are, and about how many bytes of memory their arguments have.
  struct Load: Sendable, Hashable {
    var calls = 0
    var bytes = 0
  }

  /// What is done with a call that has come.
  enum Decision: Sendable {
    /// Have it carried out.
    case dispatch
    /// It has been put in line: ``next(of:)`` hands it out.
    case wait
    /// Answer with this error.
    case refuse(DBusError)
  }

  private struct Line: Sendable {
    var load = Load()
    /// How many have been handed out, and are not answered.
    var underWay = 0
    var waiting: Deque<IncomingCall> = []
  }

  private(set) var total = Load()
  private var lines: [String: Line] = [:]
  var limits: MessageLimits

  init(limits: MessageLimits) { self.limits = limits }

  /// What the calls of a sender take up.
  func load(of sender: String) -> Load { lines[sender]?.load ?? Load() }

  /// A call has come.
  mutating func arrive(_ call: IncomingCall) -> Decision {
    guard total.calls > 0 else { return .dispatch }
    let cost = call.slot.cost
    if let error = refusal(of: cost, from: call.sender) { return .refuse(error) }
    guard lines[call.sender].map({ $0.underWay < limits.callsUnderWayPerSender && $0.waiting.isEmpty }) == false else {
      return .dispatch
    }
    enter(cost, of: call.sender)
    lines[call.sender]?.waiting.append(call)
    return .wait
  }

  private func refusal(of bytes: Int, from sender: String) -> DBusError? {
    let own = load(of: sender)
    guard own.calls < limits.waitingCallsPerSender else {
      return .limitsExceeded("\(own.calls) of your calls wait for an answer: await some before you call again")
    }
    guard own.calls == 0 || bytes <= limits.waitingBytesPerSender - own.bytes else {
      return .limitsExceeded("your calls that wait for an answer hold too much data: await some before you call again")
    }
    guard total.calls < limits.waitingCalls, bytes <= limits.waitingBytes - total.bytes else {
      return .limitsExceeded("too many calls of all clients wait for an answer: call again later")
    }
    return nil
  }

  /// A call that was dispatched on arrival was not answered at once.
  mutating func begin(_ cost: Int, of sender: String) {
    enter(cost, of: sender)
    lines[sender]?.underWay += 1
  }

  /// A call that was under way has been answered.
  ///
  /// - Returns: whether the sender's next one can be had.
  mutating func end(_ cost: Int, of sender: String) -> Bool {
    lines[sender]?.underWay -= 1
    leave(cost, of: sender)
    return lines[sender]?.waiting.isEmpty == false
  }

  /// The call of a sender that is to be dispatched next, and is under way from now on; nil if there is none, or too many are.
  mutating func next(of sender: String) -> IncomingCall? {
    guard lines[sender].map({ $0.underWay < limits.callsUnderWayPerSender }) == true,
      let call = lines[sender]?.waiting.popFirst()
    else { return nil }
    lines[sender]?.underWay += 1
    return call
  }

  private mutating func enter(_ cost: Int, of sender: String) {
    total.calls += 1
    total.bytes += cost
    lines[sender, default: Line()].load.calls += 1
    lines[sender]?.load.bytes += cost
  }

  private mutating func leave(_ cost: Int, of sender: String) {
    guard let own = lines[sender]?.load else { return }
    total.calls -= 1
    total.bytes -= cost
    if own.calls > 1 {
      lines[sender]?.load = Load(calls: own.calls - 1, bytes: own.bytes - cost)
    } else {
      lines[sender] = nil
    }
  }
}
