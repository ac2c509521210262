/// The address that browsers know the server by: scheme, host and port.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// `http`, or `https` when something in front of the server speaks TLS.
  public var scheme: String
  /// Host and port as browsers send them in `Host`: without the port that the scheme stands for.
  public var host: String

  /// The loopback address with a port.
  public static func loopback(port: UInt16) -> Origin {
    Origin(scheme: "http", host: port == 80 ? "127.0.0.1" : "127.0.0.1:\(port)")
  }

  /// The name of the loopback address with a port: what clients call a socket in the file system.
  public static func localhost(port: UInt16) -> Origin {
    Origin(scheme: "http", host: port == 80 ? "localhost" : "localhost:\(port)")
  }

  /// An origin of these parts.
  init(scheme: String, host: String) {
    self.scheme = scheme
    self.host = host
  }

  /// Reads an origin, such as `https://kiosk.example`.
  ///
  /// - Parameter text: What somebody typed. A slash at the end does no harm.
  public init?(_ text: String) {
    let text = text.hasSuffix("/") ? String(text.dropLast()) : text
    for scheme in ["http", "https"] where text.hasPrefix(scheme + "://") {
      let host = text.dropFirst(scheme.utf8.count + 3)
      guard !host.isEmpty, host.utf8.allSatisfy({ $0.isLetter || $0.isDigit || ".-:[]".utf8.contains($0) }) else { return nil }
      self.init(scheme: scheme, host: host.lowercased())
      return
    }
    return nil
  }

  /// As browsers send it.
  public var description: String { "\(scheme)://\(host)" }
}
