import Glibc
import Platform

/// An IPv4 or IPv6 address of a machine.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address in its usual notation.
  public let text: String
  /// Whether it is an IPv6 address.
  public let isIPv6: Bool

  /// Parses an address.
  ///
  /// - Parameter text: address, such as `192.168.1.5`; in IPv6 without brackets and zone.
  public init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      isIPv6 = false
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      isIPv6 = true
    } else {
      return nil
    }
    var canonical = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &canonical, socklen_t(canonical.count)) != nil else { return nil }
    self.text = String(decoding: canonical.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The address of this machine that is reachable from this machine only.
  static let loopback = IPAddress("127.0.0.1")

  /// The address as it appears in a URL.
  var inURL: String { isIPv6 ? "[\(text)]" : text }

  /// Whether other machines cannot use the address, or can use it only with the name of their own interface.
  var isLocal: Bool {
    guard isIPv6 else { return text.bytes.hasPrefix("127.") }
    return text == "::1" || ["fe8", "fe9", "fea", "feb"].contains(where: text.bytes.hasPrefix)
  }

  /// The address in its usual notation.
  public var description: String { text }
}
