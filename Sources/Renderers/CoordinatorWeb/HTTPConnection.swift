import FlyingSocks
import Glibc
import Platform

/// A connection, which carries one request and its response.
///
/// There is no second request on a connection, so no part of the first can be mistaken for another request.
struct HTTPConnection: Sendable {
  let socket: AsyncSocket
  let stream: any ByteStream
  let pool: SocketPool<ePoll>
  let limits: ServerLimits
  let timeouts: Timeouts

  /// Reads the request.
  ///
  /// - Returns: the request, or the reason for refusing it; nil if the client has disconnected, or has sent nothing in time.
  func request() async -> Result<HTTPRequest, RequestFault>? {
    let started = Flag()
    let tooSlow = RequestFault(.requestTimeout, "the request took too long")
    do {
      let request = try await timeouts.within(limits.requestTime) { [stream, limits] in
        try await stream.open()
        var parser = RequestParser(limits: limits.request)
        while true {
          let bytes = try await stream.read(atMost: 4096)
          started.raise()
          if let request = try parser.take(bytes) { return request }
        }
      }
      return request.map(Result.success) ?? (started.isRaised ? .failure(tooSlow) : nil)
    } catch let fault as RequestFault {
      return .failure(fault)
    } catch {
      return nil
    }
  }

  /// Sends a response.
  ///
  /// - Parameters:
  ///   - response: response to send.
  ///   - isHead: whether the method was HEAD, so that the body is omitted.
  func send(_ response: HTTPResponse, isHead: Bool) async {
    switch response.body {
    case .bytes(let bytes): await write(response.head + (isHead ? [] : bytes))
    case .events(let events, let whenOver):
      if await write(response.head), !isHead { await send(events) }
      await whenOver()
    }
  }

  /// Sends events until there are no more, or until the client has disconnected.
  private func send(_ events: AsyncStream<ServerSentEvent>) async {
    await withTaskGroup { group in
      group.addTask {
        for await event in events where !Task.isCancelled { guard await write(event.bytes) else { return } }
      }
      // No input is expected, but reading detects that the client has disconnected.
      group.addTask { while (try? await stream.read(atMost: 1024)) != nil {} }
      await group.next()
      group.cancelAll()
    }
  }

  @discardableResult
  private func write(_ bytes: [UInt8]) async -> Bool {
    let done = try? await timeouts.within(limits.writeTime) { [stream] in
      try await stream.write(bytes)
      return true
    }
    return done ?? false
  }

  /// Lets a client that was refused finish sending. Closing a connection with unread bytes would discard the response.
  func linger() async {
    shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    _ = try? await timeouts.within(limits.lingerTime) { [socket] in
      while true { _ = try await socket.read(atMost: 4096) }
    }
  }

  /// Closes the connection.
  func close() async {
    _ = try? await timeouts.within(limits.lingerTime) { [stream] in try await stream.finish() }
    // The pool removes a socket only after it has resumed the socket's waiter. Until then, the descriptor must not be
    // reused.
    await Self.pass(pool)
    try? socket.close()
  }

  private static func pass(_ pool: isolated SocketPool<ePoll>) {}
}

/// The limits on clients.
public struct ServerLimits: Sendable, Hashable {
  /// The size limits of a request.
  public var request = RequestLimits()
  /// The maximum number of connections. Beyond it, the oldest connection that has not sent its request yet is closed;
  /// if most have sent nothing at all, the oldest of these.
  public var connections = 64
  /// The maximum number of connections that listen to events.
  public var listeners = 24
  /// The timeout for receiving a request.
  public var requestTime = Duration.seconds(10)
  /// The timeout for sending a response or an event.
  public var writeTime = Duration.seconds(30)
  /// The time that a refused client has to stop sending.
  public var lingerTime = Duration.seconds(1)

  /// Creates the default limits.
  public init() {}
}

/// Cancels operations that exceed a timeout. All connections of a server share one timer, which runs only while an
/// operation is in progress. Safe to use from any thread.
///
/// A cancelled `Task.sleep` keeps its timer until the deadline. One timer per connection would let strangers fill the
/// memory by connecting rapidly.
final class Timeouts: Sendable {
  private struct Entry {
    let due: ContinuousClock.Instant
    let expire: @Sendable () -> Void
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var number = 0
    var isTicking = false
  }

  /// The maximum delay with which a deadline is noticed.
  private let precision: Duration
  private let state = Lock(State())

  /// Creates a timer for deadlines.
  ///
  /// - Parameter precision: maximum delay with which a deadline is noticed.
  init(precision: Duration = .milliseconds(500)) { self.precision = precision }

  /// Runs an operation, and cancels it after a timeout.
  ///
  /// - Parameters:
  ///   - limit: timeout.
  ///   - body: operation to run; must react to cancellation.
  /// - Returns: the result of the operation, or nil if the timeout has passed first.
  /// - Throws: whatever `body` throws before the timeout.
  func within<Result: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    let task = Task { try await body() }
    let isExpired = Flag()
    let number = add(after: limit) {
      isExpired.raise()
      task.cancel()
    }
    defer { state.withLock { $0.entries[number] = nil } }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      if isExpired.isRaised { return nil }
      throw error
    }
  }

  private func add(after limit: Duration, _ expire: @escaping @Sendable () -> Void) -> Int {
    let due = ContinuousClock.now + limit
    let (number, begins) = state.withLock { state in
      state.number += 1
      state.entries[state.number] = Entry(due: due, expire: expire)
      defer { state.isTicking = true }
      return (state.number, !state.isTicking)
    }
    if begins { Task { await tick() } }
    return number
  }

  /// Checks the deadlines periodically until there are none.
  private func tick() async {
    while state.withLock({ state in
      state.isTicking = !state.entries.isEmpty
      return state.isTicking
    }) {
      try? await Task.sleep(for: precision)
      let now = ContinuousClock.now
      let expired = state.withLock { state in
        let over = state.entries.filter { $0.value.due <= now }
        for number in over.keys { state.entries[number] = nil }
        return over.values.map(\.expire)
      }
      for expire in expired { expire() }
    }
  }
}
