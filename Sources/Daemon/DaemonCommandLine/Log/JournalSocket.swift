import Glibc

/// journald's native socket, which accepts entries with fields.
///
/// Source: systemd.io, "Native Journal Protocol". A datagram is an entry; each of its lines is a field, `NAME=value`.
struct JournalSocket: Sendable, Hashable {
  /// The path of the socket that journald listens on.
  static let usualPath = "/run/systemd/journal/socket"

  private let descriptor: Int32
  private let path: String

  /// Creates a socket for the journal at `path`, which need not exist yet. Returns nil if `path` is too long or the
  /// system has no socket left.
  ///
  /// The socket is never closed, because a daemon logs until it exits.
  init?(path: String = usualPath) {
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    self.path = path
  }

  /// Sends an entry without blocking. Fails if journald is not running or is busy.
  ///
  /// - Parameter entry: the lines of the entry.
  /// - Returns: whether the entry was sent.
  func send(_ entry: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    var entry = entry
    // The socket is addressed by path each time, because journald may have been restarted.
    return entry.withUTF8 { bytes in
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          sendto(
            descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL), pointer, length)
            == bytes.count
        }
      }
    }
  }
}
