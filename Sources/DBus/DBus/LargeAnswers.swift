/// The large answers to reads that a connection owes. Makes them on another thread, one at a time, once earlier ones have been
/// written; their recipients take turns. Signals and small answers overtake them. Used only on the connection's executor.
final class LargeAnswers {
  /// How an answer is made.
  enum Making: Sendable {
    /// From a description that is available immediately.
    case described(@Sendable (isolated Connection) throws(DBusError) -> LargeAnswer)
    /// Gathered from all objects of a source.
    case gathered(any ObjectSource)
  }

  /// A call that waits for a large answer.
  private struct Pending: Sendable {
    let slot: ReplySlot
    let types: String?
    let making: Making
    /// How often the answer was outdated by the time it had been made.
    var attempts = 0
  }

  private var turns = AnswerTurns<Pending>()
  private var kept: KeptAnswers<MadeAnswer>
  private let maker = AnswerMaker()
  private var gathering: Gathering?
  private var forgets = false
  private let limits: MessageLimits

  init(limits: MessageLimits) {
    self.limits = limits
    kept = KeptAnswers(capacity: limits.keptAnswers)
  }

  /// Whether no answer waits and none is being made.
  var isEmpty: Bool { turns.isEmpty }

  /// Records a signal that has been sent, to everyone or to one client. Signals about objects that are sent while objects are
  /// gathered, or while the answer is made from them, are repeated after the answer.
  func note(_ signal: Signal, to destination: String?) { gathering?.note(signal, to: destination) }

  /// Forgets all answers, because the connection is lost.
  func clear() {
    (turns, kept) = (AnswerTurns(), KeptAnswers(capacity: limits.keptAnswers))
    (gathering, forgets) = (nil, false)
  }

  /// Queues the answer to a call. The sender's other calls wait for it, unless this call waits for long.
  func add(_ slot: ReplySlot, types: String?, _ making: Making, on connection: isolated Connection) {
    guard connection.isOpen else { return }
    if !slot.isWaitingForLong { connection.stopCalls(of: slot.sender, .largeAnswer) }
    turns.add(Pending(slot: slot, types: types, making: making), for: slot.sender)
    makeNext(on: connection)
  }

  /// Starts the next answer, if the outgoing queue has room for it.
  func makeNext(on connection: isolated Connection) {
    guard !turns.isEmpty, connection.isOpen, connection.link.outgoingSize <= limits.largeAnswerQueue, let next = turns.next()
    else { return }
    make(next, on: connection)
  }

  private func make(_ pending: Pending, on connection: isolated Connection) {
    guard pending.slot.expectsReply else { return finish(pending, nil, on: connection) }
    switch pending.making {
    case .described(let describe):
      do throws(DBusError) {
        make(pending, try describe(connection), on: connection)
      } catch {
        finish(pending, .failure(error), on: connection)
      }
    case .gathered(let source): gather(pending, source, on: connection)
    }
  }

  /// Makes an answer on another thread, unless it is cached.
  private func make(_ pending: Pending, _ answer: LargeAnswer, on connection: isolated Connection) {
    if let kept = kept.answer(answer.key, stamp: answer.stamp), !answer.key.isEmpty {
      return finish(pending, .success(kept), on: connection)
    }
    let (key, stamp) = (answer.key, answer.stamp)
    maker.make(answer, types: pending.types, limits: limits) { [weak connection, loop = connection.loop] result in
      loop.post { [weak connection] in
        connection?.assumeIsolated { $0.largeAnswers.hasMade(pending, key, stamp, result, on: $0) }
      }
    }
  }

  private func hasMade(
    _ pending: Pending, _ key: String, _ stamp: UInt64, _ result: Result<MadeAnswer, DBusError>,
    on connection: isolated Connection
  ) {
    guard connection.isOpen else { return }
    // Make a new one, because the caller receives the signals about changes made meanwhile before the answer. Not
    // indefinitely: signals may never stop.
    if case .described(let describe) = pending.making, pending.attempts < 2, let now = try? describe(connection),
      now.stamp != stamp
    {
      var again = pending
      again.attempts += 1
      return make(again, now, on: connection)
    }
    if case .success(let made) = result, !key.isEmpty {
      kept.keep(made, bytes: made.size, key: key, stamp: stamp)
      forgetKeptLater(on: connection)
    }
    finish(pending, result, on: connection)
  }

  // MARK: Gathering

  /// The time in nanoseconds for which objects are gathered without a break.
  private static var slice: UInt64 { 1_000_000 }

  /// Gathers the properties of all objects of a source, some at a time.
  private func gather(_ pending: Pending, _ source: any ObjectSource, on connection: isolated Connection) {
    let key = "objects of \(source.objectManagerPath ?? .root) \(source.managedView)"
    let stamp = source.managedStamp
    if let kept = kept.answer(key, stamp: stamp) { return finish(pending, .success(kept), on: connection) }
    gathering = Gathering(source.managedPaths())
    gatherSome(pending, source, key: key, stamp: stamp, on: connection)
  }

