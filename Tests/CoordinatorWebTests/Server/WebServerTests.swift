import Foundation
import Glibc
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

  @Test("A task that exceeds its deadline is cancelled, and one within its deadline is not")
  func slowTasksAreCancelled() async throws {
    let deadlines = Deadlines(precision: .milliseconds(1))
    let late = try await deadlines.within(.milliseconds(1)) {
      try await Task.sleep(for: .seconds(60))
      return "late"
    }
    #expect(late == nil)
    #expect(try await deadlines.within(.seconds(60)) { "in time" } == "in time")
    await #expect(throws: RequestFault.self) {
      try await deadlines.within(.seconds(60)) { throw RequestFault(.badRequest, "no") }
    }
    let waiting = Task { try await deadlines.within(.seconds(60)) { try await Task.sleep(for: .seconds(60)) } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
