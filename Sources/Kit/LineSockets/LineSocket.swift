import CPlatform
import Forms
import Glibc
import Platform

/// A connected stream socket that transfers lines. A dedicated thread reads it; any thread may write.
package final class LineSocket: Sendable {
  private let descriptor: Int32
  /// The maximum number of bytes of one line.
  private let maxLine: Int
  /// Whether the descriptor is still open. The lock also keeps lines whole that threads write at the same time.
  private let isOpen = Lock(true)

  /// Takes over a connected socket. A peer that does not read for five seconds is disconnected.
  ///
  /// - Parameters:
  ///   - descriptor: the socket.
  ///   - maxLine: the maximum number of bytes of one line; a longer one ends the connection.
  package init(_ descriptor: Int32, maxLine: Int = 1 << 20) {
    (self.descriptor, self.maxLine) = (descriptor, maxLine)
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Connects to a socket, without waiting until the other end accepts.
  ///
  /// - Parameters:
  ///   - path: the path of the socket.
  ///   - maxLine: the maximum number of bytes of one line; a longer one ends the connection.
  /// - Returns: the connection; nil with `errno` if no process listens there, `EAGAIN` if too many connections wait already.
  package static func connect(to path: String, maxLine: Int = 1 << 20) -> LineSocket? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      errno = ENAMETOOLONG
      return nil
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return nil }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0, fcntl(descriptor, F_SETFL, 0) == 0 else {
      let error = errno
      close(descriptor)
      errno = error
      return nil
    }
    return LineSocket(descriptor, maxLine: maxLine)
  }

  deinit { if isOpen.withLock(\.self) { Glibc.close(descriptor) } }

  /// The user at the other end; nil if unknown.
  package var peer: uid_t? { uid_t(exactly: coordinatord_peer_user(descriptor)) }

  /// Reads lines until the other end closes the socket, or ``end()`` does.
  ///
  /// - Parameters:
  ///   - line: called with each line, without its line feed.
  ///   - end: called once, after the last line.
  /// - Returns: false if the system has no thread left.
  package func read(_ line: @escaping @Sendable ([UInt8]) -> Void, then end: @escaping @Sendable () -> Void) -> Bool {
    Thread.start(name: "line-socket") { [self] in
      var rest: [UInt8] = []
      // The number of bytes that are known to contain no line feed.
      var searched = 0
      var buffer = [UInt8](repeating: 0, count: 16_384)
      reading: while rest.count <= maxLine {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        rest += buffer[..<count]
        while let newline = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
          guard newline <= maxLine else { break reading }
          line(Array(rest[..<newline]))
          rest.removeSubrange(...newline)
          searched = 0
        }
        searched = rest.count
      }
      self.end()
      end()
    }
  }

  /// Writes bytes, with descriptors that the other end receives copies of.
  ///
  /// - Returns: whether all bytes were sent.
  @discardableResult
  package func write(_ bytes: [UInt8], descriptors: [Int32] = []) -> Bool {
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
  package func write(_ message: JSONValue, descriptors: [Int32] = []) -> Bool {
    write(Array("\(message.text(omittingNulls: false))\n".utf8), descriptors: descriptors)
  }

  /// Closes the socket for both ends. The reader ends soon after.
  package func end() { isOpen.withLock { if $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } } }
}
