import CPrograms
import CScripts
import Glibc

/// A Unix stream socket that only this user, root, and at most one other user can connect to.
struct ListeningSocket {
  let descriptor: Int32
  let path: String
  private let other: UInt32?

  /// Opens a socket; replaces one that an earlier keeper has left there.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - other: another user who may connect; nil for none.
  /// - Throws: ``KeeperFailure``.
  init(_ path: String, sharedWith other: UInt32? = nil) throws(KeeperFailure) {
    (self.path, self.other) = (path, other)
    unlink(path)
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw KeeperFailure("\(path) is too long for a socket; choose a shorter name")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    guard descriptor >= 0, status == 0, chmod(path, other == nil ? 0o600 : 0o666) == 0, listen(descriptor, 128) == 0,
      fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
    else { throw .system("no socket can be opened at \(path)") }
  }

  /// The result of accepting a connection.
  enum Visitor: Sendable, Hashable {
    case connection(Int32)
    /// The client's user may not connect, or the client has disconnected.
    case refused
    case nobody
    /// The system lacks the resources for a connection. poll(2) keeps reporting the waiting client.
    case lacking
  }

  /// Accepts a connection.
  func accept() -> Visitor {
    let connection = coordinatord_accept(descriptor)
    guard connection >= 0 else {
      switch errno {
      case EAGAIN: return .nobody
      case EINTR, ECONNABORTED, EPERM, EPROTO: return .refused
      default: return .lacking
      }
    }
    let user = coordinatord_peer_user(connection)
    guard user == 0 || user == Int(geteuid()) || user == other.map(Int.init), fcntl(connection, F_SETFL, O_NONBLOCK) == 0 else {
      close(connection)
      return .refused
    }
    return .connection(connection)
  }
}
