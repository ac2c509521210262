/// The part of a ``WorkContext`` that child tasks of the work may use.
public struct SharedWorkContext: Sendable {
  /// The secrets that the work was started with, by name. They are wiped when the work is done.
  public let secrets: [String: Secret]
  let report: @Sendable (Progress) -> Void
  let show: @Sendable (any Sendable) -> Void
  let watching: Watching
  let coordinator: CoordinatorPath
  let pause: @Sendable (Duration) async throws -> Void
  /// The attempts to perform the work; nil if that is done in this process.
  package var attempts: WorkAttempts?
  /// Receives what goes wrong and the flow does not see, one line at a time.
  package var complain: @Sendable (String) -> Void = { _ in }

  /// Returns one of the secrets that the work was started with.
  ///
  /// - Parameter name: the name of the secret, as passed to ``Coordinator/startWork(_:key:secrets:)``.
  /// - Returns: the secret, which is valid until the work is done.
  /// - Throws: ``Failure`` if the work was started without it.
  public func secret(_ name: String) throws(Failure) -> Secret {
    guard let secret = secrets[name] else {
      throw Failure(code: "no-secret", technical: "the work was started without the secret \(name)")
    }
    return secret
  }

  /// Whether anybody is looking: the top screen belongs to the coordinator of the work, and a renderer is attached.
  public var isWatched: Bool { watching.isWatched(coordinator) }

  /// Waits until somebody is looking; see ``isWatched``. Returns at once if that is so.
  ///
  /// Call it before each round of work that only serves the eye, such as a scan for networks.
  ///
  /// - Throws: `CancellationError` if the work is cancelled meanwhile.
  public func untilWatched() async throws(CancellationError) { try await watching.wait(coordinator) }

  /// Waits for some time.
  ///
  /// Prefer it to `Task.sleep(for:)`: in a test, it goes by the clock of the test flow, which the test moves.
  ///
  /// - Parameter duration: how long to wait.
  /// - Throws: `CancellationError` if the work is cancelled meanwhile.
  public func sleep(for duration: Duration) async throws { try await pause(duration) }

  /// Reports progress, which is shown on the screen that was its coordinator's topmost one when the work was started.
  ///
  /// Call it as often as you like, from any thread; the screen is updated at most ten times a second.
  ///
  /// - Parameter progress: how far the work has progressed.
  public func report(_ progress: Progress) { report(progress) }
}
