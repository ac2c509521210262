import Glibc
import Platform

/// A socket that replaces a service manager, and receives the notifications of a daemon on a dedicated thread.
public final class NoticeInbox: Sendable {
  /// A notification.
  public struct Notice: Sendable {
    /// The text that the daemon sent.
    public let text: String
    /// The time of its arrival.
    public let arrival: ContinuousClock.Instant
  }

  /// The error for a socket that could not be created.
  public struct CannotListen: Error {}

  /// The value for `NOTIFY_SOCKET`: an abstract name, which the kernel forgets when nothing listens to it.
  public let name: String
  /// The notifications so far.
  public let received = Record<Notice>()
  /// The texts of all notifications, for one reader.
  public let notices: AsyncStream<String>

  /// Creates a socket and starts to listen.
  ///
  /// - Throws: `CannotListen`.
  public init() throws {
    name = "@coordinatord-test-\(getpid())-\(UInt64.random(in: .min ... .max))"
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = [0] + name.utf8.dropFirst()
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout.size(ofValue: address.sun_family) + bytes.count)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    let (notices, continuation) = AsyncStream.makeStream(of: String.self)
    self.notices = notices
    guard bound == 0 else { throw CannotListen() }
    let started = Thread.start(name: "inbox") { [received] in
      var bytes = [UInt8](repeating: 0, count: 512)
      while true {
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count > 0 else { break }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        received.append(Notice(text: text, arrival: .now))
        guard case .enqueued = continuation.yield(text) else { break }
      }
      close(socket)
    }
    guard started else { throw CannotListen() }
  }
}
