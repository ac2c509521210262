/// What a piece of work may use while it runs.
///
/// The type is not sendable on purpose: an actor's `perform` that is not declared `nonisolated` would run on the actor
/// and block the flow's events, and the compiler therefore rejects it. Child tasks use ``shared``.
public struct WorkContext {
  /// The part of the context for child tasks, which can do the same.
  public let shared: SharedWorkContext

  /// The secrets that the work was started with, by name. They are wiped when the work is done.
  public var secrets: [String: Secret] { shared.secrets }

  /// Returns one of the secrets that the work was started with.
  ///
  /// - Parameter name: the name of the secret, as passed to ``Coordinator/startWork(_:key:secrets:)``.
  /// - Returns: the secret, which is valid until the work is done.
  /// - Throws: ``Failure`` if the work was started without it.
  public func secret(_ name: String) throws(Failure) -> Secret { try shared.secret(name) }

  /// Whether anybody is looking; see ``SharedWorkContext/isWatched``.
  public var isWatched: Bool { shared.isWatched }

  /// Waits until somebody is looking; see ``SharedWorkContext/untilWatched()``.
  ///
  /// - Throws: `CancellationError` if the work is cancelled meanwhile.
  public func untilWatched() async throws(CancellationError) { try await shared.untilWatched() }

  /// Waits for some time; see ``SharedWorkContext/sleep(for:)``.
  ///
  /// - Parameter duration: how long to wait.
  /// - Throws: `CancellationError` if the work is cancelled meanwhile.
  public func sleep(for duration: Duration) async throws { try await shared.sleep(for: duration) }

  /// Reports progress; see ``SharedWorkContext/report(_:)``.
  ///
  /// - Parameter progress: how far the work has progressed.
  public func report(_ progress: Progress) { shared.report(progress) }
}

@available(*, unavailable, message: "perform(_:in:) must be nonisolated; child tasks use the context's `shared`")
extension WorkContext: Sendable {}

/// The result of a piece of work.
public enum WorkResult<Product: Sendable>: Sendable {
  /// The work succeeded.
  case done(Product)
  /// The work threw an error.
  case failed(any Error)
}
