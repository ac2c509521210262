import DequeModule
import Synchronization

extension Connection {
  /// Calls a method and waits for its results.
  ///
  /// May be called from any isolation; the call is sent on the connection's executor.
  ///
  /// - Parameters:
  ///   - call: the method call.
  ///   - deadline: how long to wait; nil to wait indefinitely.
  /// - Returns: the method's results.
  /// - Throws: the `DBusError` that the call was answered with, or that was detected before sending (`InvalidArgs`,
  ///   `LimitsExceeded`); `ConnectionError` if there is no answer; `CancellationError` if the task is cancelled while
  ///   it waits.
  public nonisolated(nonsending) func call(_ call: MethodCall, deadline: Duration? = .seconds(25)) async throws -> [Value] {
    let id = nextID()
    let isCancelled = CancellationFlag()
    // Not isolated to the connection, because each hop would cost a job. On the serial executor the call is sent at once;
    // elsewhere it is queued there, and the caller resumes on its own executor.
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        runIsolated { connection in
          guard !isCancelled.value.load(ordering: .relaxed) else { return continuation.resume(throwing: CancellationError()) }
          connection.start(call, id: id, deadline: deadline) { _, result in continuation.resume(with: result) }
        }
      }
    } onCancel: {
      // Runs either before the call is sent, in which case sending finds the flag set, or after, in which case the job
      // finds the call.
      isCancelled.value.store(true, ordering: .relaxed)
      loop.post { self.assumeIsolated { $0.giveUp(id, CancellationError()) } }
    }
  }

  /// Calls a method and waits for its results; see ``call(_:deadline:)``.
  public nonisolated(nonsending) func call(
    destination: String, path: ObjectPath, interface: String, member: String, arguments: [Value] = [],
    deadline: Duration? = .seconds(25), autoStart: Bool = true
  ) async throws -> [Value] {
    let call = MethodCall(
      destination: destination, path: path, interface: interface, member: member, arguments: arguments, autoStart: autoStart)
    return try await self.call(call, deadline: deadline)
  }

  /// Calls a method without requesting a reply.
  ///
  /// - Throws: `InvalidArgs`, `LimitsExceeded` or `Disconnected` if the call cannot be sent.
  public func send(_ call: MethodCall) throws(DBusError) { try send(.call(call, expectsReply: false)) }

  /// Sends a signal, either as a broadcast or to `destination` alone.
  ///
  /// - Throws: `InvalidArgs` for names or values that no message can contain; `LimitsExceeded` for a message beyond the
  ///   limits; `Disconnected`. Signals are never refused because of a full outgoing queue.
  public func emit(_ signal: Signal, to destination: String? = nil) throws(DBusError) {
    if isRetired, destination == nil { return }
    try send(.signal(signal, to: destination))
    if largeAnswers.isGathering { largeAnswers.note(signal, to: destination) }
  }

  /// Sends a call and arranges for `completion` to be called exactly once.
  func start(_ call: MethodCall, id: UInt64? = nil, deadline: Duration? = .seconds(25), completion: @escaping CallCompletion) {
    let id = id ?? nextID()
    do {
      let serial = try send(.call(call, expectsReply: true))
      let timer = deadline.map { deadline in
        loop.schedule(after: deadline) { [weak self] in self?.assumeIsolated { $0.giveUp(id, ConnectionError.timedOut) } }
      }
      calls.add(serial: serial, id: id, destination: call.destination, timer: timer, completion: completion)
    } catch {
      completion(self, .failure(isOpen ? error : ConnectionError.disconnected))
    }
  }

  private func giveUp(_ id: UInt64, _ error: any Error) { calls.remove(id: id)?(self, .failure(error)) }

  /// Calls a method of the bus itself.
  func callBus(_ member: String, _ arguments: [Value]) async throws -> [Value] { try await call(.bus(member, arguments)) }
}

/// Set when the task is cancelled.
private final class CancellationFlag: Sendable {
  let value = Atomic(false)
}

/// Receives the result of a call, on the connection's executor.
typealias CallCompletion = @Sendable (isolated Connection, Result<[Value], any Error>) -> Void

/// The calls that wait for a reply, by the serial number of their message.
struct PendingCalls {
  private struct Entry {
    let id: UInt64
    let destination: String
    let timer: ScheduledTimer?
    let completion: CallCompletion
  }

  private var entries: [UInt32: Entry] = [:]
  private var serials: [UInt64: UInt32] = [:]

  var count: Int { entries.count }

  /// Adds a call whose message has just been handed to libdbus. Its reply cannot have been dispatched yet, because that
  /// happens in a later job.
  mutating func add(serial: UInt32, id: UInt64, destination: String, timer: ScheduledTimer?, completion: @escaping CallCompletion)
  {
    entries[serial] = Entry(id: id, destination: destination, timer: timer, completion: completion)
    serials[id] = serial
  }

  private mutating func remove(serial: UInt32) -> Entry? {
    guard let entry = entries.removeValue(forKey: serial) else { return nil }
    serials[entry.id] = nil
    entry.timer?.cancel()
    return entry
  }

  /// Removes a call that is abandoned; a later reply to it is ignored.
  mutating func remove(id: UInt64) -> CallCompletion? {
    serials[id].flatMap { remove(serial: $0) }?.completion
  }

