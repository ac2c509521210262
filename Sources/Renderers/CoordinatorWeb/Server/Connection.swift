import FlyingSocks
import Glibc

import struct FoundationEssentials.Data

/// One connection: takes one request, answers it, and ends.
///
/// There is no second request on a connection, so that nothing in the first one can be taken for another.
struct Connection: Sendable {
  let socket: AsyncSocket
  let pool: SocketPool<ePoll>
  let limits: ServerLimits
  let deadlines: Deadlines

  /// Takes the request.
  ///
  /// - Returns: The request, or why it is refused; nil if the client has gone, or has sent nothing in time.
  func request() async -> Result<HTTPRequest, RequestFault>? {
    let started = Flag()
    let tooSlow = RequestFault(.requestTimeout, "the request took too long")
    do {
      let request = try await deadlines.within(limits.requestTime) { [socket, limits] in
        var parser = RequestParser(limits: limits.request)
        while true {
          let bytes = try await socket.read(atMost: 4096)
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

  /// Sends an answer.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - isHead: Whether nobody wants to see its body.
  func send(_ response: HTTPResponse, isHead: Bool) async {
    switch response.body {
    case .bytes(let bytes): await write(response.head + (isHead ? [] : bytes))
    case .events(let events, let whenOver):
      if await write(response.head), !isHead { await send(events) }
      await whenOver()
    }
  }

  /// Sends events until there are no more, or the client has gone.
  private func send(_ events: AsyncStream<ServerSentEvent>) async {
    await withTaskGroup { group in
      group.addTask {
        for await event in events where !Task.isCancelled { guard await write(event.bytes) else { return } }
      }
      // There is nothing to read. It is how one learns that the client has gone.
      group.addTask { while (try? await socket.read(atMost: 1024)) != nil {} }
      await group.next()
      group.cancelAll()
    }
  }

  @discardableResult
  private func write(_ bytes: [UInt8]) async -> Bool {
    let done = try? await deadlines.within(limits.writeTime) { [socket] in
      try await socket.write(Data(bytes))
      return true
    }
    return done ?? false
  }

  /// Lets a client that was refused finish what it is sending: a connection that is closed on unread bytes takes the answer with it.
  func linger() async {
    shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    _ = try? await deadlines.within(limits.lingerTime) { [socket] in
      while true { _ = try await socket.read(atMost: 4096) }
    }
  }

  /// Ends the connection.
  func close() async {
    // The pool forgets a socket right after it has resumed who waited for it. Until then its number must not be given to another.
    await Self.pass(pool)
    try? socket.close()
  }

  private static func pass(_ pool: isolated SocketPool<ePoll>) {}
}
