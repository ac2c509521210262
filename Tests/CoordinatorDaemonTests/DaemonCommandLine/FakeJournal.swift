import Foundation
import Glibc

/// A stand-in for journald: a socket that keeps the entries sent to it.
final class FakeJournal {
  struct Failed: Error {
    let reason = String(cString: strerror(errno))
  }

  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)")
  private var descriptor: Int32 = -1
  var path: String { directory.appendingPathComponent("socket").path }

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try comeBack()
  }

  deinit {
    close(descriptor)
    try? FileManager.default.removeItem(at: directory)
  }

  func leave() throws {
    close(descriptor)
    descriptor = -1
    try FileManager.default.removeItem(atPath: path)
  }

  func comeBack() throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw Failed() }
  }

  /// Receives the oldest entry and returns its lines.
  func entry() throws -> [String] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw Failed() }
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
