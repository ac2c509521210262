import DequeModule

/// The incoming calls that have not been answered. Each sender has a separate queue, so that one that sends thousands of calls
/// at once delays only itself.
///
/// A pure value that decides; the connection acts on its decisions. Calls that are answered immediately, as most are, are never
/// added; while there are no others, they cost only one check here.
struct CallLines: Sendable {
  /// The resources that calls use: their number, and the approximate memory use of their arguments in bytes.
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

  /// The action to take for a call that has arrived.
  enum Decision: Sendable {
    /// Dispatch it.
    case dispatch
    /// It has been queued; ``next(of:)`` returns it later.
    case wait
    /// Answer it with this error.
    case refuse(DBusError)
  }

  /// Reasons to hold a sender's calls, regardless of their number.
  struct Stops: OptionSet, Sendable, Hashable {
    let rawValue: UInt8
    /// The sender's last call took so long that others are served first.
    static let hasTakenLong = Stops(rawValue: 1)
    /// A large answer to one of the sender's calls is being made, and its calls are answered in order.
    static let largeAnswer = Stops(rawValue: 2)
    /// Too many bytes wait to be sent to the sender.
    static let unsent = Stops(rawValue: 4)
  }

  private struct Line: Sendable {
    var load = Load()
    /// The number of calls that have been handed out and not answered.
    var underWay = 0
    var waiting: Deque<IncomingCall> = []
    /// Whether a call of ``next(of:)`` is pending.
    var hasTurn = false
  }

  private(set) var total = Load()
  private var lines: [String: Line] = [:]
  private var stops: [String: Stops] = [:]
  /// The load of accounts that are not those of a single sender.
  private var accounts: [String: Load] = [:]
  var limits: MessageLimits

  init(limits: MessageLimits) { self.limits = limits }

  /// Returns the load of the calls that count towards an account.
  func load(of account: String) -> Load { accounts[account] ?? lines[account]?.load ?? Load() }

  // MARK: Calls

  /// Decides what to do with a call that has arrived, and queues it if it must wait.
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
      return .limitsExceeded("\(own.calls) of your calls are unanswered: await some replies before you call again")
    }
    guard own.calls == 0 || bytes <= limits.waitingBytesPerSender - own.bytes else {
      return .limitsExceeded("your unanswered calls take up too much memory: await some replies before you call again")
    }
    guard total.calls < limits.waitingCalls, bytes <= limits.waitingBytes - total.bytes else {
      return .limitsExceeded("too many calls of all clients are unanswered: call again later")
    }
    return nil
  }

  /// Adds a call that was dispatched on arrival and not answered immediately.
  mutating func begin(_ slot: ReplySlot) {
    enter(slot)
    lines[slot.sender]?.underWay += 1
  }

  /// Removes a call in progress that has been answered. Afterwards, ``takesTurn(_:)`` tells whether the sender's next
  /// call can be dispatched.
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

  /// Returns whether a sender gets a turn. If so, ``next(of:)`` must be called for it.
  mutating func takesTurn(_ sender: String) -> Bool {
    guard stops.isEmpty || stops[sender] == nil, let line = lines[sender], !line.waiting.isEmpty, !line.hasTurn,
      line.underWay < limits.callsUnderWayPerSender
    else { return false }
    lines[sender]?.hasTurn = true
    return true
  }

  /// Returns the sender's next call, which is in progress from now on; nil if there is none or it may not be dispatched
  /// now.
  mutating func next(of sender: String) -> IncomingCall? {
    lines[sender]?.hasTurn = false
    guard stops.isEmpty || stops[sender] == nil, let line = lines[sender], line.underWay < limits.callsUnderWayPerSender,
      let call = lines[sender]?.waiting.popFirst()
    else { return nil }
    lines[sender]?.underWay += 1
    return call
  }

  /// Holds a sender's calls from now on.
  ///
  /// - Returns: whether they were not held for this reason before.
  @discardableResult
  mutating func stop(_ sender: String, _ reason: Stops) -> Bool { stops[sender, default: []].insert(reason).inserted }

  /// Removes a reason to hold a sender's calls.
  mutating func go(on sender: String, _ reason: Stops) {
    guard !stops.isEmpty, var left = stops[sender] else { return }
    left.remove(reason)
    stops[sender] = left.isEmpty ? nil : left
  }

  /// Returns the reasons for which a sender's calls are held.
  func stops(of sender: String) -> Stops { stops[sender] ?? [] }
}

/// How a call is accounted for.
struct CallAccount: Sendable, Hashable {
  /// The sender, which determines the queue.
  let sender: String
  /// The account whose limits apply: the sender's or its user's.
  let name: String
  /// The approximate memory use in bytes.
  let cost: Int
}

/// Counts the incoming calls that wait for long (see ``IncomingCall/waitForLong()``), for each sender or user and in
/// total.
struct LongCalls: Sendable {
  private(set) var total = 0
  private var counts: [String: Int] = [:]
  private let limits: MessageLimits

  init(limits: MessageLimits) { self.limits = limits }

  /// Adds a call.
  ///
  /// - Throws: `LimitsExceeded` if there are too many.
  mutating func add(of account: String) throws(DBusError) {
    let own = counts[account] ?? 0
    guard own < limits.longCallsPerSender else {
      throw .limitsExceeded("\(own) of your long-running calls are unanswered: await some replies before you call again")
    }
    guard total < limits.longCalls else {
      throw .limitsExceeded("too many long-running calls of all clients are unanswered: call again later")
    }
    counts[account] = own + 1
    total += 1
  }

  /// Removes a call.
  mutating func remove(of account: String) {
    guard let own = counts[account] else { return }
    counts[account] = own > 1 ? own - 1 : nil
    total -= 1
  }
}
