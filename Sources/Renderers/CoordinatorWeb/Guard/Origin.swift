import Platform

/// The web origin of the server (RFC 6454): scheme, host and port.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// The scheme: `http`, or `https` if the server, or a proxy in front of it, terminates TLS.
  public var scheme: String
  /// The host and port as browsers send them in `Host`: without the scheme's default port.
  public var host: String

  /// Returns the origin of a port on 127.0.0.1.
  public static func loopback(port: UInt16) -> Origin {
    Origin(scheme: "http", host: port == 80 ? "127.0.0.1" : "127.0.0.1:\(port)")
  }

  /// Returns the origin of a port on `localhost`, which is the host that clients use for a Unix socket.
  public static func localhost(port: UInt16) -> Origin {
    Origin(scheme: "http", host: port == 80 ? "localhost" : "localhost:\(port)")
  }

  /// Returns the origin of a port on 127.0.0.1 that is served with TLS.
  static func secureLoopback(port: UInt16) -> Origin { network("127.0.0.1", port) }

  /// Returns the origins of a port that other machines reach; the first one is the preferred one.
  ///
  /// - Parameters:
  ///   - port: port of the server.
  ///   - names: addresses and names of this machine.
  /// - Returns: the origins, in the order of the names.
  static func network(port: UInt16, names: NetworkNames) -> [Origin] {
    (names.addresses.map(\.inURL) + names.names).map { network($0, port) }
  }

  private static func network(_ host: String, _ port: UInt16) -> Origin {
    Origin(scheme: "https", host: port == 443 ? host : "\(host):\(port)")
  }

  /// Creates an origin.
  init(scheme: String, host: String) {
    self.scheme = scheme
    self.host = host
  }

  /// Parses an origin such as `https://kiosk.example`.
  ///
  /// - Parameter text: origin to parse. One trailing slash is ignored.
  public init?(_ text: String) {
    let text = text.bytes.dropping(suffix: "/") ?? text[...]
    for scheme in ["http", "https"] {
      guard let host = text.bytes.dropping(prefix: scheme + "://") else { continue }
      guard !host.isEmpty, host.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || ".-:[]".utf8.contains($0) })
      else { return nil }
      self.init(scheme: scheme, host: host.bytes.lowercased)
      return
    }
    return nil
  }

  /// The serialized origin, as browsers send it in `Origin`.
  public var description: String { "\(scheme)://\(host)" }
}
