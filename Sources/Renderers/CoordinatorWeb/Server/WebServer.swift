import FlyingSocks
import Glibc

/// An HTTP server that answers one request on each connection, and holds what it takes from its clients within limits.
///
/// The sockets and the event loop are FlyingSocks'. See Docs/web.md for why the requests are read here.
public actor WebServer {
  /// Answers a request.
  public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

  private struct Guest {
    let task: Task<Void, Never>
    /// Whether its request has not arrived yet.
    var isSending = true
    var isListening = false
    /// Whether it has to make room for another.
    var isLeaving = false
  }

  private let listener: Listener
  private let limits: ServerLimits
  private let handler: Handler
  private let pool = SocketPool(queue: ePoll(maxEvents: 20))
  private let deadlines = Deadlines()
  private var guests: [Int: Guest] = [:]
  private var number = 0
  /// The most connections that there were at once.
  private(set) var mostGuests = 0
  /// Waits for a connection to end.
  private var departure: CheckedContinuation<Void, Never>?

  /// A server that does not run yet.
  ///
  /// - Parameters:
  ///   - listener: Where its clients connect.
  ///   - limits: How much it takes from them.
  ///   - handler: Answers their requests.
  public init(listener: Listener, limits: ServerLimits = ServerLimits(), handler: @escaping Handler) {
    self.listener = listener
    self.limits = limits
    self.handler = handler
  }

  /// Serves until the task is cancelled. Then all connections are closed.
  ///
  /// - Throws: `Listener.Failure` if the system does not let it wait for connections.
  public func run() async throws(Listener.Failure) {
    // A client that has gone is an error of a write, and no reason to end.
    signal(SIGPIPE, SIG_IGN)
    do {
      try await pool.prepare()
      try await withThrowingTaskGroup { group in
        group.addTask { [pool] in try await pool.run() }
        group.addTask { try await self.accept() }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch is CancellationError {
    } catch {
      if !Task.isCancelled { throw Listener.Failure(description: "\(error)") }
    }
    let leaving = guests.values.map(\.task)
    for task in leaving { task.cancel() }
    for task in leaving { await task.value }
  }

  private func accept() async throws {
    let socket = try AsyncSocket(socket: listener.socket, pool: pool)
    while !Task.isCancelled {
      do {
        await admit(try await socket.accept())
      } catch SocketError.failed {
        // The client has gone already, or there are no descriptors left for now.
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// Takes a connection as soon as there is room for it. Who connects meanwhile waits in the kernel.
  private func admit(_ socket: AsyncSocket) async {
    try? Listener.keepFromChildren(socket.socket)
    guard await makeRoom() else {
      // It fits into the socket's buffer.
      _ = try? socket.socket.write(.init(Self.refusal(.unavailable, "too many connections").head))
      try? socket.close()
      return
    }
    number += 1
    let own = number
    let connection = Connection(socket: socket, pool: pool, limits: limits, deadlines: deadlines)
    guests[own] = Guest(
      task: Task {
        await self.serve(connection, as: own)
        await connection.close()
        self.forget(own)
      })
    mostGuests = max(mostGuests, guests.count)
  }

  private func forget(_ guest: Int) {
    guests[guest] = nil
    departure.take()?.resume()
  }

  /// Ends the oldest connection that has not sent its request yet, if there are as many as there may be: so clients who are slow on purpose
  /// keep nobody out. It is gone when this returns, however quickly others connect.
  ///
  /// - Returns: Whether there is room for another.
  private func makeRoom() async -> Bool {
    guard guests.count >= limits.connections else { return true }
    guard let oldest = guests.filter({ $0.value.isSending }).keys.min() else { return false }
    guests[oldest]?.isLeaving = true
    guests[oldest]?.task.cancel()
    while guests.count >= limits.connections { await withCheckedContinuation { departure = $0 } }
    return true
  }

  private nonisolated func serve(_ connection: Connection, as number: Int) async {
    let request: HTTPRequest
    switch await connection.request() {
    case .success(let received): request = received
    case .failure(let fault):
      await connection.send(Self.refusal(fault.status, fault.reason), isHead: false)
      await connection.linger()
      return
    case nil: return
    }
    guard var response = await answer(request, of: number) else { return }
    if case .events(_, let whenOver) = response.body, await !startListening(number) {
      await whenOver()
      response = Self.refusal(.unavailable, "too many pages listen")
    }
    await connection.send(response, isHead: request.method == .head)
  }

  /// Has a request answered; nil if the connection had to go before the request was there.
  private func answer(_ request: HTTPRequest, of number: Int) async -> HTTPResponse? {
    guard guests[number]?.isLeaving == false else { return nil }
    guests[number]?.isSending = false
    return await handler(request)
  }

  private func startListening(_ number: Int) -> Bool {
    guard guests.values.count(where: \.isListening) < limits.listeners else { return false }
    guests[number]?.isListening = true
    return true
  }

  private static func refusal(_ status: HTTPStatus, _ reason: String) -> HTTPResponse {
    HTTPResponse(
      status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array((reason + "\n").utf8)))
  }
}
