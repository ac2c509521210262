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

    static func += (load: inout Load, other: Load) {
      load.calls += other.calls
      load.bytes += other.bytes
    }

    static func -= (load: inout Load, other: Load) {
      load.calls -= other.calls
      load.bytes -= other.bytes
    }
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

  /// Why the calls of a sender wait, whatever their number.
  struct Stops: OptionSet, Sendable, Hashable {
    let rawValue: UInt8
    /// The last one has taken so long that first others are served.
    static let hasTakenLong = Stops(rawValue: 1)
    /// A large answer is being made for one of them, and they are answered in order.
    static let largeAnswer = Stops(rawValue: 2)
    /// Too much waits to be sent to it.
    static let unsent = Stops(rawValue: 4)
  }

  private struct Line: Sendable {
    var load = Load()
    /// How many have been handed out, and are not answered.
    var underWay = 0
    var waiting: Deque<IncomingCall> = []
    /// Whether ``next(of:)`` is about to be called.
    var hasTurn = false
  }

  private(set) var total = Load()
  private var lines: [String: Line] = [:]
  private var stops: [String: Stops] = [:]
  /// What the calls take up of accounts that are not one sender's.
  private var accounts: [String: Load] = [:]
  var limits: MessageLimits

  init(limits: MessageLimits) { self.limits = limits }

  /// What the calls take up that count for an account.
  func load(of account: String) -> Load { accounts[account] ?? lines[account]?.load ?? Load() }

  // MARK: Calls

  /// A call has come.
  mutating func arrive(_ call: IncomingCall) -> Decision {
    guard total.calls > 0 || !stops.isEmpty else { return .dispatch }
    let slot = call.slot
    if let error = refusal(of: slot.cost, from: slot.account) { return .refuse(error) }
    let mayGoOn = lines[slot.sender].map { $0.underWay < limits.callsUnderWayPerSender && $0.waiting.isEmpty } ?? true
    if mayGoOn, stops.isEmpty || stops[slot.sender] == nil { return .dispatch }
    enter(slot)
    lines[slot.sender]?.waiting.append(call)
    return .wait
  }

  private func refusal(of bytes: Int, from account: String) -> DBusError? {
    let own = load(of: account)
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
  mutating func begin(_ slot: ReplySlot) {
    enter(slot)
    lines[slot.sender]?.underWay += 1
  }

  /// A call that was under way has been answered. ``takesTurn(_:)`` then tells whether the sender's next one can be had.
  mutating func end(_ account: CallAccount) {
    guard let own = lines[account.sender]?.load else { return }
    lines[account.sender]?.underWay -= 1
    let load = Load(calls: 1, bytes: account.cost)
    total -= load
    if account.name != account.sender {
      accounts[account.name]? -= load
      if accounts[account.name]?.calls == 0 { accounts[account.name] = nil }
    }
    if own.calls > 1 { lines[account.sender]?.load -= load } else { lines[account.sender] = nil }
  }

  private mutating func enter(_ slot: ReplySlot) {
    let load = Load(calls: 1, bytes: slot.cost)
    total += load
    lines[slot.sender, default: Line()].load += load
    if slot.account != slot.sender { accounts[slot.account, default: Load()] += load }
  }

  // MARK: Turns

  /// Whether a sender is to have a turn, which ``next(of:)`` has to be called for then.
  mutating func takesTurn(_ sender: String) -> Bool {
    guard stops.isEmpty || stops[sender] == nil, let line = lines[sender], !line.waiting.isEmpty, !line.hasTurn,
      line.underWay < limits.callsUnderWayPerSender
    else { return false }
    lines[sender]?.hasTurn = true
    return true
  }

  /// The call of a sender that is to be dispatched next, and is under way from now on; nil if there is none, or it may not be now.
  mutating func next(of sender: String) -> IncomingCall? {
    lines[sender]?.hasTurn = false
    guard stops.isEmpty || stops[sender] == nil, let line = lines[sender], line.underWay < limits.callsUnderWayPerSender,
      let call = lines[sender]?.waiting.popFirst()
    else { return nil }
    lines[sender]?.underWay += 1
    return call
  }

  /// Has the calls of a sender wait from now on.
  ///
  /// - Returns: Whether they did not for this reason before.
  @discardableResult
  mutating func stop(_ sender: String, _ reason: Stops) -> Bool { stops[sender, default: []].insert(reason).inserted }

  /// Takes back a reason why the calls of a sender wait.
  mutating func go(on sender: String, _ reason: Stops) {
    guard !stops.isEmpty, var left = stops[sender] else { return }
    left.remove(reason)
    stops[sender] = left.isEmpty ? nil : left
  }

  /// Whether the calls of a sender wait, whatever their number.
  func stops(of sender: String) -> Stops { stops[sender] ?? [] }
}

/// What a call counts for.
struct CallAccount: Sendable, Hashable {
  /// Whose line it is in.
  let sender: String
  /// Whose limits it counts for: the sender's, or its user's.
  let name: String
  /// About how many bytes of memory it takes up.
  let cost: Int
}
