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

/// Decides who may call the objects of a connection. Calls of all other senders are answered with `AccessDenied`.
public struct AdmissionRule: Sendable {
  /// The admitted callers, as the end of the sentence "this service is for …".
  public let description: String

  /// Returns whether a caller is admitted.
  public let admits: @Sendable (PeerCredentials) async -> Bool

  /// Returns the credentials, completed with items that the bus did not report and the rule looks up. The calls of an admitted
  /// caller carry these credentials.
  public let completes: @Sendable (PeerCredentials) async -> PeerCredentials

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - description: the admitted callers, as the end of the sentence "this service is for …", which refused callers receive.
  ///   - completes: the closure that completes the credentials of a calling connection. It is called before `admits`, under the
  ///     same conditions.
  ///   - admits: the closure that decides about a calling connection. It is called at the connection's first call, and again
  ///     only if its verdict has been forgotten; at least the 2048 most recent callers are remembered. It may take time,
  ///     because only the calls of that connection wait, but must not block its thread.
  public init(
    _ description: String, completes: @escaping @Sendable (PeerCredentials) async -> PeerCredentials = { $0 },
    admits: @escaping @Sendable (PeerCredentials) async -> Bool
  ) {
    self.description = description
    self.completes = completes
    self.admits = admits
  }

  /// Returns the error for a caller that is not admitted.
  func refusal(of peer: PeerCredentials?) -> DBusError {
    let who = peer?.user.map { "User \($0) may not call" } ?? "The bus does not identify the calling user"
    return .accessDenied("\(who): this service is for \(description)")
  }
}

/// The owner of a connection to the bus, as the kernel reported it to the bus: that of the connecting process at the
/// time it connected.
public struct PeerCredentials: Sendable, Hashable {
  /// The user id; nil if the bus does not know it, as over TCP.
  public var user: UInt32?
  /// The ids of all groups, including the primary one; nil if the bus does not report them.
  public var groups: Set<UInt32>?

  /// Creates credentials.
  public init(user: UInt32? = nil, groups: Set<UInt32>? = nil) {
    self.user = user
    self.groups = groups
  }

  /// Returns whether the bus itself does not support `GetConnectionCredentials`, so that only the user can be queried: it lacks
  /// the method, or its answer contains a file descriptor (`ProcessFD`, since dbus-daemon 1.16).
  static func isAbsent(_ error: any Error) -> Bool {
    switch error {
    case let error as DBusError: error.isStandard("UnknownMethod")
    case ConnectionError.unreadableReply: true
    default: false
    }
  }

  /// Decodes the answer of `GetConnectionCredentials`; nil if it is malformed. Keys with a value of the wrong type are
  /// treated as missing.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.GetConnectionCredentials".
  init?(reply: [Value]) {
    guard let entries = reply.first?.vardict else { return nil }
    if case .uint32(let user)? = entries["UnixUserID"] { self.user = user }
    if case .array(of: .uint32, let groups)? = entries["UnixGroupIDs"] {
      self.groups = Set(groups.compactMap { if case .uint32(let group) = $0 { group } else { nil } })
    }
  }
}

/// A call, and the reason why its arguments could not be decoded, if there is one.
struct ArrivedCall: Sendable {
  var call: IncomingCall
  let unreadable: UnreadableBody?
}

/// Applies a connection's admission rule to its callers. Used only on the connection's executor.
final class Admitting {
  private let rule: AdmissionRule
  private var admission = Admission<ArrivedCall>()
  /// Whether the bus lacks `GetConnectionCredentials`, or gives an answer that cannot be read.
  private var asksForUserOnly = false

  init(_ rule: AdmissionRule) { self.rule = rule }

  /// Whether no call waits.
  var isEmpty: Bool { admission.isEmpty }

  /// Forgets all calls and callers, because the connection is lost.
  func clear() { admission.clear() }

  /// Carries out a call if its sender is admitted, immediately or once that is known.
  func receive(_ arrived: ArrivedCall, size: Int, on connection: isolated Connection) {
    let sender = arrived.call.sender
    switch admission.arrive(arrived, from: sender, size: size) {
    case .decided(let verdict): conclude(arrived, .verdict(verdict), on: connection)
    case .waits(let isFirst): if isFirst { ask(about: sender, on: connection) }
    case .tooMuch:
      connection.refuse(
        arrived.call,
        .limitsExceeded("Too many calls are waiting for the bus to identify their senders; make them one after the other"))
    }
  }

