import CoordinatorClient
import Languages
import RendererKit

/// Follows the contents of the list of flows, for all browsers that read it in one language.
actor FrontDoor {
  /// The maximum time that a page waits for the daemon's first answer.
  private static let patience = Duration.seconds(5)

  private let watch: HomeWatch
  private var home: Home?
  private var isAway = false
  private var error: ClientError?
  private var listeners = EventListeners(longestBacklog: 16)
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var number = 0
  private var reader: Task<Void, Never>?

  /// Begins to follow.
  ///
  /// - Throws: `ClientError` if the bus refuses the subscriptions.
  static func open(of daemon: DaemonClient, language: LanguageTag?) async throws(ClientError) -> FrontDoor {
    let door = FrontDoor(try await HomeWatch.begin(of: daemon, language: language))
    await door.start()
    return door
  }

  private init(_ watch: HomeWatch) { self.watch = watch }

  private func start() {
    reader = Task { [watch, weak self] in
      for await news in watch.news { await self?.take(news) }
    }
  }

  /// Stops following.
  func close() async {
    reader?.cancel()
    listeners.finish()
    wake()
    await watch.close()
  }

  /// Whether no further reports will arrive.
  var isOver: Bool { error != nil }

  /// Returns the contents of the list of flows as last reported, with the current renderers.
  ///
  /// - Throws: `ClientError`, such as `noDaemon` while the daemon is away.
  func current() async throws(ClientError) -> Home {
    if home == nil, error == nil, !isAway { await wait() }
    if let error { throw error }
    guard !isAway, let home else { throw .noDaemon }
    return home
  }

  /// Returns the future events, preceded by one with the current state.
  func events() async -> AsyncStream<ServerSentEvent> {
    let stream = listeners.add(event) { [weak self] number in Task { await self?.forget(number) } }.events
    // The attached renderers change without a signal.
    await watch.refresh()
    return stream
  }

  private var event: ServerSentEvent { ServerSentEvent("home", ["lost": .boolean(isAway)]) }

  private func take(_ news: HomeNews) {
    switch news {
    case .home(let home): (self.home, isAway) = (home, false)
    case .away: isAway = true
    case .failed(let error): self.error = error
    }
    listeners.tell(event)
    wake()
  }

  private func forget(_ listener: Int) { listeners.remove(listener) }

  private func wait() async {
    number += 1
    let own = number
    let timer = Task { [weak self] in
      try? await Task.sleep(for: Self.patience)
      await self?.wake(own)
    }
    await withCheckedContinuation { waiters[own] = $0 }
    timer.cancel()
  }

  private func wake() { for waiter in waiters.keys { wake(waiter) } }

  private func wake(_ waiter: Int) { waiters.removeValue(forKey: waiter)?.resume() }
}

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
