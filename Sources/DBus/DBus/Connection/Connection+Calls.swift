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

extension ReceivedMessage {
  /// Returns the result that this reply delivers to the caller.
  func result(errorName: String?) -> Result<[Value], any Error> {
    switch body {
    case .failure(let reason): .failure(ConnectionError.unreadableReply(reason.asError.message))
    case .success(let values): errorName.map { .failure(error(named: $0, values)) } ?? .success(values)
    }
  }

  private func error(named name: String, _ body: [Value]) -> DBusError {
    var error = DBusError(name: name, body: body)
    error.isFromBus = sender == BusDriver.name
    return error
  }
}