  private func ask(about sender: String, on connection: isolated Connection) {
    let forUserOnly = asksForUserOnly
    let member = forUserOnly ? "GetConnectionUnixUser" : "GetConnectionCredentials"
    connection.start(.bus(member, [.string(sender)])) { connection, result in
      connection.admitting?.learn(about: sender, result, askedForUserOnly: forUserOnly, on: connection)
    }
  }

  private func learn(
    about sender: String, _ result: Result<[Value], any Error>, askedForUserOnly: Bool, on connection: isolated Connection
  ) {
    switch result {
    case .success(let reply):
      guard let peer = PeerCredentials(reply: reply) ?? PeerCredentials(userReply: reply) else {
        return settle(sender, .unknown, on: connection)
      }
      decide(about: sender, peer, on: connection)
    case .failure(let error as DBusError) where error.isStandard("NameHasNoOwner"): settle(sender, .gone, on: connection)
    case .failure(let error) where PeerCredentials.isAbsent(error) && !askedForUserOnly:
      asksForUserOnly = true
      ask(about: sender, on: connection)
    case .failure: settle(sender, .unknown, on: connection)
    }
  }

  private func decide(about sender: String, _ peer: PeerCredentials, on connection: isolated Connection) {
    let rule = rule
    Task {
      let peer = await rule.completes(peer)
      let verdict: Admission<ArrivedCall>.Verdict = await rule.admits(peer) ? .admitted(peer) : .refused(peer)
      connection.admitting?.settle(sender, .verdict(verdict), on: connection)
    }
  }

  private func settle(_ sender: String, _ answer: Admission<ArrivedCall>.Answer, on connection: isolated Connection) {
    admission.settle(sender, answer)
    handOver(callsOf: sender, on: connection)
  }

  /// Hands over some calls per job, so that a sender with many does not delay the others.
  private func handOver(callsOf sender: String, on connection: isolated Connection) {
    for _ in 0..<16 {
      guard let (arrived, answer) = admission.next(of: sender) else { return connection.callsMayBeAnswered() }
      conclude(arrived, answer, on: connection)
    }
    connection.loop.post { [weak connection] in
      connection?.assumeIsolated { $0.admitting?.handOver(callsOf: sender, on: $0) }
    }
  }

  private func conclude(_ arrived: ArrivedCall, _ answer: Admission<ArrivedCall>.Answer, on connection: isolated Connection) {
    var arrived = arrived
    switch answer {
    case .verdict(.admitted(let peer)):
      arrived.call.credentials = peer
      if connection.limits.countsByUser, let user = peer.user { arrived.call.slot.count(for: user) }
      connection.carryOut(arrived)
    case .verdict(.refused(let peer)): connection.refuse(arrived.call, rule.refusal(of: peer))
    case .unknown: connection.refuse(arrived.call, rule.refusal(of: nil))
    case .gone:
      arrived.call.abandon()
      connection.forgetRefused(arrived.call.signature)
    }
  }
}

extension PeerCredentials {
  /// Decodes the answer of `GetConnectionUnixUser`.
  fileprivate init?(userReply: [Value]) {
    guard case .uint32(let user)? = userReply.first else { return nil }
    self.init(user: user)
  }
}

/// A cache of values by key that keeps at least the `capacity` most recently used keys and fewer than twice as many.
///
/// It has two generations: a used key moves to the young one, which becomes the old one when it is full. A use
/// therefore costs one dictionary look-up, and there is no list to keep in order.
struct RecentlyUsed<Value> {
  private var young: [String: Value] = [:]
  private var old: [String: Value] = [:]
  private let capacity: Int

  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { young.count + old.count }

  /// Accesses a value. Both reading and setting it count as a use.
  subscript(key: String) -> Value? {
    mutating get {
      if let value = young[key] { return value }
      guard let value = old.removeValue(forKey: key) else { return nil }
      insert(value, for: key)
      return value
    }
    set {
      old[key] = nil
      guard let newValue else { return young[key] = nil }
      insert(newValue, for: key)
    }
  }

  private mutating func insert(_ value: Value, for key: String) {
    if young.count >= capacity, young[key] == nil { (old, young) = (young, [:]) }
    young[key] = value
  }
}
