import Glibc

/// The address of a Unix socket: a path, or a name in the abstract namespace, which is written with a leading `@`.
///
/// Source: unix(7).
struct UnixAddress: Sendable, Hashable {
  /// The bytes that follow the address family.
  private let bytes: [UInt8]

  /// Returns nil if `text` is neither a path nor an abstract name, or is too long.
  init?(_ text: String) {
    let characters = Array(text.utf8)
    guard characters.count > 1, !characters.contains(0) else { return nil }
    switch characters.first {
    case UInt8(ascii: "/"): bytes = characters + [0]
    case UInt8(ascii: "@"): bytes = [0] + characters.dropFirst()
    default: return nil
    }
    guard bytes.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
  }

  /// Calls `body` with the address in the kernel's form.
  func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let family = MemoryLayout.size(ofValue: address) - MemoryLayout.size(ofValue: address.sun_path)
    let size = socklen_t(family + bytes.count)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}
