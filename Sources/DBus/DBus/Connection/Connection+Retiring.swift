/// How a service leaves its name to the next one without a call being lost.
extension Connection {
  /// Gives a name back, and sends no more signals to everybody: without the name, a bus does not keep them from those who may not
  /// listen to its owner.
  ///
  /// Every call that was sent to the name before it was free has arrived when this returns; what is called later, the bus has
  /// carried out by the next owner.
  ///
  /// - Throws: As ``call(_:deadline:)`` does. The connection then still sends no signals.
  public func retire(from name: String) async throws {
    flushPropertyChanges()
    ownedNames.remove(name)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      start(.bus("ReleaseName", [.string(name)])) { _, result in continuation.resume(with: result.map { _ in }) }
      isRetired = true
    }
  }

  /// Takes a name again after ``retire(from:)``, and sends signals again.
  ///
  /// - Parameter name: The name, which others may take over.
  /// - Returns: Whether the connection has it.
  /// - Throws: As ``call(_:deadline:)`` does.
  public func resume(as name: String) async throws -> Bool {
    guard try await requestName(name, allowReplacement: true) != .exists else { return false }
    isRetired = false
    return true
  }

  /// Whether a call of others is not answered yet, those that wait for long included.
  public var hasUnansweredCalls: Bool { hasCallsUnderWay || longCalls.total > 0 }

  /// Waits until all calls of others are answered that do not wait for long, or the connection is lost.
  ///
  /// - Parameter limit: How long to wait at most.
  public func answerCalls(for limit: Duration) async {
    guard isOpen, hasCallsUnderWay else { return }
    let timer = loop.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.resumeAnswerWaiters() } }
    await withCheckedContinuation { answerWaiters.append($0) }
    timer.cancel()
  }

  private var hasCallsUnderWay: Bool { callLines.total.calls > 0 || gate?.admission.isEmpty == false }

  /// Lets those go on who wait for all calls to be answered, if they are.
  func callsMayBeAnswered() {
    if !answerWaiters.isEmpty, !hasCallsUnderWay { resumeAnswerWaiters() }
  }

  func resumeAnswerWaiters() {
    defer { answerWaiters = [] }
    for waiter in answerWaiters { waiter.resume() }
  }
}