  private func gatherSome(
    _ pending: Pending, _ source: any ObjectSource, key: String, stamp: UInt64, on connection: isolated Connection
  ) {
    guard connection.isOpen, gathering != nil else { return }
    let end = Monotonic.now() + Self.slice
    while let path = gathering?.nextPath() {
      if let object = source.object(at: path) {
        let interfaces = object.interfaces.map { (name: $0.name, properties: connection.readings(of: object, $0)) }
        gathering?.add((path, interfaces))
      }
      guard Monotonic.now() < end else {
        return connection.loop.postPatiently { [weak connection] in
          connection?.assumeIsolated { $0.largeAnswers.gatherSome(pending, source, key: key, stamp: stamp, on: $0) }
        }
      }
    }
    guard gathering?.isOutdated == false else {
      let error = DBusError.limitsExceeded("the objects change faster than they can be listed: call again later")
      return finish(pending, .failure(error), on: connection)
    }
    let rows = gathering?.takeRows() ?? []
    // Each change made meanwhile may or may not be included, and is reported once more after the answer. The answer is
    // therefore correct for this caller only, and not cached.
    let isTrue = source.managedStamp == stamp
    make(
      pending, LargeAnswer(key: isTrue ? key : "", stamp: stamp) { [Connection.managedObjects(rows)] }, on: connection)
  }

  /// Sends an answer and continues with the next one.
  private func finish(_ pending: Pending, _ result: Result<MadeAnswer, DBusError>?, on connection: isolated Connection) {
    let slot = pending.slot
    let gathered = gathering.take()
    turns.end()
    if !turns.hasWaiting(for: slot.sender) { connection.resumeCalls(of: slot.sender, .largeAnswer) }
    if slot.takeAnswer(on: connection), slot.expectsReply, let result { connection.send(result, to: slot) }
    for signal in gathered?.signals(to: slot.sender) ?? [] where connection.isOpen {
      _ = try? connection.send(.signal(signal, to: slot.sender))
    }
    connection.serveNext(of: slot.sender)
    let goOn: @Sendable () -> Void = { [weak connection] in
      connection?.assumeIsolated { connection in
        connection.largeAnswers.makeNext(on: connection)
        connection.drainedPerhaps()
      }
    }
    if result.isSmall { connection.loop.post(goOn) } else { connection.loop.postPatiently(goOn) }
  }

  /// Discards cached answers that have not been requested for some seconds.
  private func forgetKeptLater(on connection: isolated Connection) {
    guard !forgets else { return }
    forgets = true
    connection.loop.schedule(after: .seconds(5)) { [weak connection] in
      connection?.assumeIsolated { $0.largeAnswers.forgetKept(on: $0) }
    }
  }

  private func forgetKept(on connection: isolated Connection) {
    forgets = false
    if !kept.forgetUnused() { forgetKeptLater(on: connection) }
  }
}

extension Result<MadeAnswer, DBusError>? {
  /// Whether sending it costs no more than sending a small answer.
  fileprivate var isSmall: Bool {
    guard case .success(let made)? = self else { return true }
    return made.size < 16_384
  }
}

/// An answer that takes time to make, as of one moment.
public struct LargeAnswer: Sendable {
  /// The size in bytes from which an answer is large. Making a smaller one takes about as long as carrying out a call.
  public static let size = 32_768

  /// Identifies the request, regardless of the caller, so that the answer can be cached; empty for an answer that is not
  /// cached.
  public let key: String
  /// A number that changes whenever the answer would change.
  public let stamp: UInt64
  /// Makes the results. Called on a thread other than the loop's.
  public let make: @Sendable () throws(DBusError) -> [Value]

  /// Creates the description of an answer.
  public init(key: String, stamp: UInt64, make: @escaping @Sendable () throws(DBusError) -> [Value]) {
    self.key = key
    self.stamp = stamp
    self.make = make
  }
}

/// The value of a property that takes time to make, as of one moment.
public struct LargeProperty: Sendable {
  /// A number that changes whenever any property of the object changes.
  public let stamp: UInt64
  /// Makes the value. Called on a thread other than the loop's.
  public let make: @Sendable () -> Value

  /// Creates the description of a value.
  public init(stamp: UInt64, make: @escaping @Sendable () -> Value) {
    self.stamp = stamp
    self.make = make
  }
}

/// The objects gathered for `GetManagedObjects`, some at a time, so that others are served in between.
struct Gathering {
  /// An object: its path and interfaces, each with its readable properties.
  typealias Row = (path: ObjectPath, interfaces: [(name: String, properties: [String: PropertyReading])])

  private(set) var rows: [Row] = []
  private(set) var paths: ArraySlice<ObjectPath>
  /// The signals about objects that were sent since gathering began, with their destinations; nil for everyone.
  private var signals: [(signal: Signal, destination: String?)] = []
  /// Whether there were more such signals than can be stored.
  private(set) var isOutdated = false
  private static let mostSignals = 65_536

  init(_ paths: [ObjectPath]) { self.paths = paths[...] }

  mutating func nextPath() -> ObjectPath? { paths.popFirst() }

  mutating func add(_ row: Row) { rows.append(row) }

  mutating func note(_ signal: Signal, to destination: String?) {
    guard StandardInterfaces.tellsOfObjects(signal) else { return }
    if signals.count < Self.mostSignals { signals.append((signal, destination)) } else { isOutdated = true }
  }

  /// Returns the signals that a client has received, and no others: the others may be about objects that are hidden from it.
  func signals(to client: String) -> [Signal] {
    signals.filter { $0.destination == nil || $0.destination == client }.map(\.signal)
  }

  /// Removes and returns the rows, to make the answer from them.
  mutating func takeRows() -> [Row] {
    defer { rows = [] }
    return rows
  }
}

/// A property's value, or a closure that makes it.
enum PropertyReading: Sendable {
  case value(Value)
  case large(LargeProperty)

  var value: Value {
    switch self {
    case .value(let value): value
    case .large(let large): large.make()
    }
  }
}

extension StandardInterfaces {
  /// Returns whether a signal reports that objects appear, disappear or change.
  fileprivate static func tellsOfObjects(_ signal: Signal) -> Bool {
    signal.interface == objectManager.name || signal.interface == properties.name
  }
}
