/// Each time that a daemon has had nothing to do for as long as it may.
struct IdleTimes: Sendable {
  let times: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (times, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  /// It is such a time.
  func tell() { continuation.yield() }
}
