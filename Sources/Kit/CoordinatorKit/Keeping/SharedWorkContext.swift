/// The part of a ``WorkContext`` that child tasks of the work may use.
public struct SharedWorkContext: Sendable {
  /// The secrets that the work was started with, by name. They are wiped when the work is done.
  public let secrets: [String: Secret]
  let report: @Sendable (Progress) -> Void
  let show: @Sendable (any Sendable) -> Void
  let watching: Watching
  let coordinator: CoordinatorPath
  let pause: @Sendable (Duration) async throws -> Void
  /// The attempts to perform the work; nil if this process performs it.
  package var attempts: WorkAttempts?
  /// Receives errors that are not reported to the flow, one line at a time.
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

  /// Whether a user views the screen: the top screen belongs to the coordinator of the work, and a renderer is attached.
  public var isWatched: Bool { watching.isWatched(coordinator) }

  /// Waits until ``isWatched`` is true. Returns immediately if it is.
  ///
  /// Call it before each round of work that is only needed for display, such as a scan for networks.
  ///
  /// - Throws: `CancellationError` if the work is cancelled during the wait.
  public func untilWatched() async throws(CancellationError) { try await watching.wait(coordinator) }

  /// Waits for a duration.
  ///
  /// Prefer it to `Task.sleep(for:)`: in a test, it uses the clock of the test flow, which the test controls.
  ///
  /// - Parameter duration: how long to wait.
  /// - Throws: `CancellationError` if the work is cancelled during the wait.
  public func sleep(for duration: Duration) async throws { try await pause(duration) }

  /// Reports progress, which is shown on the screen that was its coordinator's topmost one when the work was started.
  ///
  /// Call this method at any rate, from any thread; the screen is updated at most ten times a second.
  ///
  /// - Parameter progress: how far the work has progressed.
  public func report(_ progress: Progress) { report(progress) }
}

/// The attempts to perform a piece of work in another process. They are counted across restarts: an attempt that may
/// repeat another one is stored before it begins.
package struct WorkAttempts: Sendable {
  /// The number of attempts that may have begun before.
  package let begun: UInt32
  private let store: @Sendable (UInt32) async -> Bool

  /// Creates the attempts of a piece of work.
  init(begun: UInt32, store: @escaping @Sendable (UInt32) async -> Bool) { (self.begun, self.store) = (begun, store) }

  /// Stores that an attempt is about to begin. The first attempt is implied by the order itself.
  ///
  /// - Parameter attempt: the number of the attempt, from 1.
  /// - Returns: whether it may begin; false if it could not be stored.
  package func mayBegin(_ attempt: UInt32) async -> Bool {
    if attempt == 1 { return true }
    return await store(attempt)
  }
}

/// Tracks whether a user views the screens of a coordinator whose work this process performs for a daemon. May be used from any
/// thread.
package final class WorkAudience: Sendable {
  let watching = Watching(whenWaiting: {})
  let coordinator: CoordinatorPath

  /// Creates the audience of a coordinator. By default, its screens count as viewed until `set(isLooking:)` is called.
  package init(of coordinator: CoordinatorPath, isLooking: Bool = true) {
    self.coordinator = coordinator
    watching.set(top: coordinator)
    watching.set(hasRenderer: isLooking)
  }

  /// Records whether a user views the screens.
  package func set(isLooking: Bool) { watching.set(hasRenderer: isLooking) }
}

extension SharedWorkContext {
  /// Creates the context of work that this process performs for a daemon.
  ///
  /// - Parameters:
  ///   - secrets: the secrets of the work, by name.
  ///   - audience: provides whether a user views the screens.
  ///   - report: reports progress to the daemon.
  ///   - show: shows a live value.
  package init(
    secrets: [String: Secret], audience: WorkAudience, report: @escaping @Sendable (Progress) -> Void,
    show: @escaping @Sendable (any Sendable) -> Void
  ) {
    self.init(
      secrets: secrets, report: report, show: show, watching: audience.watching, coordinator: audience.coordinator,
      pause: { try await Task.sleep(for: $0) })
  }
}
