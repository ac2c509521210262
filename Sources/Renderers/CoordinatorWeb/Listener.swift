import FlyingSocks
import Glibc
import Platform

/// A listening socket for browsers: on the loopback address, in the file system, or on the network.
public struct Listener: Sendable {
  /// The address to listen on.
  public enum Place: Sendable, Hashable {
    /// A port of 127.0.0.1; 0 for any free port.
    case loopback(port: UInt16)
    /// A Unix socket in the file system, with mode 0600.
    case socket(path: String)
    /// A port of one address of this machine, or of all if there is none given; 0 for any free port.
    case network(address: IPAddress?, port: UInt16)
  }

  /// The error for an address that cannot be listened on.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A one-line description for users.
    public let description: String
  }

  /// The maximum length of a socket path, in bytes. Below the limit of `sun_path` without its terminating NUL
  /// (unix(7)).
  private static let longestPath = 103

  /// The address that the listener is bound to, with its actual port.
  public let place: Place
  let socket: Socket
  /// Whether closing the listener removes the socket from the file system.
  private let removesFile: Bool

  /// Starts listening. Replaces a socket in the file system on which no server listens.
  ///
  /// - Parameter place: address to listen on.
  /// - Throws: ``Failure``.
  public init(_ place: Place) throws(Failure) {
    removesFile = true
    do {
      switch place {
      case .loopback(let port):
        socket = try Socket(domain: Int32(AF_INET))
        try Self.keepFromChildren(socket)
        try socket.setValue(true, for: .localAddressReuse)
        try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
        try socket.listen()
        guard case .ip4(_, let port) = try socket.sockname() else { throw Failure(description: "the socket has no address") }
        self.place = .loopback(port: port)
      case .network(let address, let port):
        let bound = try Self.bound(to: address, port: port)
        socket = bound.socket
        self.place = .network(address: address, port: bound.port)
      case .socket(let path):
        guard path.utf8.count <= Self.longestPath, !path.isEmpty else {
          throw Failure(description: "the path is longer than \(Self.longestPath) bytes")
        }
        try Self.removeDeserted(path)
        socket = try Socket(domain: Int32(AF_UNIX))
        try Self.keepFromChildren(socket)
        try socket.bind(to: .unix(path: path))
        // No client can connect before `listen`.
        guard chmod(path, 0o600) == 0 else { throw Failure(description: String(cString: strerror(errno))) }
        try socket.listen()
        self.place = place
      }
    } catch let failure as Failure {
      throw Self.failure(failure.description, at: place)
    } catch SocketError.failed(_, _, let message) {
      throw Self.failure(message, at: place)
    } catch {
      throw Self.failure("\(error)", at: place)
    }
  }

  /// Adopts a listening socket of the service manager. Its file remains when the server ends.
  ///
  /// - Parameters:
  ///   - passed: socket to adopt.
  ///   - isOnNetwork: whether the socket may be on an address that other machines reach.
  /// - Throws: ``Failure`` if the socket does not listen, or is on an address that is not allowed.
  public init(_ passed: PassedSocket, isOnNetwork: Bool = false) throws(Failure) {
    removesFile = false
    socket = Socket(file: .init(rawValue: passed.descriptor))
    var isListening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(passed.descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening == 1 else {
      throw Failure(description: "the socket from the service manager is not a listening socket: use ListenStream=")
    }
    switch try? socket.sockname() {
    case .ip4(let address, let port) where isOnNetwork:
      place = .network(address: address == "0.0.0.0" ? nil : IPAddress(address), port: port)
    case .ip6(let address, let port) where isOnNetwork:
      place = .network(address: address == "::" ? nil : IPAddress(address), port: port)
    case .ip4("127.0.0.1", let port): place = .loopback(port: port)
    case .unix(let path): place = .socket(path: path)
    default:
      throw Failure(description: "the socket from the service manager is neither on 127.0.0.1 nor in the file system")
    }
  }

  private static func failure(_ reason: String, at place: Place) -> Failure {
    switch place {
    case .loopback(let port): Failure(description: "cannot listen on port \(port) of 127.0.0.1: \(reason)")
    case .socket(let path): Failure(description: "cannot listen on '\(path)': \(reason)")
    case .network(let address?, let port): Failure(description: "cannot listen on port \(port) of \(address): \(reason)")
    case .network(nil, let port): Failure(description: "cannot listen on port \(port): \(reason)")
    }
  }

  /// Listens on a port of an address; without an address, on all of IPv6 and IPv4, or of IPv4 on a system without IPv6.
  private static func bound(to address: IPAddress?, port: UInt16) throws -> (socket: Socket, port: UInt16) {
    guard let address else {
      do {
        return try listening(AF_INET6, .inet6(port: port))
      } catch SocketError.failed(_, errno: EAFNOSUPPORT, _), SocketError.failed(_, errno: EADDRNOTAVAIL, _) {
        return try listening(AF_INET, .inet(port: port))
      }
    }
    return address.isIPv6
      ? try listening(AF_INET6, .inet6(ip6: address.text, port: port))
      : try listening(AF_INET, .inet(ip4: address.text, port: port))
  }

  private static func listening(_ family: Int32, _ address: some SocketAddress) throws -> (socket: Socket, port: UInt16) {
    let socket = try Socket(domain: family)
    do {
      try keepFromChildren(socket)
      try socket.setValue(true, for: .localAddressReuse)
      if family == AF_INET6 {
        // Accepts IPv4 as well, regardless of the system's default.
        var no: Int32 = 0
        setsockopt(
          socket.file.rawValue, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
      }
      try socket.bind(to: address)
      try socket.listen()
      switch try socket.sockname() {
      case .ip4(_, let port), .ip6(_, let port): return (socket, port)
      case .unix: throw Failure(description: "the socket has no address")
      }
    } catch {
      try? socket.close()
      throw error
    }
  }

  /// Stops listening.
  public func close() {
    try? socket.close()
    if removesFile, case .socket(let path) = place { unlink(path) }
  }

  static func keepFromChildren(_ socket: Socket) throws(Failure) {
    guard fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC) == 0 else {
      throw Failure(description: String(cString: strerror(errno)))
    }
  }

  /// Makes the kernel end a connection whose client has silently disappeared, such as a phone that has left the network: after
  /// about a minute, whether or not data is being sent (tcp(7)).
  static func noticeLoss(of socket: Socket) {
    func set(_ level: Int32, _ name: Int32, to value: Int32) {
      var value = value
      // If the kernel lacks an option, the connection lasts longer.
      setsockopt(socket.file.rawValue, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    set(SOL_SOCKET, SO_KEEPALIVE, to: 1)
    set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, to: 30)
    set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, to: 10)
    set(Int32(IPPROTO_TCP), TCP_KEEPCNT, to: 3)
    set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, to: 60_000)
  }

  /// Returns whether the client has sent any byte, read or unread; false if the kernel does not report it.
  static func hasSent(_ socket: Socket) -> Bool {
    // glibc's tcp_info ends before this member of the kernel's, so it is read by its offset (linux/tcp.h).
    let place = 128
    return withUnsafeTemporaryAllocation(byteCount: place + 8, alignment: 8) { info in
      var size = socklen_t(info.count)
      guard getsockopt(socket.file.rawValue, Int32(IPPROTO_TCP), TCP_INFO, info.baseAddress, &size) == 0,
        Int(size) == info.count
      else { return false }
      return info.load(fromByteOffset: place, as: UInt64.self) > 0
    }
  }

  /// Removes a stale socket. Throws if another server listens on it.
  private static func removeDeserted(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    let probe = try Socket(domain: Int32(AF_UNIX))
    defer { try? probe.close() }
    do {
      try probe.connect(to: .unix(path: path))
    } catch SocketError.failed(_, errno: ECONNREFUSED, _) {
      unlink(path)
      return
    }
    throw Failure(description: "another server is listening there")
  }
}
