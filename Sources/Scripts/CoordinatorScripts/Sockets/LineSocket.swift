import CScripts
import CoordinatorKit
import Forms
import Glibc
import Platform
import ScriptEngine

/// A connected stream socket on which lines travel. A thread of its own reads it; anybody may write.
final class LineSocket: Sendable {
  /// The most bytes of one line.
  private static let maxLine = 1 << 20

  private let descriptor: Int32
  /// Whether the descriptor is still open; also keeps lines whole that are written at the same time.
  private let isOpen = Lock(true)

  /// Takes over a connected socket. What does not take what it is sent within five seconds is given up.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { if isOpen.withLock(\.self) { Glibc.close(descriptor) } }

  /// The user at the other end; nil if that is not known.
  var peer: uid_t? { uid_t(exactly: coordinatord_peer_user(descriptor)) }

  /// Reads lines until the other end closes the socket, or ``end()`` does.
  ///
  /// - Parameters:
  ///   - line: called with each line, without its end.
  ///   - end: called once, when there will be no more.
  /// - Returns: false if the system has no thread left.
  func read(_ line: @escaping @Sendable ([UInt8]) -> Void, then end: @escaping @Sendable () -> Void) -> Bool {
    Thread.start(name: "script-socket") { [self] in
      var rest: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 16_384)
      reading: while rest.count <= Self.maxLine {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        rest += buffer[..<count]
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
          guard newline <= Self.maxLine else { break reading }
          line(Array(rest[..<newline]))
          rest.removeSubrange(...newline)
        }
      }
      self.end()
      end()
    }
  }

  /// Writes bytes, with descriptors that the other end gets copies of.
  ///
  /// - Returns: whether all of it was sent.
  @discardableResult
  func write(_ bytes: [UInt8], descriptors: [Int32] = []) -> Bool {
    isOpen.withLock { isOpen in
      guard isOpen else { return false }
      var offset = 0
      while offset < bytes.count {
        let passed = offset == 0 ? descriptors : []
        let sent = bytes[offset...].withUnsafeBytes {
          coordinatord_send(descriptor, $0.baseAddress, $0.count, passed, passed.count)
        }
        guard sent > 0 else {
          shutdown(descriptor, Int32(SHUT_RDWR))
          return false
        }
        offset += sent
      }
      return true
    }
  }

  /// Writes a message as a line.
  @discardableResult
  func write(_ message: JSONValue, descriptors: [Int32] = []) -> Bool {
    write(Array("\(message.wholeText)\n".utf8), descriptors: descriptors)
  }

  /// Closes the socket for both ends. The reader ends soon after.
  func end() { isOpen.withLock { if $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } } }
}
