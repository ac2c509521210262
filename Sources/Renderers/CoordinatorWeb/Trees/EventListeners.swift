/// The pages that listen to server-sent events, each on a separate connection.
struct EventListeners: Sendable {
  /// The number of events queued for a page that does not read. Beyond it, the page's connection ends and the page
  /// reconnects.
  private let longestBacklog: Int
  private var continuations: [Int: AsyncStream<ServerSentEvent>.Continuation] = [:]
  private var last = 0

  /// Creates an empty set.
  init(longestBacklog: Int) { self.longestBacklog = longestBacklog }

  /// Adds a page.
  ///
  /// - Parameters:
  ///   - first: event that it gets at once; nil for none.
  ///   - onEnd: closure that receives the page's number when its connection has ended.
  /// - Returns: the page's number, and its events.
  mutating func add(
    _ first: ServerSentEvent?, onEnd: @escaping @Sendable (Int) -> Void
  ) -> (number: Int, events: AsyncStream<ServerSentEvent>) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ServerSentEvent.self, bufferingPolicy: .bufferingOldest(longestBacklog))
    if let first { continuation.yield(first) }
    last += 1
    continuations[last] = continuation
    continuation.onTermination = { [last] _ in onEnd(last) }
    return (last, stream)
  }

  /// Removes a page.
  mutating func remove(_ number: Int) { continuations[number] = nil }

  /// Sends an event to all pages.
  func tell(_ event: ServerSentEvent) { tell { _ in event } }

  /// Sends a separate event to each page.
  ///
  /// - Parameter event: closure that returns the event for a page with a number; nil for none.
  func tell(_ event: (Int) -> ServerSentEvent?) {
    for (number, continuation) in continuations {
      guard let event = event(number) else { continue }
      if case .dropped = continuation.yield(event) { continuation.finish() }
    }
  }

  /// Ends the connections of all pages.
  func finish() { for continuation in continuations.values { continuation.finish() } }
}
