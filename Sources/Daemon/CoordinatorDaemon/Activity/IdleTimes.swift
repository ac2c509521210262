/// The times at which a daemon has been idle for the configured time.
struct IdleTimes: Sendable {
  let times: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (times, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  /// Yields to ``times``, because the daemon is idle.
  func tell() { continuation.yield() }
}
