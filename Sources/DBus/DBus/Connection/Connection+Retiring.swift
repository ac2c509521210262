/// Hands a service's name over to its successor without losing a call.
extension Connection {
  /// Releases a name and stops sending broadcast signals: without the name, the bus no longer withholds them from
  /// connections that may not receive what the name's owner sends.
  ///
  /// When this returns, every call sent to the name before its release has arrived. The bus delivers later calls to the
  /// next owner.
  ///
  /// - Parameter name: the name to release.
  /// - Throws: the same errors as ``call(_:deadline:)``. The connection stops sending broadcast signals even then.
  public func retire(from name: String) async throws {
    flushPropertyChanges()
    ownedNames.remove(name)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      start(.bus("ReleaseName", [.string(name)])) { _, result in continuation.resume(with: result.map { _ in }) }
      isRetired = true
    }
  }

  /// Requests the name again after ``retire(from:)``, and resumes sending signals.
  ///
  /// - Parameter name: the name, which others may take over.
  /// - Returns: whether the connection owns the name.
  /// - Throws: the same errors as ``call(_:deadline:)``.
  public func resume(as name: String) async throws -> Bool {
    guard try await requestName(name, allowReplacement: true) != .exists else { return false }
    isRetired = false
    return true
  }

  /// Whether any incoming call is unanswered, including those that wait for long.
  public var hasUnansweredCalls: Bool { hasCallsUnderWay || longCalls.total > 0 }

  /// Waits until all incoming calls except those that wait for long are answered, the connection is lost, or the time
  /// is up.
  ///
  /// - Parameter limit: the maximum time to wait.
  public func answerCalls(for limit: Duration) async {
    guard isOpen, hasCallsUnderWay else { return }
    let timer = loop.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.resumeAnswerWaiters() } }
    await withCheckedContinuation { answerWaiters.append($0) }
    timer.cancel()
  }

  private var hasCallsUnderWay: Bool { callLines.total.calls > 0 || gate?.admission.isEmpty == false }

  /// Resumes the tasks that wait for all calls to be answered, if they are.
  func callsMayBeAnswered() {
    if !answerWaiters.isEmpty, !hasCallsUnderWay { resumeAnswerWaiters() }
  }

  func resumeAnswerWaiters() {
    defer { answerWaiters = [] }
    for waiter in answerWaiters { waiter.resume() }
  }
}
