import FlyingSocks
import struct FoundationEssentials.Data
import Glibc
import Platform
import TLS

/// An HTTP server that handles one request per connection and enforces limits on its clients.
///
/// FlyingSocks provides the sockets and the event loop. See Docs/web.md for the reason why requests are parsed here.
public actor WebServer {
  /// A closure that answers a request. Called concurrently.
  public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

  private struct Guest {
    let task: Task<Void, Never>
    let socket: Socket
    /// Whether the request has not arrived yet.
    var isSending = true
    var isListening = false
    /// Whether the connection is being closed in favor of another.
    var isLeaving = false
  }

  private let listener: Listener
  private let security: TLSSource?
  private let limits: ServerLimits
  private let handler: Handler
  private let pool = SocketPool(queue: ePoll(maxEvents: 20))
  private let timeouts = Timeouts()
  private var guests: [Int: Guest] = [:]
  private var number = 0
  /// The peak number of simultaneous connections.
  private(set) var mostGuests = 0
  /// The continuation that waits for a connection to end.
  private var departure: CheckedContinuation<Void, Never>?

  /// Creates a server. It does not run yet.
  ///
  /// - Parameters:
  ///   - listener: socket that clients connect to.
  ///   - security: certificate and settings for TLS; nil to serve plain HTTP.
  ///   - limits: limits on clients.
  ///   - handler: closure that answers requests.
  public init(
    listener: Listener, security: TLSSource? = nil, limits: ServerLimits = ServerLimits(), handler: @escaping Handler
  ) {
    self.listener = listener
    self.security = security
    self.limits = limits
    self.handler = handler
  }

  /// Serves until the task is cancelled, then closes all connections. Ignores `SIGPIPE` in the whole process.
  ///
  /// - Throws: ``Listener/Failure`` if waiting for connections fails.
  public func run() async throws(Listener.Failure) {
    // Writing to a disconnected client must return an error, not end the process.
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
        // The client has already disconnected, or no descriptors are available at the moment.
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// Admits a connection once there is room. Further clients wait in the kernel's backlog meanwhile.
  private func admit(_ socket: AsyncSocket) async {
    try? Listener.keepFromChildren(socket.socket)
    if case .network = listener.place { Listener.noticeLoss(of: socket.socket) }
    guard await makeRoom(), let stream = stream(on: socket) else {
      // The response fits into the socket's send buffer. With TLS, there is no handshake, and so no response.
      if security == nil { _ = try? socket.socket.write(.init(Self.refusal(.unavailable, "too many connections").head)) }
      try? socket.close()
      return
    }
    number += 1
    let own = number
    let connection = HTTPConnection(socket: socket, stream: stream, pool: pool, limits: limits, timeouts: timeouts)
    guests[own] = Guest(
      task: Task {
        await self.serve(connection, as: own)
        await connection.close()
        self.forget(own)
      }, socket: socket.socket)
    mostGuests = max(mostGuests, guests.count)
  }

  /// Returns the stream of a connection; nil if there is no memory for one.
  private func stream(on socket: AsyncSocket) -> (any ByteStream)? {
    guard let security else { return PlainStream(socket: socket) }
    return (try? TLSSession(security.current)).map { TLSStream(socket: socket, session: $0) }
  }

  private func forget(_ guest: Int) {
    guests[guest] = nil
    departure.take()?.resume()
  }

  /// Makes room if the maximum number of connections is reached: ends the oldest connection that has not sent its request yet,
  /// so deliberately slow clients cannot keep others out. If most have sent nothing at all, the oldest of these is ended, so a
  /// browser in the middle of its request outlasts a flood of silent ones. The connection has ended when the method returns,
  /// however quickly other clients connect.
  ///
  /// - Returns: whether there is room for another connection.
  private func makeRoom() async -> Bool {
    guard guests.count >= limits.connections else { return true }
    let sending = guests.filter { $0.value.isSending }
    let silent = sending.filter { !Listener.hasSent($0.value.socket) }
    // If few connections are silent, a silent one is probably a browser that has just connected.
    guard let oldest = (silent.count > limits.connections / 2 ? silent : sending).keys.min() else { return false }
    guests[oldest]?.isLeaving = true
    guests[oldest]?.task.cancel()
    while guests.count >= limits.connections { await withCheckedContinuation { departure = $0 } }
    return true
  }

  private nonisolated func serve(_ connection: HTTPConnection, as number: Int) async {
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
      response = Self.refusal(.unavailable, "too many pages are open")
    }
    await connection.send(response, isHead: request.method == .head)
  }

  /// Passes a request to the handler; returns nil if the connection was closed before in favor of another.
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

/// The context that new connections use. It can be replaced while the server runs. Safe to use from any thread.
public final class TLSSource: Sendable {
  private let context: Lock<TLSContext>

  /// Creates a source with its first context.
  public init(_ context: TLSContext) { self.context = Lock(context) }

  /// The context for the next connection.
  public var current: TLSContext { context.withLock { $0 } }

  /// Replaces the context. Existing connections keep theirs.
  public func replace(with new: TLSContext) { context.withLock { $0 = new } }
}

/// The bytes of a connection, with or without TLS.
protocol ByteStream: Sendable {
  /// Prepares the stream for reading.
  ///
  /// - Throws: `RequestFault` if the client must receive the reason; another error if it cannot.
  func open() async throws
  /// Returns the next bytes, at least one and at most as many as given. Throws if there will be none.
  func read(atMost count: Int) async throws -> [UInt8]
  /// Sends bytes. Only one task at a time may send.
  func write(_ bytes: [UInt8]) async throws
  /// Announces that nothing more will be sent.
  func finish() async throws
}

/// The bytes of a connection without TLS.
struct PlainStream: ByteStream {
  let socket: AsyncSocket

  func open() async throws {}
  func read(atMost count: Int) async throws -> [UInt8] { try await socket.read(atMost: count) }
  func write(_ bytes: [UInt8]) async throws { try await socket.write(Data(bytes)) }
  func finish() async throws {}
}

/// The bytes of a connection inside of TLS.
///
/// After the handshake, only ``write(_:)`` and ``finish()`` write to the socket, so records are sent in the order in which they
/// were made. Messages of TLS itself are sent with the next bytes.
struct TLSStream: ByteStream {
  let socket: AsyncSocket
  let session: TLSSession
  /// Raised if the client does not use TLS, and must receive a response in plain text.
  private let isPlain = Flag()

  init(socket: AsyncSocket, session: TLSSession) {
    self.socket = socket
    self.session = session
  }

  /// The first byte of every TLS connection: the type of a handshake record (RFC 8446, section 5.1).
  private static let handshake: UInt8 = 22

  func open() async throws {
    var isFirst = true
    while !session.isEstablished {
      let bytes = try await socket.read(atMost: 4096)
      if isFirst, bytes.first?.isUppercaseLetter == true {
        isPlain.raise()
        throw RequestFault(.badRequest, "these pages are encrypted: the address begins with https://")
      }
      guard !isFirst || bytes.first == Self.handshake else { throw SocketError.disconnected }
      isFirst = false
      do {
        try session.receive(bytes)
      } catch {
        // Sends the reason to the client, as far as the protocol allows.
        try await send()
        throw error
      }
      try await send()
    }
  }

  func read(atMost count: Int) async throws -> [UInt8] {
    guard !isPlain.isRaised else { return try await socket.read(atMost: count) }
    while true {
      let bytes = session.takePlainText(atMost: count)
      guard bytes.isEmpty else { return bytes }
      guard !session.isOver else { throw SocketError.disconnected }
      try session.receive(try await socket.read(atMost: 4096))
    }
  }

  func write(_ bytes: [UInt8]) async throws {
    guard !isPlain.isRaised else { return try await socket.write(Data(bytes)) }
    try session.send(bytes)
    try await send()
  }

  func finish() async throws {
    session.finish()
    try await send()
  }

  private func send() async throws {
    let bytes = session.takeOutgoing()
    if !bytes.isEmpty { try await socket.write(Data(bytes)) }
  }
}

extension UInt8 {
  fileprivate var isUppercaseLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}

/// A flag that is raised at most once. Safe to use from any thread.
final class Flag: Sendable {
  private let state = Lock(false)

  var isRaised: Bool { state.withLock { $0 } }

  func raise() { state.withLock { $0 = true } }
}
