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
