import FlyingSocks
import Glibc

/// A connection, which carries one request and its response.
///
/// There is no second request on a connection, so no part of the first can be mistaken for another request.
struct Connection: Sendable {
  let socket: AsyncSocket
  let stream: any ByteStream
  let pool: SocketPool<ePoll>
  let limits: ServerLimits
  let deadlines: Deadlines

  /// Reads the request.
  ///
  /// - Returns: the request, or the reason for refusing it; nil if the client has disconnected, or has sent nothing in time.
  func request() async -> Result<HTTPRequest, RequestFault>? {
    let started = Flag()
    let tooSlow = RequestFault(.requestTimeout, "the request took too long")
    do {
      let request = try await deadlines.within(limits.requestTime) { [stream, limits] in
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
    let done = try? await deadlines.within(limits.writeTime) { [stream] in
      try await stream.write(bytes)
      return true
    }
    return done ?? false
  }

  /// Lets a client that was refused finish sending. Closing a connection with unread bytes would discard the response.
  func linger() async {
    shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    _ = try? await deadlines.within(limits.lingerTime) { [socket] in
      while true { _ = try await socket.read(atMost: 4096) }
    }
  }

  /// Closes the connection.
  func close() async {
    _ = try? await deadlines.within(limits.lingerTime) { [stream] in try await stream.finish() }
    // The pool removes a socket only after it has resumed the socket's waiter. Until then, the descriptor must not be
    // reused.
    await Self.pass(pool)
    try? socket.close()
  }

  private static func pass(_ pool: isolated SocketPool<ePoll>) {}
}
