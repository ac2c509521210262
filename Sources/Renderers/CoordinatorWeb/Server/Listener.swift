import FlyingSocks
import Glibc
import Platform

/// A listening socket for browsers, on the loopback address or in the file system.
public struct Listener: Sendable {
  /// The address to listen on.
  public enum Place: Sendable, Hashable {
    /// A port of 127.0.0.1; 0 for any free port.
    case loopback(port: UInt16)
    /// A Unix socket in the file system, with mode 0600.
    case socket(path: String)
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

  /// Starts listening. Replaces a socket in the file system that nobody listens on.
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
      case .socket(let path):
        guard path.utf8.count <= Self.longestPath, !path.isEmpty else {
          throw Failure(description: "the path is longer than \(Self.longestPath) bytes")
        }
        try Self.removeDeserted(path)
        socket = try Socket(domain: Int32(AF_UNIX))
        try Self.keepFromChildren(socket)
        try socket.bind(to: .unix(path: path))
        // Before `listen`, nobody can connect.
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
  /// - Parameter passed: socket to adopt.
  /// - Throws: ``Failure`` if the socket does not listen, or is neither on 127.0.0.1 nor in the file system.
  public init(_ passed: PassedSocket) throws(Failure) {
    removesFile = false
    socket = Socket(file: .init(rawValue: passed.descriptor))
    var isListening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(passed.descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening == 1 else {
      throw Failure(description: "the socket from the service manager is not a listening socket: use ListenStream=")
    }
    switch try? socket.sockname() {
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
