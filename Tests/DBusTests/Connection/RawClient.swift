import DBus
import Glibc

/// A client that implements the wire format itself, so that it can violate every rule. It blocks, and handles one message at a
/// time.
///
/// Source: D-Bus Specification, "Authentication Protocol" and "Message Format".
final class RawClient {
  private let socket: Int32
  private var buffer: [UInt8] = []
  private(set) var lastSerial: UInt32 = 0
  private(set) var name = ""

  /// The connection ended, or the bus did not answer within ten seconds.
  struct Closed: Error {}
  /// The address is not of a kind that a private bus uses.
  struct UnknownAddress: Error {}

  init(_ address: String) throws {
    socket = try Self.connect(address)
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let identity = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
    try write(Array("\0AUTH EXTERNAL \(identity)\r\n".utf8))
    guard try readLine().hasPrefix("OK ") else { throw Closed() }
    try write(Array("BEGIN\r\n".utf8))
    try send(RawMessage.call(to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"))
    name = try reply(to: lastSerial).text ?? ""
  }

  deinit { close(socket) }

  private static func connect(_ address: String) throws -> Int32 {
    guard let path = address.split(separator: ",").first(where: { $0.hasPrefix("unix:path=") })?.dropFirst(10) else {
      throw UnknownAddress()
    }
    var target = sockaddr_un()
    target.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: path.utf8) }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let status = withUnsafePointer(to: &target) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw Closed() }
    return socket
  }

  /// Sends a message with the next serial number.
  func send(_ message: RawMessage) throws {
    lastSerial += 1
    try write(message.bytes(serial: lastSerial))
  }

  /// Sends arbitrary bytes.
  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Closed() }
      rest = rest.dropFirst(count)
    }
  }

  /// Receives the next message that is not one of the bus's own signals.
  func receive() throws -> RawReply {
    while true {
      let message = try receiveAny()
      if message.type == .signal, message.sender == "org.freedesktop.DBus" { continue }
      return message
    }
  }

  /// Receives the reply to a call, skipping everything else.
  func reply(to serial: UInt32) throws -> RawReply {
    while true {
      let message = try receiveAny()
      if message.replySerial == serial { return message }
    }
  }

  private func receiveAny() throws -> RawReply {
    let head = try read(16)
    let body = Int(RawReply.u32(head, 4))
    let fields = (Int(RawReply.u32(head, 12)) + 7) & ~7
    return RawReply(head: head, fields: try read(fields), body: try read(body))
  }

  private func readLine() throws -> String {
    var line: [UInt8] = []
    while !line.ends(with: Array("\r\n".utf8)) { line += try read(1) }
    return String(decoding: line, as: UTF8.self)
  }

  private func read(_ count: Int) throws -> [UInt8] {
    while buffer.count < count {
      var chunk = [UInt8](repeating: 0, count: 65536)
      let received = recv(socket, &chunk, chunk.count, 0)
      guard received > 0 else { throw Closed() }
      buffer += chunk[..<received]
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }
}

extension [UInt8] {
  fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
