import Glibc

/// journald's own entrance: entries with fields.
///
/// Source: systemd.io, "Native Journal Protocol". An entry a datagram, a line a field: `NAME=value`.
struct JournalSocket: Sendable, Hashable {
  /// Where journald listens.
  static let usualPath = "/run/systemd/journal/socket"

  private let descriptor: Int32
  private let path: String

  /// A way to a journal that need not be there yet; nil if the system has no socket to give. It is never closed: a daemon logs to its end.
  init?(path: String = usualPath) {
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    self.path = path
  }

  /// Hands an entry over, unless journald is away or busy.
  ///
  /// - Parameter entry: its lines.
  /// - Returns: whether it was taken.
  func send(_ entry: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    var entry = entry
    // Each time by its name: journald may have been restarted since.
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
