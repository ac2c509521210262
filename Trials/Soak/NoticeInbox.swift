import Glibc
import Platform

/// A socket that takes the place of a service manager, and records when watchdog notifications arrive.
final class NoticeInbox: Sendable {
  /// The value for `NOTIFY_SOCKET`: an abstract socket name, which disappears with its socket.
  let name: String
  private let times = Lock<[ContinuousClock.Instant]>([])

  struct CannotListen: Error {}

  /// The longest interval between notifications, from the first one until now.
  var longestSilence: Duration {
    let times = times.withLock { $0 } + [.now]
    return zip(times, times.dropFirst()).map { $0.duration(to: $1) }.max() ?? .zero
  }

  init() throws {
    name = "@coordinatord-greed-\(getpid())"
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = [0] + name.utf8.dropFirst()
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout.size(ofValue: address.sun_family) + bytes.count)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    guard bound == 0, listen(on: socket) else { throw CannotListen() }
  }

  private func listen(on socket: Int32) -> Bool {
    Thread.start(name: "inbox") { [times] in
      var bytes = [UInt8](repeating: 0, count: 512)
      while true {
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count > 0 else { break }
        if String(decoding: bytes.prefix(count), as: UTF8.self) == "WATCHDOG=1\n" { times.withLock { $0.append(.now) } }
      }
      close(socket)
    }
  }
}
