import Glibc
import Platform
import RendererKit

/// The addresses and names under which other machines reach this one.
struct NetworkNames: Sendable, Hashable {
  /// The addresses, the one that other machines are most likely to reach first.
  var addresses: [IPAddress]
  /// The host name, and the name of the machine in multicast DNS.
  var names: [String]

  /// The current names and addresses of this machine.
  static var current: NetworkNames {
    var addresses = interfaceAddresses()
    if let first = outgoingAddress(), let index = addresses.firstIndex(of: first) {
      addresses.remove(at: index)
      addresses.insert(first, at: 0)
    }
    return NetworkNames(addresses: addresses, names: hostNames())
  }

  /// Returns the addresses in a table of the kernel that do not last: temporary ones, which privacy extensions replace about
  /// once a day (RFC 8981), and those that are deprecated or not usable. A temporary address always accompanies a permanent
  /// one.
  ///
  /// - Parameter table: content of `/proc/net/if_inet6`.
  /// - Returns: the addresses; malformed lines are skipped.
  static func fleetingAddresses(in table: String) -> Set<IPAddress> {
    // IFA_F_TEMPORARY, IFA_F_DADFAILED, IFA_F_DEPRECATED and IFA_F_TENTATIVE of linux/if_addr.h.
    let fleeting = 0x01 | 0x08 | 0x20 | 0x40
    return Set(
      table.bytes.split(separator: "\n").compactMap { line in
        let columns = line.bytes.split(separator: " ")
        guard columns.count == 6, let flags = Int(columns[4], radix: 16), flags & fleeting != 0, columns[0].utf8.count == 32
        else { return nil }
        let digits = Array(columns[0].utf8)
        return IPAddress(
          stride(from: 0, to: 32, by: 4).map { String(decoding: digits[$0..<$0 + 4], as: UTF8.self) }.joined(separator: ":"))
      })
  }

  /// Returns the addresses of all interfaces that other machines can reach, IPv4 first, because they are shorter to type.
  private static func interfaceAddresses() -> [IPAddress] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    let fleeting = Self.fleetingAddresses(in: StandardStreams.read("/proc/net/if_inet6") ?? "")
    var found: [IPAddress] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard entry.ifa_flags & UInt32(IFF_UP) != 0, entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
        let address = entry.ifa_addr.flatMap({ numeric($0) }), !address.isLocal, !found.contains(address),
        !fleeting.contains(address)
      else { continue }
      found.append(address)
    }
    return found.filter { !$0.isIPv6 } + found.filter(\.isIPv6)
  }

  private static func numeric(_ address: UnsafePointer<sockaddr>) -> IPAddress? {
    let size: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: size = MemoryLayout<sockaddr_in>.size
    case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
    return IPAddress(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  /// Returns the address that packets to other networks would come from. Nothing is sent: connecting a datagram socket
  /// only selects a route. The destination is reserved for documentation (RFC 5737).
  private static func outgoingAddress() -> IPAddress? {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(9).bigEndian
    address.sin_addr.s_addr = inet_addr("203.0.113.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard connect(descriptor, pointer, size) == 0, getsockname(descriptor, pointer, &size) == 0 else { return nil }
        return numeric(pointer)
      }
    }
  }

  private static func hostNames() -> [String] {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return [] }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).bytes.lowercased
    guard !name.isEmpty, name != "localhost",
      name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-.".utf8.contains($0) })
    else { return [] }
    return name.utf8.contains(UInt8(ascii: ".")) ? [name] : [name, name + ".local"]
  }
}

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

  /// Whether other machines cannot use the address, or can use it only with the name of an interface of theirs.
  var isLocal: Bool {
    guard isIPv6 else { return text.bytes.hasPrefix("127.") }
    return text == "::1" || ["fe8", "fe9", "fea", "feb"].contains(where: text.bytes.hasPrefix)
  }

  /// The address in its usual notation.
  public var description: String { text }
}
