import Platform

/// The random path of the pages, and their cookies. Keeps the session cookie from other servers on this machine.
///
/// Browsers send a cookie to all ports of a host, but only below the cookie's path (RFC 6265, section 8.5).
public struct Entrance: Sendable, Hashable {
  /// The first segment of every page's path.
  public let prefix: String

  /// Creates an entrance with a random path.
  public init() {
    prefix = String(Token().text.prefix(16))
  }

  /// Returns a cookie whose value changes with each answer and has no meaning.
  ///
  /// Without JavaScript, a browser may show a page from memory when its user goes back, despite `no-store`. Chromium
  /// does so unless an `HttpOnly` cookie has changed since.
  ///
  /// - Parameter origin: origin that the browser uses.
  /// - Returns: the value of `Set-Cookie`.
  func turn(at origin: Origin) -> String { cookie("coordinator-web-turn", String(Token().text.prefix(8)), origin) }

  /// The name of the session cookie.
  public static let cookieName = "coordinator-web"

  /// Returns the cookie that identifies a session.
  ///
  /// - Parameters:
  ///   - session: session of the browser.
  ///   - origin: origin that the browser uses.
  /// - Returns: the value of `Set-Cookie`.
  public func cookie(for session: Session, at origin: Origin) -> String {
    cookie(Self.cookieName, session.cookie.text, origin)
  }

  private func cookie(_ name: String, _ value: String, _ origin: Origin) -> String {
    let secure = origin.scheme == "https" ? "; Secure" : ""
    return "\(name)=\(value); Path=/\(prefix)/; HttpOnly; SameSite=Strict\(secure)"
  }
}

/// An unguessable token: 128 bits from the system's random number generator, as 32 hexadecimal digits.
public struct Token: Sendable, Hashable {
  /// The hexadecimal digits.
  public let text: String

  /// Creates a random token.
  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// Creates a token from a given generator.
  ///
  /// - Parameter generator: source of the random bits.
  init(using generator: inout some RandomNumberGenerator) {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for _ in 0..<2 {
      var bits: UInt64 = generator.next()
      for _ in 0..<16 {
        bytes.append(digits[Int(bits & 15)])
        bits >>= 4
      }
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Compares a string with the token in constant time.
  ///
  /// - Parameter other: string to compare.
  /// - Returns: whether the string equals the token.
  public func matches(_ other: String?) -> Bool {
    guard let other, other.utf8.count == text.utf8.count else { return false }
    return zip(text.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

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
