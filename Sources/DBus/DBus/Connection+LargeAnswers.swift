/// Makes large answers to reads on another thread, one at a time, once earlier ones have been written; their recipients
/// take turns. Signals and small answers overtake them.
extension Connection {
  /// Queues the answer to a call. The sender's other calls wait for it, unless this call waits for long.
  func answerInTurn(_ slot: ReplySlot, types: String?, _ making: LargeAnswers.Pending.Making) {
    guard isOpen else { return }
    if !slot.isWaitingForLong { callLines.stop(slot.sender, .largeAnswer) }
    largeAnswers.turns.add(.init(slot: slot, types: types, making: making), for: slot.sender)
    makeNextAnswer()
  }

  /// Starts the next answer, if the outgoing queue has room for it.
  func makeNextAnswer() {
    guard !largeAnswers.turns.isEmpty, isOpen, link.outgoingSize <= limits.largeAnswerQueue, let next = largeAnswers.turns.next()
    else { return }
    make(next)
  }

  private func make(_ pending: LargeAnswers.Pending) {
    guard pending.slot.expectsReply else { return finish(pending, nil) }
    switch pending.making {
    case .described(let describe):
      do throws(DBusError) {
        make(pending, try describe(self))
      } catch {
        finish(pending, .failure(error))
      }
    case .gathered(let source): gather(pending, source)
    }
  }

  /// Makes an answer on another thread, unless it is cached.
  func make(_ pending: LargeAnswers.Pending, _ answer: LargeAnswer) {
    if let kept = largeAnswers.kept.answer(answer.key, stamp: answer.stamp), !answer.key.isEmpty {
      return finish(pending, .success(kept))
    }
    let (key, stamp) = (answer.key, answer.stamp)
    largeAnswers.maker.make(answer, types: pending.types, limits: limits) { [weak self, loop] result in
      loop.post { [weak self] in self?.assumeIsolated { $0.hasMade(pending, key, stamp, result) } }
    }
  }

  private func hasMade(
    _ pending: LargeAnswers.Pending, _ key: String, _ stamp: UInt64, _ result: Result<MadeAnswer, DBusError>
  ) {
    guard isOpen else { return }
    // Make a new one, because the caller receives the signals about changes made meanwhile before the answer. Not
    // indefinitely: signals may never stop.
    if case .described(let describe) = pending.making, pending.attempts < 2, let now = try? describe(self), now.stamp != stamp {
      var again = pending
      again.attempts += 1
      return make(again, now)
    }
    if case .success(let made) = result, !key.isEmpty {
      largeAnswers.kept.keep(made, bytes: made.size, key: key, stamp: stamp)
      forgetKeptAnswersLater()
    }
    finish(pending, result)
  }

  // MARK: Gathering

  /// The time in nanoseconds for which objects are gathered without a break.
  private static var slice: UInt64 { 1_000_000 }

  /// Gathers the properties of all objects of a source, some at a time.
  private func gather(_ pending: LargeAnswers.Pending, _ source: any ObjectSource) {
    let key = "objects of \(source.objectManagerPath ?? .root) \(source.managedView)"
    let stamp = source.managedStamp
    if let kept = largeAnswers.kept.answer(key, stamp: stamp) { return finish(pending, .success(kept)) }
    largeAnswers.gathering = Gathering(source.managedPaths())
    gatherSome(pending, source, key: key, stamp: stamp)
  }

  private func gatherSome(_ pending: LargeAnswers.Pending, _ source: any ObjectSource, key: String, stamp: UInt64) {
    guard isOpen, largeAnswers.gathering != nil else { return }
    let end = Monotonic.now() + Self.slice
    while let path = largeAnswers.gathering?.nextPath() {
      if let object = source.object(at: path) {
        let interfaces = object.interfaces.map { (name: $0.name, properties: readings(of: object, $0)) }
        largeAnswers.gathering?.add((path, interfaces))
      }
      guard Monotonic.now() < end else {
        return loop.postPatiently { [weak self] in
          self?.assumeIsolated { $0.gatherSome(pending, source, key: key, stamp: stamp) }
        }
      }
    }
    guard largeAnswers.gathering?.isOutdated == false else {
      return finish(pending, .failure(.limitsExceeded("the objects change faster than they can be listed: call again later")))
    }
    let rows = largeAnswers.gathering?.takeRows() ?? []
    // Each change made meanwhile may or may not be included, and is reported once more after the answer. The answer is
    // therefore correct for this caller only, and not cached.
    let isTrue = source.managedStamp == stamp
    make(pending, LargeAnswer(key: isTrue ? key : "", stamp: stamp) { [Self.managedObjects(rows)] })
  }

  /// Sends an answer and continues with the next one.
  func finish(_ pending: LargeAnswers.Pending, _ result: Result<MadeAnswer, DBusError>?) {
    let slot = pending.slot
    let gathered = largeAnswers.gathering.take()
    largeAnswers.turns.end()
    if !largeAnswers.turns.hasWaiting(for: slot.sender) { callLines.go(on: slot.sender, .largeAnswer) }
    if slot.takeAnswer(on: self), slot.expectsReply, let result { send(result, to: slot) }
    for signal in gathered?.signals(to: slot.sender) ?? [] where isOpen { _ = try? send(.signal(signal, to: slot.sender)) }
    serveNext(of: slot.sender)
    let goOn: @Sendable () -> Void = { [weak self] in
      self?.assumeIsolated { connection in
        connection.makeNextAnswer()
        connection.drainedPerhaps()
      }
    }
    if result.isSmall { loop.post(goOn) } else { loop.postPatiently(goOn) }
  }

  private func send(_ result: Result<MadeAnswer, DBusError>, to slot: ReplySlot) {
    flushPropertyChanges()
    switch result {
    case .success(let made):
      guard isOpen, let sent = link.send(made, to: slot.sender, replyTo: slot.serial) else { return }
      note(sent.bytes, to: slot.sender)
    case .failure(let error): answer(.failure(error), results: nil, sender: slot.sender, serial: slot.serial)
    }
  }

  /// Discards cached answers that have not been requested for some seconds.
  private func forgetKeptAnswersLater() {
    guard !largeAnswers.forgets else { return }
    largeAnswers.forgets = true
    loop.schedule(after: .seconds(5)) { [weak self] in
      self?.assumeIsolated { connection in
        connection.largeAnswers.forgets = false
        if !connection.largeAnswers.kept.forgetUnused() { connection.forgetKeptAnswersLater() }
      }
    }
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
