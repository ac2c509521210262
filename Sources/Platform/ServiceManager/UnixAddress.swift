import Glibc

/// The address of a socket of this machine: a path, or a name of the kernel's, which is written with `@` in front.
struct UnixAddress: Sendable, Hashable {
  /// What the kernel is given behind the family.
  private let bytes: [UInt8]

  /// Nil for what is neither, or too long.
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

  /// Calls with the address as the kernel takes it.
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