  /// Removes the call that a reply answers. Returns nil if there is none, or if the reply does not come from the
  /// connection that was called.
  mutating func remove(serial: UInt32, answeredBy sender: String) -> CallCompletion? {
    guard let entry = entries[serial] else { return nil }
    // Only the bus knows the owner of a well-known name, but a unique name can be compared. The bus itself answers on behalf of
    // connections that have left.
    let isGenuine =
      sender == entry.destination || sender == BusDriver.name || entry.destination.utf8.first != UInt8(ascii: ":")
    return isGenuine ? remove(serial: serial)?.completion : nil
  }

  /// Removes all calls and returns their completions in the order in which the calls were made.
  mutating func removeAll() -> [CallCompletion] {
    defer { (entries, serials) = ([:], [:]) }
    return entries.values.sorted { $0.id < $1.id }.map { entry in
      entry.timer?.cancel()
      return entry.completion
    }
  }
}

/// Tracks the recipients of the unwritten messages in the outgoing queue.
///
/// Messages are written in order, so the number of waiting bytes determines their recipients. A pure value. It stays empty
/// while the socket accepts everything, which is the usual case. Messages that were queued in the turn in which the socket
/// became full are not recorded.
struct OutgoingLedger: Sendable {
  private struct Entry: Sendable {
    let recipient: String?
    let bytes: Int
  }

  private var entries: Deque<Entry> = []
  private var total = 0
  private var byRecipient: [String: Int] = [:]

  /// Whether no message waits.
  var isEmpty: Bool { entries.isEmpty }

  /// Returns how many bytes wait to be sent to a recipient.
  func bytes(to recipient: String) -> Int { byRecipient[recipient] ?? 0 }

  /// Adds a message that must wait.
  ///
  /// - Parameters:
  ///   - bytes: the message's size.
  ///   - recipient: the recipient; nil for a broadcast.
  mutating func add(_ bytes: Int, to recipient: String?) {
    entries.append(Entry(recipient: recipient, bytes: bytes))
    total += bytes
    if let recipient { byRecipient[recipient, default: 0] += bytes }
  }

  /// Updates the ledger with the number of bytes that still wait.
  ///
  /// - Parameters:
  ///   - outgoing: the number.
  ///   - limit: how many bytes may wait for one recipient.
  /// - Returns: the recipients that were over the limit and no longer are.
  mutating func hasLeft(_ outgoing: Int, limit: Int) -> [String] {
    var relieved: [String] = []
    while let first = entries.first, total - first.bytes >= outgoing {
      entries.removeFirst()
      total -= first.bytes
      guard let recipient = first.recipient, let before = byRecipient[recipient] else { continue }
      let left = before - first.bytes
      byRecipient[recipient] = left > 0 ? left : nil
      if before > limit, left <= limit { relieved.append(recipient) }
    }
    return relieved
  }
}

/// One interface of a remote object.
public struct Proxy: Sendable {
  /// The connection to call through.
  public var connection: Connection
  /// The bus name of the connection that exports the object.
  public var destination: String
  /// The object's path.
  public var path: ObjectPath
  /// The interface's name.
  public var interface: String

  /// Creates a proxy. Sends nothing.
  public init(connection: Connection, destination: String, path: ObjectPath, interface: String) {
    self.connection = connection
    self.destination = destination
    self.path = path
    self.interface = interface
  }

  /// Calls a method; see ``Connection/call(_:deadline:)``.
  public func call(_ member: String, _ arguments: [Value] = [], deadline: Duration? = .seconds(25)) async throws -> [Value] {
    try await connection.call(
      MethodCall(destination: destination, path: path, interface: interface, member: member, arguments: arguments),
      deadline: deadline)
  }

  /// Reads a property with `org.freedesktop.DBus.Properties.Get`. Throws the same errors as
  /// ``Connection/call(_:deadline:)``, and `ConnectionError.unreadableReply` for a reply of the wrong type.
  public func property(_ name: String) async throws -> Value {
    let values = try await callProperties("Get", [.string(interface), .string(name)])
    guard case .variant(let value)? = values.first else { throw ConnectionError.unreadableReply("expected a variant") }
    return value
  }

  /// Reads all properties of the interface with `org.freedesktop.DBus.Properties.GetAll`. Throws the same errors as
  /// ``property(_:)``.
  public func properties() async throws -> [String: Value] {
    guard let properties = try await callProperties("GetAll", [.string(interface)]).first?.vardict else {
      throw ConnectionError.unreadableReply("expected an a{sv}")
    }
    return properties
  }

  /// Sets a property with `org.freedesktop.DBus.Properties.Set`. Throws the same errors as
  /// ``Connection/call(_:deadline:)``.
  public func setProperty(_ name: String, to value: Value) async throws {
    _ = try await callProperties("Set", [.string(interface), .string(name), .variant(value)])
  }

  /// Subscribes to the interface's signals, or to the one called `member`; see
  /// ``Connection/signals(matching:bufferSize:)``.
  public func signals(_ member: String? = nil, bufferSize: Int = 1024) async throws -> SignalSequence {
    let rule = MatchRule(sender: destination, path: path, interface: interface, member: member)
    return try await connection.signals(matching: rule, bufferSize: bufferSize)
  }

  private func callProperties(_ member: String, _ arguments: [Value]) async throws -> [Value] {
    try await connection.call(
      MethodCall(
        destination: destination, path: path, interface: StandardInterfaces.properties.name, member: member, arguments: arguments)
    )
  }
}
