import Foundation
import Glibc
import Platform
import Testing

@testable import CoordinatorWeb

@Suite("The limits of the web server", .timeLimit(.minutes(5)))
struct WebServerTests {
  /// Opens a plain client connection.
  private static func connect(_ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
    return descriptor
  }

  /// Reads everything from a connection until it ends.
  private static func answer(on descriptor: Int32) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        close(descriptor)
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  @Test("A flood of connections never exceeds the limit, and a client that asks is answered")
  func connectionsStayWithinTheLimit() async throws {
    var limits = ServerLimits()
    limits.connections = 8
    let listener = try Listener(.loopback(port: 0))
    guard case .loopback(let port) = listener.place else {
      Issue.record("\(listener.place)")
      return
    }
    let server = WebServer(listener: listener, limits: limits) { _ in .page(HTML(text: "hello")) }
    let serving = Task { try await server.run() }
    for _ in 0..<10 {
      let silent = try (0..<40).map { _ in try Self.connect(port) }
      let asking = try Self.connect(port)
      let request = Array("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
      #expect(write(asking, request, request.count) == request.count)
      #expect(await Self.answer(on: asking).hasSuffix("hello"))
      for descriptor in silent { close(descriptor) }
    }
    #expect(await server.mostGuests == limits.connections)
    serving.cancel()
    try await serving.value
    listener.close()
  }

  /// Returns an option of the socket of this process whose peer has a port; nil if there is none.
  private static func option(_ level: Int32, _ name: Int32, ofPeer port: in_port_t) -> Int32? {
    // All descriptors, because other tests of this process may have thousands open.
    let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    for descriptor in descriptors ?? [] {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
      }
      guard status == 0, address.sin_family == sa_family_t(AF_INET), address.sin_port == port else { continue }
      var value: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      guard getsockopt(descriptor, level, name, &value, &length) == 0 else { return nil }
      return value
    }
    return nil
  }

  @Test("A client on the network that goes without a word is noticed, on this machine there is no need to")
  func lostClientsAreNoticed() async throws {
    let local = try #require(IPAddress("127.0.0.1"))
    for (place, isWatched) in [(Listener.Place.network(address: local, port: 0), true), (.loopback(port: 0), false)] {
      let listener = try Listener(place)
      let port: UInt16
      switch listener.place {
      case .network(_, let bound), .loopback(let bound): port = bound
      case .socket: preconditionFailure("a socket in the file system was not asked for")
      }
      let client = try Self.connect(port)
      var own = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      _ = withUnsafeMutablePointer(to: &own) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(client, $0, &size) }
      }
      let found = Lock<[Int32?]>([])
      let server = WebServer(listener: listener) { [own] _ in
        let tcp = Int32(IPPROTO_TCP)
        let options = [
          (SOL_SOCKET, SO_KEEPALIVE), (tcp, TCP_KEEPIDLE), (tcp, TCP_KEEPINTVL), (tcp, TCP_KEEPCNT), (tcp, TCP_USER_TIMEOUT),
        ]
        found.withLock { $0 = options.map { Self.option($0, $1, ofPeer: own.sin_port) } }
        return .page(HTML(text: "hello"))
      }
      let serving = Task { try await server.run() }
      let request = Array("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
      #expect(write(client, request, request.count) == request.count)
      #expect(await Self.answer(on: client).hasSuffix("hello"))
      let values = found.withLock { $0 }
      if isWatched { #expect(values == [1, 30, 10, 3, 60_000]) } else { #expect(values.first == 0) }
      serving.cancel()
      try await serving.value
      listener.close()
    }
  }

  @Test("A task that exceeds its deadline is cancelled, and one within its deadline is not")
  func slowTasksAreCancelled() async throws {
    let timeouts = Timeouts(precision: .milliseconds(1))
    let late = try await timeouts.within(.milliseconds(1)) {
      try await Task.sleep(for: .seconds(60))
      return "late"
    }
    #expect(late == nil)
    #expect(try await timeouts.within(.seconds(60)) { "in time" } == "in time")
    await #expect(throws: RequestFault.self) {
      try await timeouts.within(.seconds(60)) { throw RequestFault(.badRequest, "no") }
    }
    let waiting = Task { try await timeouts.within(.seconds(60)) { try await Task.sleep(for: .seconds(60)) } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
